import { trusts } from "../../sources/trust.ts";
import { type CommandGroup, lazily, storeOptions } from "../command/command.ts";

const id = { form: "<id>", about: "the configuration's id" };
const provider = { flags: "--provider <id>", about: "the provider that answers" };
const model = { flags: "--model <name>", about: "the model to ask for" };

const settings = [
  { flags: "--system <text>", about: "the system prompt" },
  { flags: "--system-file <path>", about: "the system prompt, from a file" },
  {
    flags: "--parameter <name=value>",
    about: "sent with every request, such as temperature=0.2; repeat it for more",
    repeatable: true,
  },
  { flags: "--placement <role>", about: "the message that skills are put in", choices: ["user", "system"] },
  {
    flags: "--routable <entry>",
    about: "what routing may choose: an entry's id, or source:<id> for all of a source; repeat it for more",
    repeatable: true,
  },
  { flags: "--route <switch>", about: "choose skills by what is asked", choices: ["on", "off"] },
  { flags: "--route-on <message>", about: "which user message routing reads", choices: ["first", "last"] },
  { flags: "--route-accept <number>", about: "ask no further link from this confidence on, 0 to 1, or default" },
  { flags: "--route-margin <number>", about: "how far it must be ahead of the next, 0 to 1, or default" },
  { flags: "--route-floor <number>", about: "choose nothing when a fit is less likely than this, 0 to 1, or default" },
  { flags: "--budget <bytes>", about: "the most bytes of skills in one prompt" },
  {
    flags: "--context-tokens <count>",
    about: "how much the model can read, or unknown; skills then take at most a quarter of it",
  },
  { flags: "--trust-floor <level>", about: "do not use skills of less trust", choices: trusts },
  { flags: "--system-floor <level>", about: "keep skills of less trust out of the system message", choices: trusts },
];

export const config: CommandGroup = {
  name: "config",
  about: "how an application talks to a model, and with which skills: add, list, show, set, remove",
  commands: [
    {
      name: "add",
      about: "add a configuration",
      arguments: [{ form: "<id>", about: "a new id: lowercase letters, digits, hyphens" }],
      options: [{ ...provider, required: true }, { ...model, required: true }, ...settings, ...storeOptions],
      examples: [
        "skillward config add support --provider openai --model gpt-4o --system-file support.md",
        "skillward config add try --provider try --model any --route on --routable source:house",
      ],
      run: lazily(() => import("./commands/config-add.ts")),
    },
    {
      name: "list",
      about: "the configurations you may see",
      arguments: [],
      options: storeOptions,
      examples: ["skillward config list", "skillward config list --json"],
      run: lazily(() => import("./commands/config-list.ts")),
    },
    {
      name: "show",
      about: "one configuration, with the skills on it and whether each can be used",
      arguments: [id],
      options: storeOptions,
      examples: ["skillward config show support"],
      run: lazily(() => import("./commands/config-show.ts")),
    },
    {
      name: "set",
      about: "change a configuration; what is not named stays, a list is replaced as a whole",
      arguments: [id],
      options: [
        provider,
        model,
        ...settings,
        { flags: "--no-parameter", about: "send no parameters from now on" },
        { flags: "--no-routable", about: "let routing choose among what is attached only" },
        ...storeOptions,
      ],
      examples: [
        "skillward config set support --model gpt-4o-mini",
        "skillward config set support --route on --routable source:house",
      ],
      run: lazily(() => import("./commands/config-set.ts")),
    },
    {
      name: "remove",
      about: "remove a configuration that no task uses; its skills are detached",
      arguments: [id],
      options: storeOptions,
      examples: ["skillward config remove support"],
      run: lazily(() => import("./commands/config-remove.ts")),
    },
  ],
};
