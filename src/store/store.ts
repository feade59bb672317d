import type { Kept } from "../base/kept.ts";
import type { AccountReads, AccountWrites } from "../registry/accounts/port.ts";
import type { RegistryReads, RegistryWrites } from "../registry/port.ts";
import type { SyncReads, SyncWrites } from "../registry/sync/port.ts";
import type { LlmReads, LlmWrites } from "../use/llm/port.ts";
import type { RouteReads, RouteWrites } from "../use/route/port.ts";
import type { Db } from "./queries.ts";
import { accountTables } from "./tables/accounts.ts";
import { auditTables } from "./tables/audit.ts";
import { inquiryTables } from "./tables/inquiry.ts";
import { llmTables } from "./tables/llm.ts";
import { registryTables } from "./tables/registry.ts";
import { routeTables } from "./tables/route.ts";
import { syncTables } from "./tables/sync.ts";
import { usageTables } from "./tables/usage.ts";

/** Every room's port. */
export interface StoreReads extends RegistryReads, SyncReads, AccountReads, LlmReads, RouteReads {}
export interface StoreWrites extends StoreReads, RegistryWrites, SyncWrites, AccountWrites, LlmWrites, RouteWrites {}

/** All that is kept, on one engine (RV-11). */
export interface Store extends Kept<StoreReads, StoreWrites> {
  /** Says when there is a new generation, whoever made it (RV-10); until it is closed. */
  watch(onGeneration: (generation: number) => void): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

/** What an engine does when a transaction makes a new generation, besides counting it. */
export type Announce = (db: Db) => Promise<void>;

/** What one engine does and another need not. */
interface EngineWays {
  readonly announce: Announce;
  /** Whether rows can be locked one by one, and those of others passed over. */
  readonly locksRows: boolean;
}

/** All ports on one connection or transaction. */
export function createTables(db: Db, { announce, locksRows }: EngineWays): StoreWrites {
  return {
    ...auditTables(db, announce),
    ...registryTables(db),
    ...usageTables(db),
    ...inquiryTables(db),
    ...syncTables(db, locksRows),
    ...accountTables(db),
    ...llmTables(db),
    ...routeTables(db),
  };
}
