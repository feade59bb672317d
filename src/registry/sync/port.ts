import type { Source } from "../../ingest/source/source.ts";

/** Who is syncing a source (IN-15). */
export interface SyncLock {
  readonly source: string;
  /** Grows with every holder: what an older one still wants to write is refused by it. */
  readonly token: number;
  readonly holder: string;
  readonly takenAt: number;
  readonly beatAt: number;
}

export interface SyncReads {
  findSource(id: string): Promise<Source | undefined>;
  /** By id. */
  listSources(): Promise<readonly Source[]>;
  findLock(source: string): Promise<SyncLock | undefined>;
}

export interface SyncWrites extends SyncReads {
  /** Adds or replaces. */
  putSource(source: Source): Promise<void>;
  /** The source alone: its entries stay (IN-21), and its lock, so that tokens never repeat. */
  deleteSource(id: string): Promise<void>;
  /** Adds or replaces. A released lock keeps its row, with an empty holder. */
  putLock(lock: SyncLock): Promise<void>;
}
