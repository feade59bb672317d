import { type CommandGroup, type CommandOption, lazily, storeOptions } from "../command/command.ts";

const names = { form: "<name...>", about: "skills by name or id; built-in ones too" };

const options: readonly CommandOption[] = [
  { flags: "--skills <folder>", about: "skills of a folder instead, without a store or an approval" },
  {
    flags: "--tools <list>",
    about: "the host's tools, with commas between them; without it, those that the skills name",
  },
  { flags: "--strict", about: "no groups: skills that require each other stand each for itself" },
  ...storeOptions,
];

export const scope: CommandGroup = {
  name: "scope",
  about: "what an agent may do while it holds skills: compose, check, explain",
  commands: [
    {
      name: "compose",
      about: "the tools that skills leave together, and why; exit 1 when the set cannot be used",
      arguments: [names],
      options,
      examples: [
        "skillward scope compose terminology-brief catalogue-translation --skills examples/skills",
        "skillward scope compose house:brand-voice guarded --tools read,write,Bash --json",
      ],
      run: lazily(() => import("./commands/compose.ts")),
    },
    {
      name: "check",
      about: "whether skills can be used together, with everything that speaks against it; exit 1 when not",
      arguments: [names],
      options,
      examples: ["skillward scope check terminology-brief --skills examples/skills"],
      run: lazily(() => import("./commands/check.ts")),
    },
    {
      name: "explain",
      about: "what the gate says to one call, step by step; exit 1 when it is denied",
      arguments: [names],
      options: [
        { flags: "--call <call>", about: "the call, such as 'Bash(git status)' or 'Edit(src/a.ts)'", required: true },
        ...options,
      ],
      examples: ["skillward scope explain incident-postmortem --call 'Bash(git log)' --skills examples/skills"],
      run: lazily(() => import("./commands/explain.ts")),
    },
  ],
};
