import type { Digest } from "../core/digest.ts";
import type { EntryId } from "../core/ids.ts";
import type { AuditReads, AuditWrites } from "./audit/audit.ts";
import type { Entry } from "./entry.ts";
import type { InjectionRow } from "./usage/injection.ts";
import type { InquiryReads } from "./inquiry.ts";
import type { LedgerRow } from "./ledger/ledger.ts";
import type { RevisionRow } from "./revision.ts";
import type { UsageBatch, UsageRecord } from "./usage/usage.ts";
import type { InjectionRecord } from "./schema.ts";

/** A revision an entry has had, as its history shows it. */
interface KeptRevision {
  readonly digest: Digest;
  readonly commit: string | null;
  /** When this entry first had it. */
  readonly seenAt: number;
}

/** What tells a store from every other one, and whether a key file is its own. */
export interface StoreIdentity {
  readonly id: string;
  readonly seal: string;
}

/** What the registry reads. Lists come in pages: `after` is the last key of the page before, "" or 0 for the first. */
export interface RegistryReads extends AuditReads, InquiryReads {
  /** Made once, with the store; undefined until then. */
  storeIdentity(): Promise<StoreIdentity | undefined>;
  generation(): Promise<number>;

  findEntry(id: EntryId): Promise<Entry | undefined>;
  /** By id, in code point order. */
  listEntries(page: { source?: string; after: EntryId; limit: number }): Promise<readonly Entry[]>;
  /** Entries whose row was written after a generation, by id. */
  entriesSince(generation: number, page: { after: EntryId; limit: number }): Promise<readonly Entry[]>;

  /** In the order they arrived. */
  ledgerAfter(place: number, limit: number): Promise<readonly LedgerRow[]>;
  /** The rows with the highest `seq`, the highest first. */
  ledgerTop(limit: number): Promise<readonly LedgerRow[]>;
  ledgerOf(subject: string): Promise<readonly LedgerRow[]>;
  /** The rows about any of the subjects, in no order. */
  ledgerOfAll(subjects: readonly string[]): Promise<readonly LedgerRow[]>;

  /** Those of the digests that are kept, in no order. */
  findRevisions(digests: readonly Digest[]): Promise<readonly RevisionRow[]>;
  findBlobs(digests: readonly Digest[]): Promise<ReadonlyMap<Digest, Uint8Array>>;
  /** The newest first. */
  revisionsOf(entry: EntryId): Promise<readonly KeptRevision[]>;
  /** When each entry first had the revision that is asked for; those that never had it are not in it. */
  firstSeen(wanted: ReadonlyMap<EntryId, Digest>): Promise<ReadonlyMap<EntryId, number>>;
  entriesWith(digest: Digest): Promise<readonly EntryId[]>;

  usageBatches(page: { after: string; limit: number }): Promise<readonly UsageBatch[]>;
  usageIn(batch: string): Promise<readonly UsageRecord[]>;
  /** Where a digest was used, the latest first (RV-8). */
  usageOf(digest: Digest, limit: number): Promise<readonly UsageRecord[]>;
  /** As they are kept, in the order they were made. */
  injectionsIn(batch: string): Promise<readonly InjectionRow[]>;
  /** What a request was given (CO-16); undefined also for a row that was changed by hand and is none any more. */
  findInjection(id: string): Promise<InjectionRecord | undefined>;
}

export interface RegistryWrites extends RegistryReads, AuditWrites {
  setStoreIdentity(identity: StoreIdentity): Promise<void>;
  /** Adds or replaces; the row carries the generation that this transaction makes. */
  putEntries(entries: readonly Entry[]): Promise<void>;
  appendLedger(row: Omit<LedgerRow, "place">): Promise<void>;
  /** Whole bundles only. The digest was computed from these very bytes: writing over what is there can only heal it. */
  putRevisions(revisions: readonly RevisionRow[], blobs: ReadonlyMap<Digest, Uint8Array>): Promise<void>;
  /** Adds to the history of entries; a revision that an entry has had before keeps its place there. */
  insertKept(kept: readonly (KeptRevision & { readonly entry: EntryId })[]): Promise<void>;
  /** False, and nothing written, when the batch is there already. */
  insertUsage(
    batch: UsageBatch,
    records: readonly UsageRecord[],
    injections: readonly InjectionRecord[],
  ): Promise<boolean>;
  /** Takes away the records and injections of batches made before; the batches and their hashes stay. Says of how many. */
  expireUsage(before: number, at: number): Promise<number>;
}
