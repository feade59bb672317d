import type { AccountsContext } from "../registry/accounts/accounts.ts";
import type { Role } from "../registry/accounts/roles.ts";
import { sealUser } from "../registry/accounts/seal.ts";
import { createKeyFile } from "../registry/key-file.ts";
import { loadKeys } from "../registry/keys.ts";
import { type FixedClock, fixedClock } from "./fixed-clock.ts";
import { memoryAccounts } from "./memory-accounts.ts";
import { seededRandomness } from "./seeded-randomness.ts";

type Accounts = AccountsContext & { readonly kept: ReturnType<typeof memoryAccounts>; readonly clock: FixedClock };

/** Accounts in memory at the time 1000, with these users, whose encoded password is `password`. */
export function accountsWith(users: Readonly<Record<string, Role>>, password = ""): Accounts {
  const [kept, clock, random] = [memoryAccounts(), fixedClock(1000), seededRandomness()];
  const keys = loadKeys(createKeyFile(random));
  for (const [name, role] of Object.entries(users))
    kept.rows.users.set(name, sealUser(keys, { name, role, password, createdAt: 1000, disabledAt: null }));
  return { kept, keys, clock, random, policy: { reviewers: false } };
}
