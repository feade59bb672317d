import { withLlm } from "./with-llm.ts";
import { protocols } from "../../models/protocols.ts";
import { demandChange, listOption, textOption } from "../command/call.ts";
import { type CommandGroup, exit, storeOptions } from "../command/command.ts";
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
      run: withLlm("administer", async (llm, call, output) => {
        const [{ demandProviders }, { addProvider }, { askSecret }] = await Promise.all([
          import("../../models/context.ts"),
          loadProviders(),
          import("../command/ask-secret.ts"),
        ]);
        const [id = ""] = call.args;
        const typed = {
          protocol: textOption(call, "protocol"),
          origin: textOption(call, "origin"),
          models: listOption(call, "model"),
        };
        // Nobody is asked for a secret that is then refused.
        demandProviders(llm);
        const isSecretTyped = call.options["secretStdin"] === true;
        const secret = isSecretTyped ? await askSecret(`Secret of ${id}: `, output.keyboard) : null;
        const added = await addProvider(llm, id, typed, secret);
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
      run: withLlm("administer", async (llm, call, output) => {
        const { listProviders } = await loadProviders();
        const providers = await listProviders(llm);
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
      run: withLlm("administer", async (llm, call, output) => {
        const { showProvider } = await loadProviders();
        const shown = await showProvider(llm, call.args[0] ?? "");
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
      run: withLlm("administer", async (llm, call, output) => {
        const { changeProvider } = await loadProviders();
        const typed = { origin: textOption(call, "origin"), models: listOption(call, "model") };
        demandChange(typed, "provider set");
        const changed = await changeProvider(llm, call.args[0] ?? "", typed);
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
      run: withLlm("administer", async (llm, call, output) => {
        const [{ demandSecretNeeded, setProviderSecret, showProvider }, { askSecret }] = await Promise.all([
          loadProviders(),
          import("../command/ask-secret.ts"),
        ]);
        const [id = ""] = call.args;
        // Before the question: whoever may not answer it is not asked, and whoever may sees where the secret will go.
        const asked = await showProvider(llm, id);
        demandSecretNeeded(asked);
        const secret = await askSecret(`Secret of ${id}, for ${asked.origin}: `, output.keyboard);
        const changed = await setProviderSecret(llm, id, secret);
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
      run: withLlm("administer", async (llm, call, output) => {
        const { removeProvider } = await loadProviders();
        const [id = ""] = call.args;
        await removeProvider(llm, id);
        show(output, call, { removed: id }, () => `Removed provider ${id}, with its secret`);
        return exit.fine;
      }),
    },
  ],
};

const loadProviders = () => import("../../models/providers.ts");
