import { AppError } from "../../../base/error.ts";
import type { Plain } from "../../../base/canonical.ts";
import type { ToolInput } from "../tool.ts";

/** Text that goes into a file: any, also none; but only what UTF-8 can hold, so that nothing else is written than was said. */
export function contentOf(input: ToolInput, key: string): string {
  const value = valueOf(input, key);
  if (typeof value !== "string") throw new AppError("usage.invalid", `${key} is missing; give it as text`);
  if (!value.isWellFormed())
    throw new AppError("usage.invalid", `${key} has half a character (a lone surrogate); leave it out`);
  return value;
}

export function countOf(
  input: ToolInput,
  key: string,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  const value = valueOf(input, key) ?? usual;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
  throw new AppError("usage.invalid", `${key} has to be a whole number from 1 to ${most}`);
}

export function isSet(input: ToolInput, key: string): boolean {
  const value = valueOf(input, key) ?? false;
  if (typeof value === "boolean") return value;
  throw new AppError("usage.invalid", `${key} has to be true or false`);
}

function valueOf(input: ToolInput, key: string): Plain | undefined {
  return Object.hasOwn(input, key) ? input[key] : undefined;
}
