import type { Plain } from "../../core/canonical.ts";
import { AppError } from "../../core/error.ts";
import type { Tool, ToolInput } from "../tool.ts";

/** A text of the input that has to be there, with something to read in it. */
export function textOf(input: ToolInput, key: string, mostBytes: number): string {
  const text = optionalText(input, key, mostBytes);
  if (text === undefined) throw new AppError("usage.invalid", `${key} is missing; give it as text`);
  return text;
}

export function optionalText(input: ToolInput, key: string, mostBytes: number): string | undefined {
  const value = valueOf(input, key);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value.trim() === "")
    throw new AppError("usage.invalid", `${key} has to be text with something in it`);
  // Length first: the bytes of what is far too long need not be counted.
  if (value.length > mostBytes || Buffer.byteLength(value) > mostBytes)
    throw new AppError("usage.invalid", `${key} is longer than ${mostBytes} bytes; make it shorter`);
  if (value.includes("\0")) throw new AppError("usage.invalid", `${key} has a NUL character; leave it out`);
  return value;
}

/** Whether a host named a folder in full. A NUL would end its name earlier than it reads. */
export function isAbsoluteFolder(folder: unknown): folder is string {
  return typeof folder === "string" && folder.startsWith("/") && !folder.includes("\0");
}

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

/** The JSON Schema of an input that has these fields, and no others. */
export function objectSchema(
  properties: Readonly<Record<string, object>>,
  required?: readonly string[],
): Tool["inputSchema"] {
  return { type: "object", properties, ...(required !== undefined && { required }), additionalProperties: false };
}
