import { roles } from "../../../registry/accounts/roles.ts";
import type { CommandGroup } from "../command.ts";
import { storeOptions } from "./options.ts";

const name = { form: "<name>", about: "the user's name" };
const role = "reader sees, operator configures, reviewer decides (once switched on), admin does all";

const passwords = [
  { flags: "--password-stdin", about: "the password is the first line of standard input" },
  { flags: "--generate", about: "make a password and show it once" },
];

export const user: CommandGroup = {
  name: "user",
  about: "people who sign in: add, list, role, reset, disable, enable, remove",
  commands: [
    {
      name: "add",
      about: "add a user; the password is asked for, unseen",
      arguments: [{ form: "<name>", about: "a new name: lowercase letters, digits, dots, hyphens, underscores" }],
      options: [
        { flags: "--role <role>", about: role, choices: roles, required: true },
        ...passwords,
        {
          flags: "--without-password",
          about: "for somebody who signs in elsewhere: through OpenID Connect, or a proxy",
        },
        ...storeOptions,
      ],
      examples: [
        "skillward user add anna --role admin",
        "skillward user add ben --role reviewer --generate",
        "skillward user add cleo --role reader --without-password",
      ],
      load: () => import("../commands/user/add.ts"),
    },
    {
      name: "list",
      about: "the users, with their role and whether they may sign in",
      arguments: [],
      options: storeOptions,
      examples: ["skillward user list", "skillward user list --json"],
      load: () => import("../commands/user/list.ts"),
    },
    {
      name: "role",
      about: "give a user another role",
      arguments: [name, { form: "<role>", about: role, choices: roles }],
      options: storeOptions,
      examples: ["skillward user role ben operator"],
      load: () => import("../commands/user/role.ts"),
    },
    {
      name: "reset",
      about: "give a user a new password; it is asked for, unseen",
      arguments: [name],
      options: [...passwords, ...storeOptions],
      examples: ["skillward user reset anna", "skillward user reset anna --generate"],
      load: () => import("../commands/user/reset.ts"),
    },
    {
      name: "disable",
      about: "let a user sign in no more, nor their keys",
      arguments: [name],
      options: storeOptions,
      examples: ["skillward user disable ben"],
      load: () => import("../commands/user/disable.ts"),
    },
    {
      name: "enable",
      about: "let a user and their keys in again",
      arguments: [name],
      options: storeOptions,
      examples: ["skillward user enable ben"],
      load: () => import("../commands/user/enable.ts"),
    },
    {
      name: "remove",
      about: "remove a user and revoke their keys; what they decided stays",
      arguments: [name],
      options: storeOptions,
      examples: ["skillward user remove ben"],
      load: () => import("../commands/user/remove.ts"),
    },
  ],
};
