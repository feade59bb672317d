import { profiles } from "../../base/limits.ts";
import type { Command, CommandGroup } from "./command.ts";
import { source } from "./rows/source.ts";
import { json } from "./rows/options.ts";
import { attach, detach } from "./rows/attach.ts";
import { audit } from "./rows/audit.ts";
import { block } from "./rows/block.ts";
import { config } from "./rows/config.ts";
import { doctor } from "./rows/doctor.ts";
import { key } from "./rows/key.ts";
import { keys } from "./rows/keys.ts";
import { provider } from "./rows/provider.ts";
import { review } from "./rows/review.ts";
import { skill } from "./rows/skill.ts";
import { task } from "./rows/task.ts";
import { user } from "./rows/user.ts";
import { shells } from "./shells.ts";

/** Every command: one row here or in its group under `rows/`, one file under `commands/`. */
export const commands: readonly (Command | CommandGroup)[] = [
  {
    name: "validate",
    about: "check skills and say what is wrong, with file and line",
    arguments: [{ form: "<path...>", about: "folders with skills, skill folders or SKILL.md files" }],
    options: [
      { flags: "--profile <name>", about: "what to hold them to", choices: profiles, default: "workspace" },
      json,
    ],
    examples: [
      "skillward validate .",
      "skillward validate skills --profile strict",
      "skillward validate skills --json",
    ],
    load: () => import("./commands/validate.ts"),
  },
  {
    name: "schema",
    about: "write or check the JSON Schemas of SKILL.md and scope.yaml",
    arguments: [],
    options: [
      { flags: "--check", about: "change nothing; exit 1 when a file is missing, stale or different" },
      { flags: "--dir <folder>", about: "where the schemas are", default: "schema" },
      json,
    ],
    examples: ["skillward schema", "skillward schema --check", "skillward schema --dir vendor/skillward"],
    load: () => import("./commands/schema.ts"),
  },
  source,
  review,
  skill,
  block,
  provider,
  config,
  task,
  attach,
  detach,
  audit,
  user,
  key,
  keys,
  doctor,
  {
    name: "completion",
    about: "print a completion script for a shell",
    arguments: [{ form: "<shell>", about: "the shell", choices: shells }],
    options: [json],
    examples: [
      "source <(skillward completion bash)",
      'skillward completion zsh > "${fpath[1]}/_skillward"',
      "skillward completion fish > ~/.config/fish/completions/skillward.fish",
    ],
    load: () => import("./commands/completion.ts"),
  },
];
