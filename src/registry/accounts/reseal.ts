import type { Finding } from "../../base/finding.ts";
import type { Keys } from "../keys.ts";
import { AccountHistory } from "./account-history.ts";
import type { Writes } from "./accounts.ts";
import type { KeyRecord, UserRecord } from "./port.ts";
import { isIntactKey, isIntactUser, sealedSeq, sealKey, sealUser, tamperedKey, tamperedUser } from "./seal.ts";

export interface Resealed {
  readonly users: number;
  readonly keys: number;
  /** Rows that were left as they are. */
  readonly findings: readonly Finding[];
}

/** Seals every row with the newest secret. Never one that somebody else wrote: that would make a forged row a true one. */
export async function resealAccounts(port: Writes, keys: Keys): Promise<Resealed> {
  const history = new AccountHistory();
  await history.followIn(port);
  const [users, apiKeys] = [await port.listUsers(), await port.listKeys()];
  const sealedUsers = users.flatMap((user) => resealedUser(keys, history, user) ?? []);
  const sealedKeys = apiKeys.flatMap((key) => resealedKey(keys, history, key) ?? []);
  for (const user of sealedUsers) await port.putUser(user);
  for (const key of sealedKeys) await port.putKey(key);
  const findings = [
    ...users.filter((user) => resealedUser(keys, history, user) === undefined).map(tamperedUser),
    ...apiKeys.filter((key) => resealedKey(keys, history, key) === undefined).map(tamperedKey),
  ];
  return { users: sealedUsers.length, keys: sealedKeys.length, findings };
}

function resealedUser(keys: Keys, history: AccountHistory, user: UserRecord): UserRecord | undefined {
  const word = history.user(user.name);
  return word && isIntactUser(keys, user, word) ? sealUser(keys, user, sealedSeq(word)) : undefined;
}

function resealedKey(keys: Keys, history: AccountHistory, key: KeyRecord): KeyRecord | undefined {
  const word = history.key(key.id);
  return word && isIntactKey(keys, key, word) ? sealKey(keys, key, sealedSeq(word)) : undefined;
}
