import type { ToolCall } from "../../../base/tools/tools.ts";

/** What of a tool's input the gate judges: the command, the paths. */
export type CallSubject = Pick<ToolCall, "command" | "paths">;

/** Taken from a method, so that one with any type of its own input will do. */
export type SubjectOf = { of(input: unknown): CallSubject }["of"];

/** The call to be judged; null when its subject cannot be told, which is no reason to let it through. */
export function callOf(tool: string, input: unknown, subject: SubjectOf | undefined): ToolCall | null {
  try {
    const { command, paths } = subject?.(input) ?? {};
    return { tool, command, paths };
  } catch {
    return null;
  }
}

/** Deeper than the input of any tool is meant to be; a circle ends here too. */
const deepest = 100;

/**
 * Data of its own, in which every field of the given one was read once: whoever still holds the original changes
 * nothing any more. What is no plain data, as a schema of the host may have made it (a `Date`, a `URL`), stays what it
 * is. Throws for what is nested too deep, and whatever a getter throws.
 */
export function copyInput(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest) throw new RangeError("nested too deep");
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => copyInput(item, depth + 1));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]: [string, unknown]) => [key, copyInput(field, depth + 1)]),
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
