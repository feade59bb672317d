import type { App } from "../../app/app.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import { parseAccountName } from "../../registry/accounts/roles.ts";
import {
  addUser,
  disableUser,
  enableUser,
  listUsers,
  removeUser,
  resetPassword,
  setRole,
  showUser,
} from "../../registry/accounts/users.ts";
import type { User } from "../../registry/schema.ts";

/** A password, and whatever else the door that asked for it wants back. */
interface ChosenPassword {
  readonly password: string;
}

/** A person is asked for a password only when it will be used: after the right and the name were checked. */
type PasswordQuestion<Chosen extends ChosenPassword> = (name: string) => Promise<Chosen>;

/** RV-12: people who sign in, for admins. Each function begins with the check of that right. */
export const userFlow = {
  add: async <Chosen extends ChosenPassword>(
    app: App,
    wanted: { readonly name: string; readonly role: string },
    askPassword: PasswordQuestion<Chosen>,
  ): Promise<{ readonly user: User; readonly chosen: Chosen }> => {
    const permit = requireRight(app, "administer");
    const name = parseAccountName(wanted.name);
    const chosen = await askPassword(name);
    return { user: await addUser(app.accounts, permit, { ...wanted, name, password: chosen.password }), chosen };
  },
  reset: async <Chosen extends ChosenPassword>(
    app: App,
    typed: string,
    askPassword: PasswordQuestion<Chosen>,
  ): Promise<{ readonly user: User; readonly chosen: Chosen }> => {
    const permit = requireRight(app, "administer");
    const { name } = await showUser(app.accounts, permit, typed);
    const chosen = await askPassword(name);
    return { user: await resetPassword(app.accounts, permit, name, chosen.password), chosen };
  },
  setRole: administered(setRole),
  disable: administered(disableUser),
  enable: administered(enableUser),
  remove: administered(removeUser),
  list: administered(listUsers),
};

function administered<Args extends readonly unknown[], Result>(
  act: (accounts: App["accounts"], permit: Permit<"administer">, ...args: Args) => Promise<Result>,
): (app: App, ...args: Args) => Promise<Result> {
  return async (app, ...args) => act(app.accounts, requireRight(app, "administer"), ...args);
}
