import { AppError } from "../../base/error.ts";
import { isAccountName } from "./account-name.ts";
import type { AccountsContext } from "./accounts.ts";
import { verifyPassword } from "./password.ts";
import type { UserRecord } from "./port.ts";
import { parseRole, type Person } from "./roles.ts";
import { isIntactUser } from "./seal.ts";

/** T38: unknown, wrong, disabled and tampered are answered alike, after the same work. */
export async function signIn(context: AccountsContext, name: string, password: string): Promise<Person> {
  const user = await enabledUser(context, name);
  const matches = await verifyPassword(password, user?.password);
  // Hashing takes its time: whoever was disabled, or got another password meanwhile, is not let in.
  const still = await enabledUser(context, name);
  const role = parseRole(still?.role ?? "");
  if (!matches || role === undefined || still?.password !== user?.password)
    throw new AppError("auth.failed", "the name or the password is wrong");
  return { name, role, configurations: null };
}

async function enabledUser({ kept, keys }: AccountsContext, name: string): Promise<UserRecord | undefined> {
  const user = isAccountName(name) ? await kept.read.findUser(name) : undefined;
  return user !== undefined && user.disabledAt === null && isIntactUser(keys, user) ? user : undefined;
}
