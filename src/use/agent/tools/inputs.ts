import { AppError } from "../../../base/error.ts";
import type { ToolInput } from "../tool.ts";

/** A text of the input that has to be there, with something to read in it. */
export function textOf(input: ToolInput, key: string, mostBytes: number): string {
  const text = optionalText(input, key, mostBytes);
  if (text === undefined) throw new AppError("usage.invalid", `${key} is missing; give it as text`);
  return text;
}

export function optionalText(input: ToolInput, key: string, mostBytes: number): string | undefined {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
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
