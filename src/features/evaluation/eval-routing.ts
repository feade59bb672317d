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
import { readGolden } from "./golden.ts";
import { fieldsOf, parseJson } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import { refusedFile } from "../../app/files/json-lines-file.ts";

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

const mostBytes = 1024 * 1024;
const shares = ["p1", "mrr", "falseFires", "coverage"] as const;
const known: ReadonlySet<string> = new Set(["n", ...shares]);

/** The bounds that a thresholds file has under `routing` (RT-9). A measure that is not known is refused: a typo would gate nothing. */
export async function loadGate(files: Files, path: string): Promise<Gate> {
  const bytes = await files.read(await files.resolve(path), mostBytes);
  if (!(bytes instanceof Uint8Array)) throw refusedFile(path, `has ${bytes.size} bytes; at most ${mostBytes} are read`);
  const fields = fieldsOf(fieldsOf(jsonOf(path, bytes))?.get("routing"));
  if (fields === undefined) throw refusedFile(path, 'has no thresholds for routing: { "routing": { "p1": 0.9 } }');
  const unknown = [...fields.keys()].find((key) => !known.has(key));
  if (unknown !== undefined)
    throw refusedFile(path, `routing.${safeLine(unknown, 64)} is not measured; there are ${[...known].join(", ")}`);
  return Object.fromEntries([...fields].map(([key, value]) => [key, boundOf(path, key, value)]));
}

function jsonOf(path: string, bytes: Uint8Array): unknown {
  const value = parseJson(bytes);
  if (value === undefined) throw refusedFile(path, "is not JSON in UTF-8");
  return value;
}

function boundOf(path: string, key: string, value: unknown): number {
  if (typeof value !== "number") throw refusedFile(path, `routing.${key}: expected a number`);
  if (key === "n" ? isCount(value) : isShare(value)) return value;
  throw refusedFile(path, `routing.${key}: expected ${key === "n" ? "a whole number above 0" : "a share from 0 to 1"}`);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

/** A share as it is typed: `0.9`. */
export function parseShare(flag: string, text: string): number {
  if (/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?|\.\d{1,9})$/.test(text)) return Number(text);
  throw new AppError("usage.invalid", `${flag}: expected a share from 0 to 1, such as 0.9`);
}
