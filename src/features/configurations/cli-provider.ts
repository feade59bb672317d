import { protocols } from "../../models/protocols.ts";
import { demandChange, listOption, textOption } from "../command/call.ts";
import { type CommandGroup, exit, storeOptions } from "../command/command.ts";
import { withApp } from "../command/with-app.ts";
import { hint, show } from "../command/render.ts";
import { renderChangedProvider, renderProvider, renderProviders, secretOf } from "./render.ts";

const idArgument = { form: "<id>", about: "the provider's id" };
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
      run: withApp(async (app, call, output) => {
        const [{ providerFlow }, { askSecret }] = await Promise.all([loadFlow(), import("../command/ask-secret.ts")]);
        const [id = ""] = call.args;
        const typed = {
          protocol: textOption(call, "protocol"),
          origin: textOption(call, "origin"),
          models: listOption(call, "model"),
        };
        const isSecretTyped = call.options["secretStdin"] === true;
        const added = await providerFlow.add(app, id, typed, async () =>
          isSecretTyped ? askSecret(`Secret of ${id}: `, output.keyboard) : null,
        );
        show(output, call, added, () => renderProvider(added, output.style));
        if (secretOf(added) === "none") hint(output, call, `Next, set its secret: skillward provider secret ${id}`);
        else hint(output, call, `Next: skillward config add <id> --provider ${id} --model <name>`);
        return exit.fine;
      }),
    },
    {
      name: "list",
      about: "the providers; a secret is never shown, only whether there is one",
      arguments: [],
      options: storeOptions,
      examples: ["skillward provider list", "skillward provider list --json"],
      run: withApp(async (app, call, output) => {
        const { providerFlow } = await loadFlow();
        const providers = await providerFlow.list(app);
        show(output, call, providers, () => renderProviders(providers, output.style));
        return exit.fine;
      }),
    },
    {
      name: "show",
      about: "one provider",
      arguments: [idArgument],
      options: storeOptions,
      examples: ["skillward provider show openai"],
      run: withApp(async (app, call, output) => {
        const { providerFlow } = await loadFlow();
        const shown = await providerFlow.show(app, call.args[0] ?? "");
        show(output, call, shown, () => renderProvider(shown, output.style));
        return exit.fine;
      }),
    },
    {
      name: "set",
      about: "change a provider; another origin discards its secret",
      arguments: [idArgument],
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
      run: withApp(async (app, call, output) => {
        const { providerFlow } = await loadFlow();
        const typed = { origin: textOption(call, "origin"), models: listOption(call, "model") };
        demandChange(typed, "provider set");
        const changed = await providerFlow.change(app, call.args[0] ?? "", typed);
        show(output, call, changed, () => renderChangedProvider(changed, output.style));
        return exit.fine;
      }),
    },
    {
      name: "secret",
      about: "set or replace its secret: typed unseen, or the first line of standard input",
      arguments: [idArgument],
      options: storeOptions,
      examples: ["skillward provider secret openai", "pass show openai | skillward provider secret openai"],
      run: withApp(async (app, call, output) => {
        const [{ providerFlow }, { askSecret }] = await Promise.all([loadFlow(), import("../command/ask-secret.ts")]);
        const [id = ""] = call.args;
        const changed = await providerFlow.setSecret(app, id, ({ origin: destination }) =>
          askSecret(`Secret of ${id}, for ${destination}: `, output.keyboard),
        );
        show(output, call, changed, () => renderProvider(changed, output.style));
        hint(output, call, "The secret is kept encrypted and never shown again.");
        return exit.fine;
      }),
    },
    {
      name: "remove",
      about: "remove a provider that no configuration uses, with its secret",
      arguments: [idArgument],
      options: storeOptions,
      examples: ["skillward provider remove openai"],
      run: withApp(async (app, call, output) => {
        const { providerFlow } = await loadFlow();
        const [id = ""] = call.args;
        await providerFlow.remove(app, id);
        show(output, call, { removed: id }, () => `Removed provider ${id}, with its secret`);
        return exit.fine;
      }),
    },
  ],
};

const loadFlow = () => import("./flow-provider.ts");
