import { z } from "zod";
import { AppError } from "../core/error.ts";
import { isRecord } from "../core/json/json.ts";
import { safeLine } from "../core/text.ts";

/**
 * Checks the settings that a person sent. A missing field keeps its value from `before`, also inside a nested object. An
 * invalid value or an unknown field is refused by name.
 */
export function parseSettings<Schema extends z.ZodObject>(
  schema: Schema,
  typed: unknown,
  before: object,
): z.infer<Schema> {
  if (!isRecord(typed)) throw invalid("the record", "an object with named fields");
  refusePrototype(typed);
  const { success, data, error } = schema.safeParse(mergeSettings(schema, before, typed));
  if (success) return data;
  const [issue] = error.issues;
  throw new AppError("usage.invalid", issue === undefined ? "not understood" : renderIssue(schema, issue));
}

/** Checks one value that belongs to no record, such as a secret. The message does not repeat the value. */
export function demandValid(schema: z.ZodType, name: string, value: unknown): void {
  const { success, error } = schema.safeParse(value);
  if (!success) throw new AppError("usage.invalid", `${name}: ${error.issues[0]?.message}`);
}

export function invalid(field: string, expected: string): AppError {
  return new AppError("usage.invalid", `${field}: expected ${expected}`);
}

/** T21: neither a spread nor zod hands this name on. */
export function refusePrototype(typed: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of [["", typed] as const, ...Object.entries(typed)])
    if (isRecord(value) && Object.hasOwn(value, "__proto__"))
      throw new AppError(
        "usage.invalid",
        `${renderPath([...(name === "" ? [] : [name]), "__proto__"])}: no such field`,
      );
}

function mergeSettings(
  schema: z.ZodObject,
  before: object,
  typed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(typed)) {
    const [field, old] = [schema.shape[name], merged[name]];
    const isWithin = field instanceof z.ZodObject && isRecord(value) && isRecord(old);
    if (value !== undefined) merged[name] = isWithin ? mergeSettings(field, old, value) : value;
  }
  return merged;
}

function renderIssue(schema: z.ZodObject, issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") return `${renderPath(issue.path)}: ${issue.message}`;
  const within = schema.shape[String(issue.path[0])];
  const known = Object.keys(within instanceof z.ZodObject ? within.shape : schema.shape);
  return `${renderPath([...issue.path, issue.keys[0] ?? ""])}: no such field; there are ${known.join(", ")}`;
}

function renderPath(path: readonly PropertyKey[]): string {
  return path.map((name) => safeLine(String(name), 64)).join(".");
}
