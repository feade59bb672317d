import type { Kept } from "../../base/kept.ts";
import type { Clock, Randomness } from "../../base/world.ts";
import type { AuditReads, AuditWrites } from "../audit.ts";
import type { Keys } from "../keys.ts";
import type { AccountReads, AccountWrites } from "./port.ts";
import type { AccountPolicy } from "./roles.ts";

/** What everything about users and keys stands on. */
export interface AccountsContext {
  readonly kept: Kept<AccountReads & AuditReads, AccountWrites & AuditWrites>;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly policy: AccountPolicy;
}
