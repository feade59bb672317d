import { sha256 } from "../core/digest.ts";
import { AccountHistory, named } from "../registry/accounts/account-history.ts";
import type { AccountsContext, SessionRecord, UserRecord } from "../registry/accounts/port.ts";
import type { Role } from "../registry/accounts/roles.ts";
import { sealUser } from "../registry/accounts/seal.ts";
import { createKeyFile } from "../registry/key-file.ts";
import { loadKeys } from "../registry/keys.ts";
import { type FixedClock, fixedClock } from "./fixed-clock.ts";
import { memoryAccounts } from "./memory-accounts.ts";
import { seededRandomness } from "./seeded-randomness.ts";

export type Accounts = AccountsContext & {
  readonly kept: ReturnType<typeof memoryAccounts>;
  readonly clock: FixedClock;
};

/** Accounts in memory at the time 1000, with these users, whose encoded password is `password`. */
export function accountsWith(users: Readonly<Record<string, Role>>, password = ""): Accounts {
  const [kept, clock, random] = [memoryAccounts(), fixedClock(1000), seededRandomness()];
  const keys = loadKeys(createKeyFile(random));
  const accounts = { kept, keys, clock, random, policy: { reviewers: false }, history: new AccountHistory() };
  for (const [name, role] of Object.entries(users))
    leaveUser(accounts, { name, role, password, createdAt: 1000, disabledAt: null });
  return accounts;
}

/** Rows that must be there. */
export function userRow({ kept }: Accounts, name: string): UserRecord {
  const user = kept.rows.users.get(name);
  if (user === undefined) throw new Error(`no row of ${name}`);
  return user;
}

export function sessionRow({ kept }: Accounts, secret: string): SessionRecord {
  const session = kept.rows.sessions.get(sha256(Buffer.from(secret)));
  if (session === undefined) throw new Error("no row of this session");
  return session;
}

/** The row of a user as somebody with the right to has left it, with the record of that. */
export function leaveUser({ kept: { rows }, keys }: Accounts, user: Omit<UserRecord, "seal">): void {
  const { name, role, createdAt: at } = user;
  const record = { seq: rows.audit.length + 1, at, by: "root", act: "user.added", subject: name, prev: "", hash: "" };
  rows.audit.push({ ...record, details: JSON.stringify({ role, ...named }) });
  rows.users.set(name, sealUser(keys, user, record.seq));
}
