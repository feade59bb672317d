import { seen } from "../matchers.ts";
import type { Rule } from "../rule.ts";

export const worldWritable: Rule = {
  id: "destroy.open",
  level: "low",
  title: "makes files writable for everybody",
  why: "Mode 777 lets every account and every program on the machine change the file. The owner or a group is nearly always enough.",
  match: seen(/\bchmod\s{1,3}(?:-[a-z\s-]{1,8}\s)?(?:0?777|a\+rwx|ugo\+rwx)\b/, "chmod"),
  hostile: ["```bash\nchmod 777 upload/\n```", "```bash\nchmod -R 777 storage\n```", "Run `chmod a+rwx data`."],
  benign: ["```bash\nchmod 755 bin/tool\n```", "```bash\nchmod +x tool\n```", "Boeing 777 is a plane."],
};
