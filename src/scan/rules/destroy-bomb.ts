import { any, seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const forkBomb: Rule = {
  id: "destroy.bomb",
  level: "critical",
  title: "makes the machine unusable",
  why: "A process that starts itself twice, for ever, takes every resource until the machine is switched off. It has no other use.",
  match: any(
    seen(/:\s{0,2}\(\)\s{0,2}\{\s{0,2}:\s{0,2}\|\s{0,2}:\s{0,2}&\s{0,2}\}\s{0,2};\s{0,2}:/),
    seen(
      /\bwhile\s{0,2}\(?(?:true|1|:)\)?\s{0,2}[:;]?\s{0,6}(?:do\s{1,4})?(?:os\.fork\(\)|fork\(\)|subprocess\.popen\(\[?sys\.)|%0\s{0,2}\|\s{0,2}%0/,
      "fork",
      "subprocess",
      "0",
    ),
    seen(/\bperl -e ["']fork while fork\b|\bfork while fork\b/, "fork"),
  ),
  hostile: ["```bash\n:(){ :|:& };:\n```", "```python\nwhile True: os.fork()\n```", "```bat\n%0|%0\n```"],
  benign: [
    "```python\npid = os.fork()\n```",
    "Fork the repository while you wait for the review.",
    "```bash\nwhile true; do date; sleep 60; done\n```",
  ],
};
