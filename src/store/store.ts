import type { Kept } from "../core/kept.ts";
import type { AccountReads, AccountWrites } from "../registry/accounts/port.ts";
import type { RegistryReads, RegistryWrites } from "../registry/port.ts";
import type { ReaderReads, ReaderWrites } from "../registry/audit/audit.ts";
import type { SyncReads, SyncWrites } from "../registry/sync/port.ts";
import type { LlmReads, LlmWrites } from "../models/port.ts";
import type { PublishedReads, PublishedWrites } from "../workspace/workspace.ts";
import type { RouteReads, RouteWrites } from "../routing/port.ts";
import type { Db } from "./queries.ts";
import { accountTables } from "./tables/accounts.ts";
import { auditTables } from "./tables/audit.ts";
import { inquiryTables } from "./tables/inquiry.ts";
import { llmTables } from "./tables/llm.ts";
import { publishedTable } from "./tables/published.ts";
import { readerTable } from "./tables/readers.ts";
import { registryTables } from "./tables/registry.ts";
import { routeTables } from "./tables/route.ts";
import { syncTables } from "./tables/sync.ts";
import { usageTables } from "./tables/usage.ts";

/** Every room's port. */
export interface StoreReads
  extends RegistryReads,
    SyncReads,
    AccountReads,
    LlmReads,
    RouteReads,
    PublishedReads,
    ReaderReads {}
export interface StoreWrites
  extends StoreReads,
    RegistryWrites,
    SyncWrites,
    AccountWrites,
    LlmWrites,
    RouteWrites,
    PublishedWrites,
    ReaderWrites {}

/** All that is kept, on one engine (RV-11). */
export interface Store extends Kept<StoreReads, StoreWrites> {
  /**
   * The same reads for whoever has to know whether the store is there: on a connection that nothing else is asked on,
   * and waited for no longer than two seconds.
   */
  readonly pulse: StoreReads;
  /** Gives up on what waits for an answer: it fails as it does when the store is away. */
  hangUp(what: "reads" | "all"): void;
  /** Says when there is a new generation, whoever made it (RV-10); until it is closed. */
  watch(onGeneration: (generation: number) => void): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

/** A store opened for looking only: nothing that is read from it changes one byte of it. */
export interface InspectedStore {
  readonly read: StoreReads;
  /** The version of its tables. */
  readonly version: number;
  /** Its size on the disk. */
  readonly bytes: number;
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
    ...publishedTable(db),
    ...readerTable(db, locksRows),
  };
}
