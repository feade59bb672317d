import { profiles } from "../../../base/limits.ts";
import type { Command } from "../command.ts";
import { shells } from "../shells.ts";
import { json } from "./options.ts";

export const validate: Command = {
  name: "validate",
  about: "check skills and say what is wrong, with file and line",
  arguments: [{ form: "<path...>", about: "folders with skills, skill folders or SKILL.md files" }],
  options: [
    { flags: "--profile <name>", about: "what to hold them to", choices: profiles, default: "workspace" },
    json,
  ],
  examples: ["skillward validate .", "skillward validate skills --profile strict", "skillward validate skills --json"],
  load: () => import("../commands/validate.ts"),
};

export const schema: Command = {
  name: "schema",
  about: "write or check the JSON Schemas of SKILL.md and scope.yaml",
  arguments: [],
  options: [
    { flags: "--check", about: "change nothing; exit 1 when a file is missing, stale or different" },
    { flags: "--dir <folder>", about: "where the schemas are", default: "schema" },
    json,
  ],
  examples: ["skillward schema", "skillward schema --check", "skillward schema --dir vendor/skillward"],
  load: () => import("../commands/schema.ts"),
};

export const completion: Command = {
  name: "completion",
  about: "print a completion script for a shell",
  arguments: [{ form: "<shell>", about: "the shell", choices: shells }],
  options: [json],
  examples: [
    "source <(skillward completion bash)",
    'skillward completion zsh > "${fpath[1]}/_skillward"',
    "skillward completion fish > ~/.config/fish/completions/skillward.fish",
  ],
  load: () => import("../commands/completion.ts"),
};

/** The commands that need no store. They start without the rows of all the others being loaded. */
export const alone: readonly Command[] = [validate, schema, completion];
