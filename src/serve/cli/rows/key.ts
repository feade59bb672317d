import { roles } from "../../../registry/accounts/roles.ts";
import type { CommandGroup } from "../command.ts";
import { storeOptions } from "./options.ts";

export const key: CommandGroup = {
  name: "key",
  about: "API keys: add, list, revoke",
  commands: [
    {
      name: "add",
      about: "make an API key; it is shown once and kept nowhere",
      arguments: [{ form: "<name>", about: "what it is for: lowercase letters, digits, dots, hyphens, underscores" }],
      options: [
        { flags: "--role <role>", about: "the most it may do", choices: roles, required: true },
        { flags: "--user <name>", about: "whose key it is; it never may more than they do" },
        {
          flags: "--configuration <id>",
          about: "limit it to this configuration (operator or reader only); repeat it for more",
          repeatable: true,
        },
        ...storeOptions,
      ],
      examples: [
        "skillward key add ci --role reader",
        "skillward key add shop --role operator --configuration support --configuration sales",
      ],
      load: () => import("../commands/key/add.ts"),
    },
    {
      name: "list",
      about: "the keys, revoked ones too; never their text",
      arguments: [],
      options: storeOptions,
      examples: ["skillward key list", "skillward key list --json"],
      load: () => import("../commands/key/list.ts"),
    },
    {
      name: "revoke",
      about: "let a key in no more, for good",
      arguments: [{ form: "<key>", about: "its id, or its name while it is active" }],
      options: storeOptions,
      examples: ["skillward key revoke ci", "skillward key revoke 3f9c02d1a4b5e687"],
      load: () => import("../commands/key/revoke.ts"),
    },
  ],
};
