import type { EntryId } from "../../core/ids.ts";
import type { Routed } from "../routed.ts";
import type { ShelfEntry } from "../shelf.ts";
import type { RoutingReport } from "./report.ts";

/** What should come of a query (RT-8). */
export type Wanted =
  /** One of these is right, whichever. */
  | { readonly is: "one-of"; readonly entries: ReadonlySet<EntryId> }
  /** No skill fits: any match is wrong. */
  | { readonly is: "none" }
  /** These are wrong as the first match; of others nothing is said. */
  | { readonly is: "not"; readonly entries: ReadonlySet<EntryId> };

/** A query whose answer is known. */
export interface GoldenQuery {
  readonly query: string;
  readonly wanted: Wanted;
  readonly kind: string | null;
  readonly note: string | null;
  /** Where it stands: `golden.jsonl:12`. */
  readonly at: string;
}

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
