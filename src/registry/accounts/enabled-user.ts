import { isAccountName } from "./account-name.ts";
import type { AccountsContext, Reads } from "./accounts.ts";
import { believedUser } from "./believed.ts";
import type { UserRecord } from "./port.ts";
import { parseRole, type Role } from "./roles.ts";

/** A user who may act now. */
export interface EnabledUser extends UserRecord {
  readonly role: Role;
}

/** The user of this name; undefined alike for nobody, somebody who is disabled, and a row that was written by hand. */
export async function enabledUser(
  context: AccountsContext,
  port: Reads,
  name: string,
): Promise<EnabledUser | undefined> {
  const user = isAccountName(name) ? await believedUser(context, port, name) : undefined;
  const role = parseRole(user?.role ?? "");
  return user === undefined || role === undefined || user.disabledAt !== null ? undefined : { ...user, role };
}
