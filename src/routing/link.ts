import type { EntryId } from "../core/ids.ts";
import type { Query } from "./query.ts";
import type { Shelf } from "./shelf.ts";

/** One reason to take a skill. */
export interface Evidence {
  readonly entry: EntryId;
  /** From 0 to 1, absolute: how often what looks like this is right (RT-3). */
  readonly confidence: number;
  readonly why: string;
}

/** What a link is asked with. */
export interface Asked {
  readonly query: Query;
  readonly shelf: Shelf;
  /** Whether an entry of the shelf may be chosen at all (RT-5). */
  allows(entry: EntryId): boolean;
  /** What the links before have found, the best first: one of those whose text is the same or nearly so. */
  readonly soFar: readonly Evidence[];
  /** Ends when nobody waits any more: the caller went away, or the time box is over. */
  readonly signal: AbortSignal;
}

/** One way to find skills. A new one is a file and a line in the chain (RT-2). */
export interface Link {
  readonly name: string;
  /**
   * A finder adds evidence: the strongest counts. A judge looks at what was found, and its word stands for all that it
   * was shown (the first `shown` of `soFar`): what it does not name, it has put aside.
   */
  readonly role: "finds" | "judges";
  /** How many candidates a judge looks at; of no use to a finder. */
  readonly shown?: number;
  /** What it finds was asked for, and not only spoken of: it stands although the text refuses the skill elsewhere. */
  readonly isExplicit?: boolean;
  /**
   * Its confidences are those of one choice among all that it finds, so that they add up: three siblings of which one is
   * right share what a single one would have. Without it each stands for itself.
   */
  readonly addsUp?: boolean;
  /** Milliseconds that it may take. */
  readonly timeBox: number;
  /** Makes what it needs of a shelf beforehand, in small steps, so that nobody waits for it at the first question. */
  prepare?(shelf: Shelf): Iterable<void>;
  find(asked: Asked): readonly Evidence[] | Promise<readonly Evidence[]>;
}
