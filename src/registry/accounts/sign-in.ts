import { AppError } from "../../base/error.ts";
import type { AccountsContext } from "./accounts.ts";
import { type EnabledUser, enabledUser } from "./enabled-user.ts";
import { verifyPassword } from "./password.ts";
import type { Person } from "./roles.ts";

/** T38: unknown, wrong, disabled and tampered are answered alike, after the same work. */
export async function signIn(context: AccountsContext, name: string, password: string): Promise<Person> {
  return personOf(await verifiedUser(context, name, password));
}

/** The user whose password this is, as they are kept now. */
export async function verifiedUser(context: AccountsContext, name: string, password: string): Promise<EnabledUser> {
  const { read } = context.kept;
  const user = await enabledUser(context, read, name);
  const matches = await verifyPassword(password, user?.password);
  // Hashing takes its time: whoever was disabled, or got another password meanwhile, is not let in.
  const still = await enabledUser(context, read, name);
  if (!matches || still === undefined || still.password !== user?.password) throw wrongPassword();
  return still;
}

export function wrongPassword(): AppError {
  return new AppError("auth.failed", "the name or the password is wrong");
}

export function personOf({ name, role }: EnabledUser): Person {
  return { name, role, configurations: null };
}
