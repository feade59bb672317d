import { kinds } from "../../skill/manifest.ts";
import { type Command, lazily, storeOptions } from "../command/command.ts";

export const route: Command = {
  name: "route",
  about: "say which skill fits a request, and why; exit 1 when none does",
  arguments: [{ form: "<query>", about: "what somebody asks for, as they would write it" }],
  options: [
    { flags: "--explain", about: "show each link of the chain: what it found, its evidence, its time, why it stopped" },
    {
      flags: "--skills <place>",
      about: "route among the skills of a folder or a .jsonl[.gz] pool instead, without a store; repeat it for more",
      repeatable: true,
    },
    { flags: "--for <configuration>", about: "only among what routing may choose for this configuration" },
    { flags: "--kind <kind>", about: "only skills of this kind", choices: kinds },
    { flags: "--path <file>", about: "a file that the work is about; repeat it for more", repeatable: true },
    { flags: "--limit <n>", about: "at most so many matches", default: "5" },
    ...storeOptions,
  ],
  examples: [
    'skillward route "reconcile these invoices with the bank statement"',
    'skillward route "make the recipe serve ten" --skills examples/skills --explain',
    'skillward route "why is the plan different from what runs?" --path infra/main.tf --for support --json',
  ],
  run: lazily(() => import("./commands/route.ts")),
};
