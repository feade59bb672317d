import { any, seen } from "../matchers.ts";
import { environmentDumps } from "../words/variables.ts";
import type { Rule } from "../rule.ts";

const search = seen(
  /\b(?:env|printenv|set)\s{0,3}\|\s{0,3}(?:grep|rg|awk|findstr|select-string)\b[^\n]{0,60}\b(?:key|token|secret|passw|pass|cred)/,
  "env",
  "printenv",
  "set",
);

export const environmentDump: Rule = {
  id: "secrets.environment",
  level: "medium",
  title: "takes the whole environment",
  why: "The environment holds the keys of every service that the user works with. Whatever needs a variable can read that one; look at where the rest goes.",
  match: any(environmentDumps, search),
  hostile: [
    "```bash\nenv > /tmp/state.txt\n```",
    "```js\nconsole.log(JSON.stringify(process.env))\n```",
    "```bash\nprintenv | grep -i 'token\\|secret'\n```",
    "```python\nsnapshot = dict(os.environ)\n```",
  ],
  benign: [
    "```bash\nexport API_URL=https://api.example.com\n```",
    "```js\nconst port = process.env.PORT ?? 8080;\n```",
    "```python\nkey = os.environ['MAPS_API_KEY']\n```",
    "Use the env of the project: `uv run --env-file settings.env`.",
  ],
};
