import type { Digest } from "../core/digest.ts";
import type { EntryId } from "../core/ids.ts";

/** The phrases that an admin has set for one entry (RT-2), as they are kept. */
export interface TriggerRow {
  readonly entry: EntryId;
  /** JSON, kept as text; the room alone knows what is in it. */
  readonly phrases: string;
}

/** What an embedding model made of one revision, as it is kept. */
export interface VectorRow {
  readonly digest: Digest;
  /** The room alone knows what is in it. */
  readonly vector: Uint8Array;
}

/** A measurement that was kept (RT-8), as a list shows it. */
export interface EvaluationRow {
  /** Begins with its time, so that ids are in the order in which runs were kept. */
  readonly id: string;
  readonly at: number;
  /** JSON, kept as text; the room alone knows what is in it. */
  readonly line: string;
}

/** The whole of it: what a report holds may be long. */
interface KeptEvaluation extends EvaluationRow {
  readonly report: string;
}

export interface RouteReads {
  /** All of them, ordered by the bytes of their entries. */
  listTriggers(): Promise<readonly TriggerRow[]>;
  findTriggers(entry: EntryId): Promise<TriggerRow | undefined>;
  /** Those of the digests that this model has a vector of. */
  findVectors(model: string, digests: readonly Digest[]): Promise<ReadonlyMap<Digest, Uint8Array>>;
  /** The latest first, by the bytes of their ids; `before` is the last id of the page before, "" for the first. */
  listEvaluations(kind: string, page: { before: string; limit: number }): Promise<readonly EvaluationRow[]>;
  findEvaluation(kind: string, id: string): Promise<KeptEvaluation | undefined>;
}

export interface RouteWrites extends RouteReads {
  /** Replaces what is set for an entry as a whole; null takes it away. */
  putTriggers(entry: EntryId, phrases: string | null): Promise<void>;
  /** Adds or replaces. A vector can be made again at any time: it is no state, and raises no generation. */
  putVectors(model: string, rows: readonly VectorRow[]): Promise<void>;
  /** Adds one, or replaces the one of its id; of its kind the oldest beyond `most` go. */
  putEvaluation(kind: string, evaluation: KeptEvaluation, most: number): Promise<void>;
}
