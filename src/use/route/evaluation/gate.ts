import type { RoutingReport } from "./report.ts";

/** What routing may not fall below (RT-9). What is left out is not asked for. */
export interface Gate {
  /** At least so many lines; fewer are an error and no result. */
  readonly n?: number;
  readonly p1?: number;
  readonly mrr?: number;
  /** At most this share. */
  readonly falseFires?: number;
  readonly coverage?: number;
}

export interface MissedGate {
  readonly measure: keyof Gate;
  /** `at least 0.9`, `at most 0.2`. */
  readonly expected: string;
  readonly got: number | null;
}

/** Every measure that misses its bound. A share of nothing is no proof: it misses too. */
export function missedGates(report: RoutingReport, gate: Gate): readonly MissedGate[] {
  const { falseFires, coverage } = report.abstention;
  return [
    ...below("p1", gate.p1, report.p1),
    ...below("mrr", gate.mrr, report.mrr),
    ...above("falseFires", gate.falseFires, falseFires),
    ...below("coverage", gate.coverage, coverage),
  ];
}

function below(measure: keyof Gate, bound: number | undefined, got: number): MissedGate[] {
  return bound === undefined || got >= bound ? [] : [{ measure, expected: `at least ${bound}`, got }];
}

function above(measure: keyof Gate, bound: number | undefined, got: number | null): MissedGate[] {
  return bound === undefined || (got !== null && got <= bound) ? [] : [{ measure, expected: `at most ${bound}`, got }];
}
