import { yieldToEventLoop } from "../../core/mutex.ts";
import type { Clock } from "../../core/world.ts";
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
import type { GoldenQuery, MeasuredRouting } from "./golden.ts";
import { confusionsOf, firesOf, missesOf, withheldOf } from "./mistakes.ts";
import type { Abstention, RoutingReport } from "./report.ts";
import { ratio, rounded, shareInterval, shareOf } from "./statistics.ts";

export interface EvaluateOptions {
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
