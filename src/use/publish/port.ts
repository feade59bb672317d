import type { EntryId } from "../../base/ids.ts";

/** That an entry is switched on for publishing (SV-6), as it is kept. */
export interface PublishedRow {
  readonly entry: EntryId;
  readonly at: number;
  readonly by: string;
  readonly seal: string;
}

export interface PublishedReads {
  /** All of them, ordered by the bytes of their entries. */
  listPublished(): Promise<readonly PublishedRow[]>;
  findPublished(entry: EntryId): Promise<PublishedRow | undefined>;
}

export interface PublishedWrites extends PublishedReads {
  /** Adds or replaces. */
  putPublished(row: PublishedRow): Promise<void>;
  deletePublished(entry: EntryId): Promise<void>;
}
