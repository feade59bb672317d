import { type Cluster, isClose } from "./board.ts";
import type { Match, Thresholds } from "../routed.ts";
import { byTrustAlone } from "../shelf.ts";

/** What the evidence comes to. */
export interface Settled {
  readonly matches: readonly Match[];
  readonly ranked: readonly Match[];
  readonly ambiguous: boolean;
  readonly tied: number;
  readonly likelihood: number;
  /** In words, to follow why no further link was asked; null when there is nothing to add. */
  readonly note: string | null;
}

/** RT-3: the best is good enough, and nothing of another text comes close to it: no further link is asked. */
export function whyEnough(open: readonly Cluster[], { accept, margin, floor }: Thresholds): string | null {
  const [best, second] = open;
  if (best === undefined || best.confidence < Math.max(accept, floor)) return null;
  if (second !== undefined && isClose(best.confidence, second.confidence, margin)) return null;
  const enough = `${shown(best.confidence)} is at or above ${shown(accept)}`;
  return second === undefined ? enough : `${enough} and leads by ${shown(best.confidence - second.confidence)}`;
}

/** So many of the best are what a person would look at: the right one is among them, or was not found. */
const lookedAt = 5;
/**
 * With less than this a skill is named only in the trace, unless the floor is lower still: then whoever set it wants to
 * see such skills too. Not less for some and more for others: who else is found is no reason.
 */
const worthNaming = 0.05;

/**
 * RT-3: when the right skill is likely not among the first ones, nothing is chosen; what is too close to call is said to
 * be. In what order they come does not depend on the floor.
 */
export function settle(clusters: readonly Cluster[], { margin, floor }: Thresholds, limit: number): Settled {
  const found = clusters.filter(({ speaker }) => !speaker.isAside);
  const likelihood = likelihoodOf(found);
  const best = found[0]?.confidence ?? 0;
  const least = Math.min(floor, worthNaming);
  const isFitting = likelihood >= floor - rounding;
  const named = found.filter(({ confidence }) => confidence > 0 && confidence >= least);
  const head = named.filter(({ confidence }) => isClose(best, confidence, margin));
  // Equals are not settled by the alphabet, nor by a word more: whom is trusted more comes first (T32).
  const first = head.toSorted((a, b) => byTrustAlone(a.speaker.entry, b.speaker.entry));
  const close = isFitting ? head.length : 0;
  const order = [...first, ...clusters.filter((each) => !head.includes(each))];
  return {
    matches: isFitting ? [...first, ...named.slice(head.length)].slice(0, limit).map(matchOf) : [],
    ranked: order.map(matchOf),
    ambiguous: close > 1,
    tied: Math.min(close, limit),
    likelihood,
    note: noteOf(found, clusters.length, close, likelihood, { margin, floor }),
  };
}

/** Of sums of decimal fractions. */
const rounding = 1e-9;

/** Whether any fits is a question to all of them together where they share a confidence, and to the best where not. */
function likelihoodOf(found: readonly Cluster[]): number {
  const first = found.slice(0, lookedAt);
  const shares = first.filter(({ speaker }) => speaker.isShare).reduce((sum, { confidence }) => sum + confidence, 0);
  return Math.min(1, Math.max(shares, first[0]?.confidence ?? 0));
}

function matchOf({ speaker, confidence, members }: Cluster): Match {
  const { entry, link, why, isAside } = speaker;
  const alike = members.filter((member) => member !== speaker).map((member) => member.entry.id);
  return { entry: entry.id, confidence: isAside ? 0 : confidence, link, why, alike };
}

function noteOf(
  [best]: readonly Cluster[],
  all: number,
  close: number,
  likelihood: number,
  { margin, floor }: Omit<Thresholds, "accept">,
): string | null {
  if (best === undefined) return all === 0 ? "nothing was found" : "all that was found was put aside";
  if (close > 1) return `the first ${close} are within ${shown(margin)} of each other: ambiguous`;
  if (close === 1) return null;
  if (likelihood < floor - rounding)
    return `that one of them fits is ${shown(likelihood)} likely, below the floor of ${shown(floor)}`;
  return `the best has ${shown(best.confidence)}, too little to be named`;
}

function shown(confidence: number): string {
  return confidence.toFixed(2);
}
