import type { Kept } from "../../base/kept.ts";
import type { Clock, Randomness } from "../../base/world.ts";
import type { AuditReads, AuditWrites } from "../audit.ts";
import type { InquiryReads } from "../inquiry.ts";
import type { Keys } from "../keys.ts";
import type { AccountHistory } from "./account-history.ts";
import type { AccountReads, AccountWrites } from "./port.ts";
import type { AccountPolicy } from "./roles.ts";

export type Reads = AccountReads & AuditReads & Pick<InquiryReads, "findAudit">;
export type Writes = Reads & AccountWrites & AuditWrites;

/** What everything about users and keys stands on. */
export interface AccountsContext {
  readonly kept: Kept<Reads, Writes>;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly policy: AccountPolicy;
  /** What the audit chain says of them, as far as this process has followed it. */
  readonly history: AccountHistory;
}
