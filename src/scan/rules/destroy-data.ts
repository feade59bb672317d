import { any, seen, several } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const dataDropped: Rule = {
  id: "destroy.data",
  level: "low",
  title: "drops data or rewrites history",
  why: "Databases, clusters and published history cannot be brought back by the tool that removed them. See that the user is asked and that there is a copy.",
  match: any(
    seen(
      /\bdrop\s{1,3}(?:database|schema)\b|\bdropdb\b|\bdb\.dropdatabase\(|\bflushall\b/,
      "drop",
      "dropdb",
      "dropdatabase",
      "flushall",
    ),
    several(
      ["push", "filter"],
      /\bgit push\b[^\n]{0,40}\s(?:--force|-f)\b(?!-)[^\n]{0,20}\b(?:main|master)\b/,
      /\bgit push\b[^\n]{0,30}\b(?:main|master)\b[^\n]{0,12}--force(?!-with)/,
      /\bgit filter-(?:branch|repo)\b/,
    ),
    several(
      ["terraform", "kubectl", "aws"],
      /\bterraform destroy\b[^\n]{0,40}-auto-approve/,
      /\bkubectl delete (?:ns|namespace)\b/,
      /\baws s3 (?:rb|rm)\b[^\n]{0,60}--(?:force|recursive)/,
    ),
  ),
  hostile: [
    "```sql\nDROP DATABASE shop;\n```",
    "```bash\ngit push --force origin main\n```",
    "```bash\nterraform destroy -auto-approve\n```",
  ],
  benign: [
    "```sql\nSELECT * FROM orders;\n```",
    "```bash\ngit push --force-with-lease origin topic\n```",
    "```bash\nterraform plan\n```",
  ],
};
