import type { EntryId } from "../../core/ids.ts";
import { pages } from "../../core/kept.ts";
import type { Clock, Files } from "../../core/world.ts";
import type { Source, SyncBounds } from "../../sources/schema.ts";
import type { ReviewPolicy } from "../decide.ts";
import type { Entry } from "../entry.ts";
import type { Guarded } from "../guard.ts";
import type { Keys } from "../keys.ts";
import type { RegistryReads, RegistryWrites } from "../port.ts";
import type { Registry } from "../registry.ts";
import type { Holders } from "./lock.ts";
import type { RemoteContext } from "./remote.ts";

/** Who is syncing a source (IN-15). */
export interface SyncLock {
  readonly source: string;
  /** Grows with every holder: what an older one still wants to write is refused by it. */
  readonly token: number;
  readonly holder: string;
  readonly takenAt: number;
  readonly beatAt: number;
}

/** Where the bytes of an entry came from, as it is kept. */
export interface ProvenanceRow {
  readonly entry: EntryId;
  readonly record: string;
}

/** A ciphertext that opens for what it was made for alone (T40). */
export interface SecretRow {
  readonly name: string;
  readonly secret: string;
}

export interface SyncReads {
  findSource(id: string): Promise<Source | undefined>;
  /** By id. */
  listSources(): Promise<readonly Source[]>;
  findLock(source: string): Promise<SyncLock | undefined>;
  /** The record, as it was put. */
  provenanceOf(entry: EntryId): Promise<string | undefined>;
  /** Of one source, by entry; `after` is the last entry of the page before, "" for the first. */
  listProvenance(source: string, page: { after: EntryId; limit: number }): Promise<readonly ProvenanceRow[]>;
  findSecret(name: string): Promise<string | undefined>;
  /** By name. */
  listSecrets(): Promise<readonly SecretRow[]>;
}

export interface SyncWrites extends SyncReads {
  /** Adds or replaces. */
  putSource(source: Source): Promise<void>;
  /** The source alone: its entries stay (IN-21), and its lock, so that tokens never repeat. */
  deleteSource(id: string): Promise<void>;
  /** Adds or replaces. A released lock keeps its row, with an empty holder. */
  putLock(lock: SyncLock): Promise<void>;
  /** Adds or replaces; of two for one entry the last counts. */
  putProvenance(rows: readonly ProvenanceRow[]): Promise<void>;
  deleteProvenance(entries: readonly EntryId[]): Promise<void>;
  /** Adds or replaces. */
  putSecret(name: string, secret: string): Promise<void>;
  deleteSecret(name: string): Promise<void>;
  /**
   * Hands out one enabled source that is due, the longest first, after its next time was written (IN-24): whoever comes
   * later gets another one. Undefined: none is due.
   */
  claimDue(now: number, next: (source: Source) => number | null): Promise<Source | undefined>;
}

/** What the flows of this room work with. */
export interface SyncContext {
  readonly kept: Guarded<RegistryReads & SyncReads, RegistryWrites & SyncWrites>;
  readonly registry: Registry;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly files: Files;
  readonly holders: Holders;
  readonly policy: ReviewPolicy;
  /** For sources that have none of their own. */
  readonly bounds: SyncBounds;
  readonly remote: RemoteContext;
}

/** All of one source, by id. */
export async function entriesOf(port: RegistryReads, source: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const read = (after: string) => port.listEntries({ source, after, limit: 5000 });
  for await (const some of pages(read, "", ({ id }) => id)) for (const entry of some) entries.push(entry);
  return entries;
}
