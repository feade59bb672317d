import { states } from "../../../registry/state.ts";
import type { CommandGroup } from "../command.ts";
import { storeOptions } from "./options.ts";

const which = { form: "<skill>", about: "an entry's id, or its name where only one has it" };

export const skill: CommandGroup = {
  name: "skill",
  about: "the skills of the registry: list, show, diff, revisions, publish, unpublish, published",
  commands: [
    {
      name: "list",
      about: "every skill with its state",
      arguments: [],
      options: [
        { flags: "--state <state>", about: "only those in this state", choices: states },
        { flags: "--source <id>", about: "only what comes from this source" },
        { flags: "--limit <count>", about: "how many to list; 100 without it" },
        { flags: "--after <entry>", about: "list what comes after this entry" },
        ...storeOptions,
      ],
      examples: ["skillward skill list", "skillward skill list --state enabled --json"],
      load: () => import("../commands/skill/list.ts"),
    },
    {
      name: "show",
      about: "everything about one skill; every byte of it is verified",
      arguments: [which],
      options: storeOptions,
      examples: ["skillward skill show house:brand-voice", "skillward skill show brand-voice --json"],
      load: () => import("../commands/skill/show.ts"),
    },
    {
      name: "diff",
      about: "what is different from the revision in use, or the one approved last",
      arguments: [which],
      options: storeOptions,
      examples: ["skillward skill diff house:brand-voice"],
      load: () => import("../commands/skill/diff.ts"),
    },
    {
      name: "revisions",
      about: "the revisions that are kept, the newest first",
      arguments: [which],
      options: storeOptions,
      examples: ["skillward skill revisions house:brand-voice"],
      load: () => import("../commands/skill/revisions.ts"),
    },
    {
      name: "publish",
      about: "let anybody fetch what is approved of a skill, below /.well-known/agent-skills",
      arguments: [which],
      options: storeOptions,
      examples: ["skillward skill publish house:brand-voice"],
      load: () => import("../commands/skill/publish.ts"),
    },
    {
      name: "unpublish",
      about: "switch that off again, whatever state the skill is in",
      arguments: [which],
      options: storeOptions,
      examples: ["skillward skill unpublish house:brand-voice"],
      load: () => import("../commands/skill/unpublish.ts"),
    },
    {
      name: "published",
      about: "what is published; every byte of it is verified, exit 1 when something is not served",
      arguments: [],
      options: storeOptions,
      examples: ["skillward skill published", "skillward skill published --json"],
      load: () => import("../commands/skill/published.ts"),
    },
  ],
};
