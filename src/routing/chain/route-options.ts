import { AppError } from "../../core/error.ts";
import { isRecord } from "../../core/json/json.ts";
import { kinds as allKinds } from "../../skill/manifest.ts";
import type { Thresholds } from "../routed.ts";

const defaultLimit = 5;
const highestLimit = 100;

export function limitOf(limit = defaultLimit): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= highestLimit) return limit;
  throw new AppError("usage.invalid", `the limit must be a whole number from 1 to ${highestLimit}`);
}

/** What a caller leaves open is the chain's own. */
export function thresholdsOf(own: Thresholds, asked: Partial<Thresholds> = {}): Thresholds {
  const thresholds = {
    accept: asked.accept ?? own.accept,
    margin: asked.margin ?? own.margin,
    floor: asked.floor ?? own.floor,
  };
  for (const [name, value] of Object.entries<unknown>(thresholds))
    if (!(typeof value === "number" && value >= 0 && value <= 1))
      throw new AppError("usage.invalid", `${name} must be a number from 0 to 1`);
  return thresholds;
}

/** Not every caller has a compiler: what cannot be asked is refused in words, before anything is done with it. */
export function demandRouteable(text: unknown, options: unknown): void {
  demand(typeof text === "string", "the query must be a text");
  demand(isRecord(options), "the options must be an object");
  const { context = {}, among, kinds = [], thresholds = {}, signal } = options;
  demand(isRecord(context), 'context must be an object, as { paths: ["src/main.tf"] }');
  const { paths = [] } = context;
  demand(Array.isArray(paths) && paths.every((path) => typeof path === "string"), "paths must be a list of texts");
  demand(among === undefined || isSet(among), "among must be a set of ids");
  demand(Array.isArray(kinds) && kinds.every(isKind), `kinds must be a list of ${allKinds.join(", ")}`);
  demand(isRecord(thresholds), "thresholds must be an object, as { floor: 0.3 }");
  demand(signal === undefined || signal instanceof AbortSignal, "signal must be an AbortSignal");
}

function demand(isSo: boolean, rule: string): asserts isSo {
  if (!isSo) throw new AppError("usage.invalid", rule);
}

function isSet(value: unknown): boolean {
  return isRecord(value) && typeof value["has"] === "function" && typeof value["size"] === "number";
}

function isKind(value: unknown): boolean {
  return allKinds.some((kind) => kind === value);
}
