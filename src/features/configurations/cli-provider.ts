import { protocols } from "../../models/protocols.ts";
import { type CommandGroup, lazily, storeOptions } from "../command/command.ts";

const id = { form: "<id>", about: "the provider's id" };
const origin = { flags: "--origin <url>", about: "its base address, such as https://api.openai.com" };

export const provider: CommandGroup = {
  name: "provider",
  about: "where models answer: add, list, show, set, secret, remove",
  commands: [
    {
      name: "add",
      about: "add a provider of models",
      arguments: [{ form: "<id>", about: "a new id: lowercase letters, digits, hyphens" }],
      options: [
        { flags: "--protocol <name>", about: "what it speaks", choices: protocols, required: true },
        origin,
        {
          flags: "--model <name>",
          about: "a model that may be asked for, '*' for any; repeat it for more",
          repeatable: true,
        },
        { flags: "--secret-stdin", about: "ask for its secret too, or take the first line of standard input" },
        ...storeOptions,
      ],
      examples: [
        "skillward provider add openai --protocol openai --origin https://api.openai.com --model gpt-4o --secret-stdin",
        "skillward provider add try --protocol echo --model '*'",
      ],
      run: lazily(() => import("./commands/provider-add.ts")),
    },
    {
      name: "list",
      about: "the providers; a secret is never shown, only whether there is one",
      arguments: [],
      options: storeOptions,
      examples: ["skillward provider list", "skillward provider list --json"],
      run: lazily(() => import("./commands/provider-list.ts")),
    },
    {
      name: "show",
      about: "one provider",
      arguments: [id],
      options: storeOptions,
      examples: ["skillward provider show openai"],
      run: lazily(() => import("./commands/provider-show.ts")),
    },
    {
      name: "set",
      about: "change a provider; another origin discards its secret",
      arguments: [id],
      options: [
        origin,
        { flags: "--model <name>", about: "the models from now on; repeat it for more", repeatable: true },
        { flags: "--no-model", about: "no model from now on" },
        ...storeOptions,
      ],
      examples: [
        "skillward provider set openai --model gpt-4o --model gpt-4o-mini",
        "skillward provider set openai --origin https://eu.api.openai.com",
      ],
      run: lazily(() => import("./commands/provider-set.ts")),
    },
    {
      name: "secret",
      about: "set or replace its secret: typed unseen, or the first line of standard input",
      arguments: [id],
      options: storeOptions,
      examples: ["skillward provider secret openai", "pass show openai | skillward provider secret openai"],
      run: lazily(() => import("./commands/provider-secret.ts")),
    },
    {
      name: "remove",
      about: "remove a provider that no configuration uses, with its secret",
      arguments: [id],
      options: storeOptions,
      examples: ["skillward provider remove openai"],
      run: lazily(() => import("./commands/provider-remove.ts")),
    },
  ],
};
