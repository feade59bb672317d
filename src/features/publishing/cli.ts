import { agentNames, agentScopes } from "../../skill/agent-folders.ts";
import { type Command, lazily, storeOptions } from "../command/command.ts";

export const exportSkills: Command = {
  name: "export",
  about: "write approved skills into an agent's own folder, with skillward.lock; all of them or none",
  arguments: [],
  options: [
    { flags: "--to <folder>", about: "the folder of a project, or of a person", required: true },
    {
      flags: "--agent <name>",
      about: "below it, where this agent looks; the folder itself without it",
      choices: agentNames,
    },
    {
      flags: "--scope <scope>",
      about: "whether --to is a project's or a person's",
      choices: agentScopes,
      default: "project",
    },
    { flags: "--skill <skill>", about: "only this one, by its id or name; repeat it for more", repeatable: true },
    { flags: "--configuration <id>", about: "only what is attached to this configuration" },
    { flags: "--prune", about: "take away what was exported before and is not to be there any more" },
    { flags: "--force", about: "also over what was changed there" },
    ...storeOptions,
  ],
  examples: [
    "skillward export --to . --agent claude",
    "skillward export --to ~ --agent copilot --scope user --skill brand-voice",
    "skillward export --to build/skills --configuration support --prune",
  ],
  run: lazily(() => import("./commands/export.ts")),
};
