import type { Digest } from "../../../base/digest.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { Match, Routed, Thresholds } from "../routed.ts";
import type { GoldenQuery } from "./golden.ts";
import type { MeasuredRouting } from "./measured-routing.ts";

/** What came of one query. */
export interface Outcome {
  readonly golden: GoldenQuery;
  readonly milliseconds: number;
  readonly thresholds: Thresholds;
  /** That the right one is among the first: what a floor is held against. */
  readonly likelihood: number;
  /** The first of all that was found, the floor not applied. */
  readonly first: Match | null;
  /** What was given out first; null when routing abstained. */
  readonly given: Match | null;
  /** What was given out first is one that the line names. */
  readonly isGivenNamed: boolean;
  /** The position of the first right one before the floor, from 1; null when there is none. */
  readonly rank: number | null;
  /** The right one was there, but only as a look-alike of what stands first. */
  readonly isLookAlike: boolean;
}

export function outcomeOf(
  { entries }: Pick<MeasuredRouting, "entries">,
  golden: GoldenQuery,
  { matches, trace }: Routed,
  milliseconds: number,
): Outcome {
  const isWanted = judgeOf(entries, golden);
  const at = trace.ranked.findIndex(({ entry }) => isWanted(entry));
  const [first = null, given = null] = [trace.ranked[0], matches[0]];
  return {
    golden,
    milliseconds,
    thresholds: trace.thresholds,
    likelihood: trace.likelihood,
    first,
    given,
    isGivenNamed: given !== null && isWanted(given.entry),
    rank: at === -1 ? null : at + 1,
    isLookAlike: at !== 0 && first !== null && first.alike.some(isWanted),
  };
}

/**
 * Whether an entry is one that the line names, or has the very same bytes as one of them: identical skills cannot be
 * told apart by anybody. Nearly the same is not the same.
 */
function judgeOf(entries: MeasuredRouting["entries"], { wanted }: GoldenQuery): (entry: EntryId) => boolean {
  if (wanted.is === "none") return () => false;
  const digests = new Set<Digest>();
  for (const id of wanted.entries) {
    const digest = entries.get(id)?.digest;
    if (digest !== undefined) digests.add(digest);
  }
  return (entry) => {
    const digest = entries.get(entry)?.digest;
    return digest !== undefined && digests.has(digest);
  };
}

export function isPositive({ golden }: Outcome): boolean {
  return golden.wanted.is === "one-of";
}

/** A negative that got what it must not get. What must not come first is wrong only there. */
export function isFired({ golden, given, isGivenNamed }: Outcome): boolean {
  return (golden.wanted.is === "none" && given !== null) || (golden.wanted.is === "not" && isGivenNamed);
}

/** Whether a negative would be wrong if the floor let the first of all through. */
export function wouldFire({ golden, first, rank }: Outcome): boolean {
  if (first === null) return false;
  return golden.wanted.is === "none" || (golden.wanted.is === "not" && rank === 1);
}
