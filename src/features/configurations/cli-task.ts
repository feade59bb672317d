import { type CommandGroup, lazily, storeOptions } from "../command/command.ts";

const id = { form: "<id>", about: "the task's id" };
const configuration = { flags: "--configuration <id>", about: "the configuration it runs with" };

const settings = [
  { flags: "--template <text>", about: "the prompt, with {{input}} where the caller's text goes" },
  { flags: "--template-file <path>", about: "the same, from a file" },
];

export const task: CommandGroup = {
  name: "task",
  about: "prompts kept for repeated use: add, list, show, set, remove",
  commands: [
    {
      name: "add",
      about: "add a task",
      arguments: [{ form: "<id>", about: "a new id: lowercase letters, digits, hyphens" }],
      options: [{ ...configuration, required: true }, ...settings, ...storeOptions],
      examples: [
        "skillward task add summary --configuration support --template 'Sum up in three lines: {{input}}'",
        "skillward task add triage --configuration support --template-file triage.md",
      ],
      run: lazily(() => import("./commands/task-add.ts")),
    },
    {
      name: "list",
      about: "the tasks you may see",
      arguments: [],
      options: storeOptions,
      examples: ["skillward task list", "skillward task list --json"],
      run: lazily(() => import("./commands/task-list.ts")),
    },
    {
      name: "show",
      about: "one task, with the skills on it and whether each can be used",
      arguments: [id],
      options: storeOptions,
      examples: ["skillward task show summary"],
      run: lazily(() => import("./commands/task-show.ts")),
    },
    {
      name: "set",
      about: "change a task; what is not named stays",
      arguments: [id],
      options: [configuration, ...settings, ...storeOptions],
      examples: ["skillward task set summary --template-file summary.md"],
      run: lazily(() => import("./commands/task-set.ts")),
    },
    {
      name: "remove",
      about: "remove a task; its skills are detached",
      arguments: [id],
      options: storeOptions,
      examples: ["skillward task remove summary"],
      run: lazily(() => import("./commands/task-remove.ts")),
    },
  ],
};
