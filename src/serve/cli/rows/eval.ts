import type { CommandGroup } from "../command.ts";
import { json } from "./options.ts";

export const evaluation: CommandGroup = {
  name: "eval",
  about: "how well something works, measured: scan",
  commands: [
    {
      name: "scan",
      about: "recall and false positives of the scanner on labelled texts",
      arguments: [{ form: "<file>", about: "lines of { id, set, label: malicious or benign, text }; .gz is unpacked" }],
      options: [{ flags: "--list", about: "also name what was missed and what was flagged wrongly, at high" }, json],
      examples: ["skillward eval scan eval/scan.jsonl", "skillward eval scan labelled.jsonl.gz --list --json"],
      load: () => import("../commands/eval/scan.ts"),
    },
  ],
};
