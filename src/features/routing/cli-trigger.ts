import { type CommandGroup, lazily, storeOptions } from "../command/command.ts";

const skill = { form: "<skill>", about: "an entry's id, or its name where only one has it" };

export const trigger: CommandGroup = {
  name: "trigger",
  about: "phrases by which skills are found, set by an admin: add, list, remove",
  commands: [
    {
      name: "add",
      about: "set phrases for a skill; a query that holds one is taken for it, whatever its trust",
      arguments: [skill, { form: "<phrase...>", about: "words of a query, up to 200 characters" }],
      options: storeOptions,
      examples: ['skillward trigger add house:brand-voice "tone of voice" "how we write"'],
      run: lazily(() => import("./commands/trigger-add.ts")),
    },
    {
      name: "list",
      about: "all phrases, by skill",
      arguments: [],
      options: storeOptions,
      examples: ["skillward trigger list", "skillward trigger list --json"],
      run: lazily(() => import("./commands/trigger-list.ts")),
    },
    {
      name: "remove",
      about: "take phrases away from a skill, whatever state it is in",
      arguments: [skill, { form: "[phrase...]", about: "those to take away; without any, all of them" }],
      options: storeOptions,
      examples: [
        'skillward trigger remove house:brand-voice "how we write"',
        "skillward trigger remove house:brand-voice",
      ],
      run: lazily(() => import("./commands/trigger-remove.ts")),
    },
  ],
};
