import { isSameText } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { parseKeyText } from "./api-keys.ts";
import type { AccountsContext, KeyRecord, Reads, UserRecord } from "./port.ts";
import { isAccountName, parseRole, type Person, type Role, weakerRole } from "./roles.ts";
import { believedKey, believedUser } from "./seal.ts";

/** Who holds this key. Unknown, wrong, revoked, tampered and a user who is gone are answered alike (RV-12). */
export async function authenticate(context: AccountsContext, text: string): Promise<Person> {
  const key = await keyOf(context, text);
  const role = key === undefined ? undefined : await roleOf(context, key);
  if (key === undefined || role === undefined) throw new AppError("auth.failed", "the API key is not valid");
  return { name: key.user ?? `key:${key.name}`, role, configurations: key.configurations };
}

async function keyOf(context: AccountsContext, text: string): Promise<KeyRecord | undefined> {
  const given = parseKeyText(text);
  if (given === undefined) return undefined;
  const key = await believedKey(context, context.kept.read, given.id);
  const holds = key !== undefined && isSameText(key.hash, given.hash);
  return holds && key.revokedAt === null ? key : undefined;
}

/** Never above what its user may now; undefined when that user may nothing any more. */
async function roleOf(context: AccountsContext, key: KeyRecord): Promise<Role | undefined> {
  const role = parseRole(key.role);
  if (key.user === null || role === undefined) return role;
  const user = await enabledUser(context, context.kept.read, key.user);
  return user && weakerRole(role, user.role);
}

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
