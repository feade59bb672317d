import type { Digest } from "../../core/digest.ts";
import type { EntryId } from "../../core/ids.ts";
import type { Match, Routed, Thresholds } from "../routed.ts";
import type { GoldenQuery, MeasuredRouting } from "./golden.ts";
import type { LatencyBin, Ranking, RoutingReport, SkillQuality } from "./report.ts";
import { mean, meanInterval, quantile, ratio, rounded, shareInterval, shareOf } from "./statistics.ts";

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
function wouldFire({ golden, first, rank }: Outcome): boolean {
  if (first === null) return false;
  return golden.wanted.is === "none" || (golden.wanted.is === "not" && rank === 1);
}

const depths = [1, 5, 10];

/** Of positives only. A line that names several skills is right with any of them. */
export function rankingOf(positives: readonly Outcome[], k: number): Ranking {
  const right = within(positives, 1);
  const reciprocal = positives.map((each) => (each.rank === null || each.rank > k ? 0 : 1 / each.rank));
  const recallAt = (depth: number) => ratio(within(positives, depth) / Math.max(1, positives.length));
  return {
    n: positives.length,
    p1: recallAt(1),
    mrr: ratio(mean(reciprocal)),
    recall: Object.fromEntries([...new Set([...depths, k])].map((depth) => [String(depth), recallAt(depth)])),
    intervals: { p1: shareInterval(right, positives.length), mrr: meanInterval(reciprocal) },
  };
}

function within(outcomes: readonly Outcome[], depth: number): number {
  return outcomes.filter(({ rank }) => rank !== null && rank <= depth).length;
}

/** For each kind that positives carry, in the order of their names. */
export function rankingByKind(outcomes: readonly Outcome[], k: number): Readonly<Record<string, Ranking>> {
  const kinds = groupedBy(outcomes.filter(isPositive), ({ golden }) => (golden.kind === null ? [] : [golden.kind]));
  return Object.fromEntries(inOrder(kinds).map(([kind, each]) => [kind, rankingOf(each, k)]));
}

/** For each skill that is expected somewhere, the worst first. */
export function rankingBySkill(outcomes: readonly Outcome[], k: number): readonly SkillQuality[] {
  const skills = groupedBy(outcomes, ({ golden }) => (golden.wanted.is === "one-of" ? [...golden.wanted.entries] : []));
  return inOrder(skills)
    .map(([skill, each]) => {
      const { n, p1, mrr } = rankingOf(each, k);
      return { skill, n, p1, mrr };
    })
    .toSorted((a, b) => a.p1 - b.p1 || a.mrr - b.mrr);
}

function groupedBy(outcomes: readonly Outcome[], keysOf: (outcome: Outcome) => readonly string[]) {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes)
    for (const key of keysOf(outcome)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [outcome]);
      else group.push(outcome);
    }
  return groups;
}

function inOrder<Value>(groups: ReadonlyMap<string, Value>): [string, Value][] {
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** What a floor of this height would do. */
export interface CurvePoint {
  readonly threshold: number;
  readonly coverage: number;
  /** Null when there are no negatives. */
  readonly falseFires: number | null;
}

const steps = 100;

/** Coverage against false fires for floors from 0 to 1, on how likely a fit is; what repeats is left out. */
export function curveOf(outcomes: readonly Outcome[]): readonly CurvePoint[] {
  const [positives, fires, negatives] = likelihoodsOf(outcomes);
  const points: CurvePoint[] = [];
  for (let step = 0; step <= steps; step++) {
    const point = pointAt(step / steps, positives, fires, negatives);
    const last = points.at(-1);
    if (last?.coverage !== point.coverage || last.falseFires !== point.falseFires) points.push(point);
  }
  return points;
}

/** The highest floor that still answers this share of the positives, to the last query and not to a hundredth. */
export function pointOfCoverage(outcomes: readonly Outcome[], coverage: number): CurvePoint | null {
  const [positives, fires, negatives] = likelihoodsOf(outcomes);
  const highestFirst = positives.toSorted((a, b) => b - a);
  const threshold = highestFirst[Math.max(0, Math.ceil(coverage * positives.length) - 1)] ?? nothing;
  return threshold === nothing ? null : pointAt(threshold, positives, fires, negatives);
}

/** Of a query for which nothing was found: no floor lets it through. */
const nothing = -1;

/** Likelihoods for all positives, and for the negatives that would be wrong; how many negatives there are. */
function likelihoodsOf(outcomes: readonly Outcome[]): [number[], number[], number] {
  const [positives, negatives] = [outcomes.filter(isPositive), outcomes.filter((each) => !isPositive(each))];
  return [positives.map(likelihoodOf), negatives.filter(wouldFire).map(likelihoodOf), negatives.length];
}

function likelihoodOf({ first, likelihood }: Outcome): number {
  return first === null ? nothing : likelihood;
}

function pointAt(threshold: number, positives: number[], fires: number[], negatives: number): CurvePoint {
  const atLeast = (values: number[]) => values.filter((value) => value >= threshold).length;
  return {
    threshold: rounded(threshold, 4),
    coverage: ratio(atLeast(positives) / Math.max(1, positives.length)),
    falseFires: shareOf(atLeast(fires), negatives),
  };
}

/** Bars for each tenfold. */
const perTenfold = 5;
const decimals = 3;

/** Percentiles, and a histogram whose bars are as wide in the logarithm. */
export function latencyOf(milliseconds: readonly number[]): RoutingReport["latencyMs"] {
  return {
    p50: rounded(quantile(milliseconds, 0.5), decimals),
    p99: rounded(quantile(milliseconds, 0.99), decimals),
    histogram: histogramOf(milliseconds),
  };
}

/** What took no time that the clock could see counts as this. */
const shortest = 0.001;
const longest = 1e6;

function histogramOf(milliseconds: readonly number[]): readonly LatencyBin[] {
  if (milliseconds.length === 0) return [];
  // A hair above, so that what lies on an edge is not below it by the error of the logarithm.
  const bins = milliseconds.map((each) =>
    Math.floor(Math.log10(Math.min(longest, Math.max(shortest, each))) * perTenfold + 1e-9),
  );
  const [low, high] = [Math.min(...spread(bins)), Math.max(...spread(bins))];
  return Array.from({ length: high - low + 1 }, (_, at) => ({
    from: edge(low + at),
    to: edge(low + at + 1),
    count: bins.filter((bin) => bin === low + at).length,
  }));
}

/** Each once: the arguments of a call are few even when the queries are many. */
function spread(bins: readonly number[]): readonly number[] {
  return [...new Set(bins)];
}

function edge(bin: number): number {
  return Number((10 ** (bin / perTenfold)).toPrecision(3));
}
