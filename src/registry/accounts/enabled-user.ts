import type { Keys } from "../keys.ts";
import { isAccountName } from "./account-name.ts";
import type { AccountReads, UserRecord } from "./port.ts";
import { parseRole, type Role } from "./roles.ts";
import { isIntactUser } from "./seal.ts";

/** A user who may act now. */
export interface EnabledUser extends UserRecord {
  readonly role: Role;
}

/** The user of this name; undefined alike for nobody, somebody who is disabled, and a row that was written by hand. */
export async function enabledUser(keys: Keys, port: AccountReads, name: string): Promise<EnabledUser | undefined> {
  const user = isAccountName(name) ? await port.findUser(name) : undefined;
  const role = parseRole(user?.role ?? "");
  if (user === undefined || role === undefined || user.disabledAt !== null || !isIntactUser(keys, user))
    return undefined;
  return { ...user, role };
}
