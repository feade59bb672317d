import type { EntryId } from "../../core/ids.ts";
import type { CurvePoint } from "./outcome.ts";
import type { IndexFacts } from "./golden.ts";
import type { Interval } from "./statistics.ts";

/** How well the right skill was found, over positives, in the order before the floor. */
export interface Ranking {
  /** How many positives. */
  readonly n: number;
  /** The share in which the first was right. */
  readonly p1: number;
  /** The mean of 1 / position of the first right one, 0 beyond the first k. */
  readonly mrr: number;
  /** The share that has a right one among the first 1, 5, 10 (and k). */
  readonly recall: Readonly<Record<string, number>>;
  readonly intervals: { readonly p1: Interval | null; readonly mrr: Interval | null };
}

/** Whether routing is silent where it should be, and speaks where it should. */
export interface Abstention {
  readonly negatives: number;
  /** The share of negatives that got a wrong match; null without negatives. */
  readonly falseFires: number | null;
  readonly fired: number;
  /** The share of positives that got any match. */
  readonly coverage: number;
  /** The floor in use. */
  readonly floor: number;
  readonly intervals: { readonly falseFires: Interval | null; readonly coverage: Interval | null };
  /** What a floor that answers four of five positives would do. */
  readonly atCoverage80: CurvePoint | null;
}

/** A bar of the histogram: how many queries took from `from` to less than `to` milliseconds. */
export interface LatencyBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface SkillQuality {
  readonly skill: EntryId;
  readonly n: number;
  readonly p1: number;
  readonly mrr: number;
}

/** A skill that should have come first, the one that did, and what pulled there. */
export interface Confusion {
  readonly expected: EntryId;
  readonly chosen: EntryId;
  readonly count: number;
  /** The words of these queries that spoke for the chosen one, the most frequent first. */
  readonly words: readonly string[];
  /** The right one was there as a look-alike of the chosen one. */
  readonly alike: boolean;
}

/** A positive whose right skill was not first. */
export interface Miss {
  readonly at: string;
  readonly query: string;
  readonly kind: string | null;
  readonly note: string | null;
  readonly expected: readonly EntryId[];
  /** Where the right one stood; null when it was not found. */
  readonly rank: number | null;
  readonly chosen: EntryId | null;
  readonly confidence: number | null;
  readonly link: string | null;
  readonly why: string;
  /** Below the floor: the wrong one was not given out. */
  readonly abstained: boolean;
  readonly alike: boolean;
}

/** A negative that got a wrong match. */
export interface Fire {
  readonly at: string;
  readonly query: string;
  readonly note: string | null;
  readonly chosen: EntryId;
  readonly confidence: number;
  readonly link: string;
  readonly why: string;
}

/** A positive whose right skill was first, and not given out because of the floor. */
export interface Withheld {
  readonly at: string;
  readonly query: string;
  readonly expected: EntryId;
  readonly confidence: number;
}

/** How well routing works, measured (RT-8). Outsiders read this as JSON: members may be added, none is renamed. */
export interface RoutingReport {
  /** All lines, negatives included. */
  readonly n: number;
  readonly positives: number;
  readonly k: number;
  readonly p1: number;
  readonly mrr: number;
  readonly recall: Readonly<Record<string, number>>;
  readonly intervals: Ranking["intervals"];
  /** P@1 if a near-identical skill counted as the right one. */
  readonly p1WithLookAlikes: number;
  /** Among the positives that got a match: how many of the first matches were right. */
  readonly answered: { readonly n: number; readonly p1: number | null; readonly interval: Interval | null };
  readonly abstention: Abstention;
  readonly curve: { readonly points: readonly CurvePoint[]; readonly default: CurvePoint };
  readonly byKind: Readonly<Record<string, Ranking>>;
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly histogram: readonly LatencyBin[] };
  readonly index: IndexFacts;
  readonly perSkill: readonly SkillQuality[];
  readonly confusions: readonly Confusion[];
  readonly misses: readonly Miss[];
  readonly fires: readonly Fire[];
  readonly withheld: readonly Withheld[];
}
