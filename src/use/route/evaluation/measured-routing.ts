import type { EntryId } from "../../../base/ids.ts";
import type { Routed } from "../routed.ts";
import type { ShelfEntry } from "../shelf.ts";

/** What the index costs. Null is what nobody has measured. */
export interface IndexFacts {
  readonly skills: number;
  readonly buildMs: number | null;
  readonly loadMs: number | null;
  readonly bytes: number | null;
}

/** Routing over one shelf, as it is measured: anything that chooses. */
export interface MeasuredRouting {
  readonly entries: ReadonlyMap<EntryId, ShelfEntry>;
  readonly index: IndexFacts;
  route(query: string, limit: number): Promise<Routed>;
  /** The words of a query that speak for an entry, the rarest first. */
  wordsFor(query: string, entry: EntryId): readonly string[];
  /** The text of a skill below its header. */
  bodyOf(entry: EntryId): string;
}
