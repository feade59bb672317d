import type { Finding } from "../../base/finding.ts";
import type { Keys } from "../keys.ts";
import type { AccountWrites } from "./port.ts";
import { isIntactKey, isIntactUser, sealKey, sealUser, tamperedKey, tamperedUser } from "./seal.ts";

export interface Resealed {
  readonly users: number;
  readonly keys: number;
  /** Rows that were left as they are. */
  readonly findings: readonly Finding[];
}

/** Seals every row with the newest secret. Never one that somebody else wrote: that would make a forged row a true one. */
export async function resealAccounts(port: AccountWrites, keys: Keys): Promise<Resealed> {
  const [users, apiKeys] = [await port.listUsers(), await port.listKeys()];
  const intactUsers = users.filter((user) => isIntactUser(keys, user));
  const intactKeys = apiKeys.filter((key) => isIntactKey(keys, key));
  for (const user of intactUsers) await port.putUser(sealUser(keys, user));
  for (const key of intactKeys) await port.putKey(sealKey(keys, key));
  const findings = [
    ...users.filter((user) => !intactUsers.includes(user)).map(tamperedUser),
    ...apiKeys.filter((key) => !intactKeys.includes(key)).map(tamperedKey),
  ];
  return { users: intactUsers.length, keys: intactKeys.length, findings };
}
