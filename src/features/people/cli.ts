import { safeLine } from "../../core/text.ts";
import { roles } from "../../registry/accounts/roles.ts";
import { listOption, textOption } from "../command/call.ts";
import { type CommandGroup, exit, type Run, storeOptions } from "../command/command.ts";
import { hint, show } from "../command/render.ts";
import { withApp } from "../command/with-app.ts";
import { hintAtReviewers, renderKey, renderKeys, renderNewKey, renderUser, renderUsers } from "./render.ts";

const userName = { form: "<name>", about: "the user's name" };
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
      run: withApp(async (app, call, output) => {
        const [{ userFlow }, { choosePassword }] = await Promise.all([loadUsers(), import("./choose-password.ts")]);
        const wanted = { name: call.args[0] ?? "", role: textOption(call, "role") ?? "" };
        const {
          user: added,
          chosen: { shown },
        } = await userFlow.add(app, wanted, (name) => choosePassword(call, name, app.accounts.random, output.keyboard));
        show(output, call, { ...added, ...shown }, () => renderUser(added, shown, output.style));
        hint(
          output,
          call,
          `Next, a key for their programs: skillward key add <name> --role ${added.role} --user ${added.name}`,
        );
        hintAtReviewers(app, added.role, call, output);
        return exit.fine;
      }),
    },
    {
      name: "list",
      about: "the users, with their role and whether they may sign in",
      arguments: [],
      options: storeOptions,
      examples: ["skillward user list", "skillward user list --json"],
      run: withApp(async (app, call, output) => {
        const { userFlow } = await loadUsers();
        const listed = await userFlow.list(app);
        show(output, call, listed, () => renderUsers(listed, output.style));
        return listed.findings.length === 0 ? exit.fine : exit.findings;
      }),
    },
    {
      name: "role",
      about: "give a user another role",
      arguments: [userName, { form: "<role>", about: role, choices: roles }],
      options: storeOptions,
      examples: ["skillward user role ben operator"],
      run: withApp(async (app, call, output) => {
        const { userFlow } = await loadUsers();
        const changed = await userFlow.setRole(app, call.args[0] ?? "", call.args[1] ?? "");
        show(output, call, changed, () => renderUser(changed, {}, output.style));
        hintAtReviewers(app, changed.role, call, output);
        return exit.fine;
      }),
    },
    {
      name: "reset",
      about: "give a user a new password; it is asked for, unseen",
      arguments: [userName],
      options: [...passwords, ...storeOptions],
      examples: ["skillward user reset anna", "skillward user reset anna --generate"],
      run: withApp(async (app, call, output) => {
        const [{ userFlow }, { choosePassword }] = await Promise.all([loadUsers(), import("./choose-password.ts")]);
        const {
          user: changed,
          chosen: { shown },
        } = await userFlow.reset(app, call.args[0] ?? "", (name) =>
          choosePassword(call, name, app.accounts.random, output.keyboard),
        );
        show(output, call, { ...changed, ...shown }, () =>
          [`Replaced the password of ${changed.name}.`, "", renderUser(changed, shown, output.style)].join("\n"),
        );
        return exit.fine;
      }),
    },
    {
      name: "disable",
      about: "let a user sign in no more, nor their keys",
      arguments: [userName],
      options: storeOptions,
      examples: ["skillward user disable ben"],
      run: switchUser("disable"),
    },
    {
      name: "enable",
      about: "let a user and their keys in again",
      arguments: [userName],
      options: storeOptions,
      examples: ["skillward user enable ben"],
      run: switchUser("enable"),
    },
    {
      name: "remove",
      about: "remove a user and revoke their keys; what they decided stays",
      arguments: [userName],
      options: storeOptions,
      examples: ["skillward user remove ben"],
      run: withApp(async (app, call, output) => {
        const { userFlow } = await loadUsers();
        const [name = ""] = call.args;
        await userFlow.remove(app, name);
        show(output, call, { removed: name }, () => `Removed user ${safeLine(name, 64)} and revoked their keys`);
        return exit.fine;
      }),
    },
  ],
};

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
      run: withApp(async (app, call, output) => {
        const { addApiKey } = await import("./flow.ts");
        const { record, text } = await addApiKey(app, {
          name: call.args[0] ?? "",
          role: textOption(call, "role") ?? "",
          user: textOption(call, "user"),
          configurations: listOption(call, "configuration"),
        });
        show(output, call, { ...record, key: text }, () => renderNewKey(record, text, output.style));
        hintAtReviewers(app, record.role, call, output);
        return exit.fine;
      }),
    },
    {
      name: "list",
      about: "the keys, revoked ones too; never their text",
      arguments: [],
      options: storeOptions,
      examples: ["skillward key list", "skillward key list --json"],
      run: withApp(async (app, call, output) => {
        const { listApiKeys } = await import("./flow.ts");
        const listed = await listApiKeys(app);
        show(output, call, listed, () => renderKeys(listed, output.style));
        return listed.findings.length === 0 ? exit.fine : exit.findings;
      }),
    },
    {
      name: "revoke",
      about: "let a key in no more, for good",
      arguments: [{ form: "<key>", about: "its id, or its name while it is active" }],
      options: storeOptions,
      examples: ["skillward key revoke ci", "skillward key revoke 3f9c02d1a4b5e687"],
      run: withApp(async (app, call, output) => {
        const { revokeApiKey } = await import("./flow.ts");
        const revoked = await revokeApiKey(app, call.args[0] ?? "");
        show(output, call, revoked, () => `${renderKey(revoked, output.style)}\n\nThe key works no more.`);
        return exit.fine;
      }),
    },
  ],
};

function loadUsers() {
  return import("./flow-user.ts");
}

function switchUser(how: "enable" | "disable"): Run {
  return withApp(async (app, call, output) => {
    const { userFlow } = await loadUsers();
    const switched = await userFlow[how](app, call.args[0] ?? "");
    show(output, call, switched, () => renderUser(switched, {}, output.style));
    return exit.fine;
  });
}
