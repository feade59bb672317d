import { type Command, json, lazily } from "../command/command.ts";

export const scan: Command = {
  name: "scan",
  about: "look for what is hostile in skills, their scripts and their references; exit 1 with findings",
  arguments: [{ form: "<path...>", about: "folders with skills, skill folders, SKILL.md files or single text files" }],
  options: [
    {
      flags: "--format <name>",
      about: "how to print it: github for the log of a workflow, sarif for code scanning",
      choices: ["text", "json", "sarif", "github"],
      default: "text",
    },
    {
      flags: "--fail-on <level>",
      about: "the lightest finding that fails",
      choices: ["low", "medium", "high", "critical"],
      default: "high",
    },
    { flags: "--baseline <file>", about: "findings that were accepted; they are shown and do not fail" },
    {
      flags: "--write-baseline",
      about: "accept what is found now, for exactly these bytes, in the file of --baseline",
    },
    json,
  ],
  examples: [
    "skillward scan .",
    "skillward scan skills --format sarif > skillward.sarif",
    "skillward scan skills --baseline .skillward-baseline.json",
  ],
  run: lazily(() => import("./commands/scan.ts")),
};
