import { blockKinds } from "../../../registry/decision.ts";
import type { CommandGroup } from "../command.ts";
import { storeOptions } from "./options.ts";

const target = [
  { form: "<kind>", about: "what it is", choices: blockKinds },
  { form: "<value>", about: "its digest, id or number" },
];

export const block: CommandGroup = {
  name: "block",
  about: "what may not be used, whatever was approved: add, list, lift",
  commands: [
    {
      name: "add",
      about: "put something on the block list; it goes out of use at once, in every source",
      arguments: target,
      options: [{ flags: "--reason <text>", about: "why", required: true }, ...storeOptions],
      examples: [
        'skillward block add entry house:brand-voice --reason "leaks addresses"',
        'skillward block add source house --reason "the folder was shared"',
      ],
      load: () => import("../commands/block/add.ts"),
    },
    {
      name: "list",
      about: "what is on the block list, by whom and why",
      arguments: [],
      options: storeOptions,
      examples: ["skillward block list"],
      load: () => import("../commands/block/list.ts"),
    },
    {
      name: "lift",
      about: "take something off the block list; what was approved may be used again",
      arguments: target,
      options: [{ flags: "--reason <text>", about: "why", required: true }, ...storeOptions],
      examples: ['skillward block lift entry house:brand-voice --reason "fixed"'],
      load: () => import("../commands/block/lift.ts"),
    },
  ],
};
