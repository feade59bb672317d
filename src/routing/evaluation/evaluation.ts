import { yieldToEventLoop } from "../../core/async.ts";
import type { EntryId } from "../../core/ids.ts";
import type { Clock } from "../../core/world.ts";
import type { GoldenQuery, MeasuredRouting } from "./golden.ts";
import {
  curveOf,
  isFired,
  isPositive,
  latencyOf,
  type Outcome,
  outcomeOf,
  pointOfCoverage,
  rankingByKind,
  rankingBySkill,
  rankingOf,
} from "./outcome.ts";
import type { Abstention, Confusion, Fire, Miss, RoutingReport, Withheld } from "./report.ts";
import { ratio, rounded, shareInterval, shareOf } from "./statistics.ts";

interface EvaluateOptions {
  /** How deep MRR looks. */
  readonly k: number;
  /** Counts fractions of a millisecond. */
  readonly stopwatch: Clock;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Routes every query of a golden set, which has at least one positive, and says how well that went (RT-8). */
export async function evaluate(
  routing: MeasuredRouting,
  golden: readonly GoldenQuery[],
  { k, stopwatch, onProgress }: EvaluateOptions,
): Promise<RoutingReport> {
  const outcomes: Outcome[] = [];
  for (const each of golden) {
    // A set is measured where requests are answered too: they go on in between.
    await yieldToEventLoop();
    const start = stopwatch.now();
    const routed = await routing.route(each.query, k);
    outcomes.push(outcomeOf(routing, each, routed, stopwatch.now() - start));
    onProgress?.(outcomes.length, golden.length);
  }
  return reportOf(outcomes, routing, k);
}

function reportOf(outcomes: readonly Outcome[], routing: MeasuredRouting, k: number): RoutingReport {
  const positives = outcomes.filter(isPositive);
  const { p1, mrr, recall, intervals } = rankingOf(positives, k);
  const abstention = abstentionOf(outcomes);
  const { coverage, falseFires, floor } = abstention;
  return {
    n: outcomes.length,
    positives: positives.length,
    k,
    p1,
    mrr,
    recall,
    intervals,
    p1WithLookAlikes: ratio(countOf(positives, (each) => each.rank === 1 || each.isLookAlike) / positives.length),
    answered: answeredOf(positives),
    abstention,
    curve: { points: curveOf(outcomes), default: { threshold: floor, coverage, falseFires } },
    byKind: rankingByKind(outcomes, k),
    latencyMs: latencyOf(outcomes.map(({ milliseconds }) => milliseconds)),
    index: routing.index,
    perSkill: rankingBySkill(outcomes, k),
    confusions: confusionsOf(outcomes, routing),
    misses: missesOf(outcomes),
    fires: firesOf(outcomes),
    withheld: withheldOf(outcomes),
  };
}

function abstentionOf(outcomes: readonly Outcome[]): Abstention {
  const [positives, negatives] = [countOf(outcomes, isPositive), countOf(outcomes, (each) => !isPositive(each))];
  const fired = countOf(outcomes, isFired);
  const answered = countOf(outcomes, (each) => isPositive(each) && each.given !== null);
  return {
    negatives,
    falseFires: shareOf(fired, negatives),
    fired,
    coverage: shareOf(answered, positives) ?? 0,
    floor: rounded(outcomes[0]?.thresholds.floor ?? 0, 4),
    intervals: { falseFires: shareInterval(fired, negatives), coverage: shareInterval(answered, positives) },
    atCoverage80: pointOfCoverage(outcomes, 0.8),
  };
}

function answeredOf(positives: readonly Outcome[]): RoutingReport["answered"] {
  const answered = positives.filter(({ given }) => given !== null);
  const right = countOf(answered, ({ isGivenNamed }) => isGivenNamed);
  return {
    n: answered.length,
    p1: shareOf(right, answered.length),
    interval: shareInterval(right, answered.length),
  };
}

function countOf(outcomes: readonly Outcome[], test: (outcome: Outcome) => boolean): number {
  return outcomes.filter(test).length;
}

/** Positives whose right skill was not first, in the order of the file. */
function missesOf(outcomes: readonly Outcome[]): readonly Miss[] {
  return outcomes.filter(isMissed).map(({ golden, first, given, rank, isLookAlike }) => ({
    at: golden.at,
    query: golden.query,
    kind: golden.kind,
    note: golden.note,
    expected: namedBy(golden),
    rank,
    chosen: first?.entry ?? null,
    confidence: first === null ? null : ratio(first.confidence),
    link: first?.link ?? null,
    why: first?.why ?? "nothing was found",
    abstained: given === null,
    alike: isLookAlike,
  }));
}

function isMissed(outcome: Outcome): boolean {
  return isPositive(outcome) && outcome.rank !== 1;
}

function namedBy({ wanted }: Outcome["golden"]): readonly EntryId[] {
  return wanted.is === "none" ? [] : [...wanted.entries];
}

/** Negatives that got a wrong match, the surest first. */
function firesOf(outcomes: readonly Outcome[]): readonly Fire[] {
  return outcomes
    .flatMap((outcome) => {
      const { golden, given } = outcome;
      if (given === null || !isFired(outcome)) return [];
      const { entry: chosen, confidence, link, why } = given;
      const { at, query, note } = golden;
      return [{ at, query, note, chosen, confidence: ratio(confidence), link, why }];
    })
    .toSorted((a, b) => b.confidence - a.confidence);
}

/** Positives whose right skill was first and stayed below the floor, the nearest to it first. */
function withheldOf(outcomes: readonly Outcome[]): readonly Withheld[] {
  return outcomes
    .flatMap((outcome) => {
      const { golden, first, given, rank } = outcome;
      if (!isPositive(outcome) || rank !== 1 || first === null || given !== null) return [];
      return [{ at: golden.at, query: golden.query, expected: first.entry, confidence: ratio(first.confidence) }];
    })
    .toSorted((a, b) => b.confidence - a.confidence);
}

const mostWords = 6;

/** Which skill was taken for which, the most frequent first. Of several expected ones the first stands for all. */
function confusionsOf(outcomes: readonly Outcome[], routing: MeasuredRouting): readonly Confusion[] {
  const pairs = new Map<string, { expected: EntryId; chosen: EntryId; queries: string[]; alike: boolean }>();
  for (const { golden, first, isLookAlike } of outcomes.filter(isMissed)) {
    const [expected] = namedBy(golden);
    if (first === null || expected === undefined) continue;
    const key = JSON.stringify([expected, first.entry]);
    const pair = pairs.get(key) ?? { expected, chosen: first.entry, queries: [], alike: isLookAlike };
    pair.queries.push(golden.query);
    pairs.set(key, pair);
  }
  return [...pairs.values()]
    .toSorted((a, b) => b.queries.length - a.queries.length)
    .map(({ expected, chosen, queries, alike }) => ({
      expected,
      chosen,
      count: queries.length,
      words: mostFrequent(queries.flatMap((query) => [...new Set(routing.wordsFor(query, chosen))])),
      alike,
    }));
}

function mostFrequent(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  // Sorting is stable: of words as frequent, the rarer in the index stay first.
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostWords)
    .map(([word]) => word);
}
