import { isPositive, type Outcome, wouldFire } from "./outcome.ts";
import { ratio, rounded, shareOf } from "./statistics.ts";

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
