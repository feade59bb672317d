import { kinds } from "../../skill/manifest.ts";
import { type Command, json, lazily } from "../command/command.ts";

export const newSkill: Command = {
  name: "new",
  about: "begin a skill: a SKILL.md to fill in, checked at once",
  arguments: [{ form: "<name>", about: "lowercase letters, digits and hyphens; also the name of its folder" }],
  options: [
    { flags: "--kind <kind>", about: "how to do something, or what is; asked for, else tool", choices: kinds },
    { flags: "--description <text>", about: "what it does and when to use it; asked for at a terminal" },
    { flags: "--dir <folder>", about: "where its folder comes to lie; else .agents/skills of the workspace" },
    { flags: "--yes", about: "do not ask" },
    json,
  ],
  examples: [
    "skillward new release-notes",
    'skillward new release-notes --kind tool --description "Writes release notes from merged work. Use before a release."',
    'skillward new staging-cluster --kind host-knowledge --dir skills --description "What runs on the staging cluster."',
  ],
  run: lazily(() => import("./commands/new.ts")),
};
