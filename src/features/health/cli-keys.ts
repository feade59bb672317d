import { type CommandGroup, lazily, lookOptions, storeOptions } from "../command/command.ts";

export const keys: CommandGroup = {
  name: "keys",
  about: "the key file that signs decisions and locks secrets (API keys are `skillward key`): show, rotate",
  commands: [
    {
      name: "show",
      about: "which key file it is and which keys it has; never a secret",
      arguments: [],
      options: lookOptions,
      examples: ["skillward keys show"],
      run: lazily(() => import("./commands/keys-show.ts")),
    },
    {
      name: "rotate",
      about: "sign and lock with new keys from now on; what the old ones signed stays valid",
      arguments: [],
      options: storeOptions,
      examples: ["skillward keys rotate"],
      run: lazily(() => import("./commands/keys-rotate.ts")),
    },
  ],
};
