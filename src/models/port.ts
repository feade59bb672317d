import type { EntryId } from "../core/ids.ts";

export type LlmKind = "provider" | "configuration" | "task";

/** One record as it is kept. */
export interface LlmRecord {
  readonly id: string;
  /** Canonical JSON, kept as text; the room alone knows what is in it. */
  readonly record: string;
  /** A provider's secret as ciphertext, apart from its record (RV-13); null for none and for the other kinds. */
  readonly secret: string | null;
}

/** What carries skills: `config:<id>` or `task:<id>`. */
export type TargetKey = `config:${string}` | `task:${string}`;

export interface LlmReads {
  /** An id is unique within its kind. */
  findLlmRecord(kind: LlmKind, id: string): Promise<LlmRecord | undefined>;
  /** All of a kind, ordered by the bytes of their ids. */
  listLlmRecords(kind: LlmKind): Promise<readonly LlmRecord[]>;
  /** The entries on a target, in the order they were put; empty for an unknown target. */
  listAttached(target: TargetKey): Promise<readonly EntryId[]>;
  /** The targets an entry is on, ordered by their bytes. */
  listTargetsOf(entry: EntryId): Promise<readonly TargetKey[]>;
}

export interface LlmWrites extends LlmReads {
  /** Adds a record, or replaces the one of the same kind and id as a whole, secret included. */
  putLlmRecord(kind: LlmKind, record: LlmRecord): Promise<void>;
  /** Removes a record; the room has made sure that nothing names it. */
  deleteLlmRecord(kind: LlmKind, id: string): Promise<void>;
  /** Replaces all that is attached to a target; the entry at index n gets position n. No entry comes twice. */
  putAttached(target: TargetKey, entries: readonly EntryId[]): Promise<void>;
}
