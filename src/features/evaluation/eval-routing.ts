import { AppError } from "../../core/error.ts";
import type { Clock, Files } from "../../core/world.ts";
import { evaluate } from "../../routing/evaluation/evaluation.ts";
import {
  type Gate,
  type GoldenQuery,
  type MeasuredRouting,
  type MissedGate,
  missedGates,
} from "../../routing/evaluation/golden.ts";
import type { RoutingReport } from "../../routing/evaluation/report.ts";
import { readGolden } from "./golden-file.ts";

export interface EvaluateRoutingOptions {
  /** How deep MRR looks. */
  readonly k: number;
  readonly gate: Gate;
  readonly onProgress?: (done: number, total: number) => void;
}

/** A report, and what of it is not good enough. */
export interface GatedReport extends RoutingReport {
  readonly gate: { readonly passes: boolean; readonly missed: readonly MissedGate[] };
}

/** Measures routing on golden files (RT-8, RT-9). */
export async function evaluateRouting(
  { files, stopwatch }: { readonly files: Files; readonly stopwatch: Clock },
  routing: MeasuredRouting,
  paths: readonly string[],
  options: EvaluateRoutingOptions,
): Promise<GatedReport> {
  const golden: GoldenQuery[] = [];
  for (const path of paths) for (const each of await readGolden(files, path, routing.entries)) golden.push(each);
  const { gate } = options;
  if (golden.length < (gate.n ?? 1))
    throw new AppError("usage.invalid", `${golden.length} queries are fewer than the ${gate.n} that are asked for`);
  const report = await evaluateGolden({ stopwatch }, routing, golden, options);
  const missed = missedGates(report, gate);
  return { ...report, gate: { passes: missed.length === 0, missed } };
}

/** A set that proves nothing is refused: an empty one, one without positives. */
export async function evaluateGolden(
  { stopwatch }: { readonly stopwatch: Clock },
  routing: MeasuredRouting,
  golden: readonly GoldenQuery[],
  { k, onProgress }: Omit<EvaluateRoutingOptions, "gate">,
): Promise<RoutingReport> {
  if (!golden.some(({ wanted }) => wanted.is === "one-of"))
    throw new AppError("usage.invalid", "no line expects a skill: P@1 and MRR of nothing prove nothing");
  return evaluate(routing, golden, { k, stopwatch, ...(onProgress === undefined ? {} : { onProgress }) });
}
