import type { Plain } from "../../core/canonical.ts";
import { longestCallInput } from "../../core/model.ts";
import type { ToolInput } from "../tool.ts";

const deepest = 64;

/**
 * The input of a call, read once and frozen all through: what is judged is what is run. A text says why it cannot be
 * read. Models leave it out where a tool needs nothing.
 */
export function readInput(text: unknown): ToolInput | string {
  if (typeof text !== "string") return "the input is no text";
  if (text.length > longestCallInput || Buffer.byteLength(text) > longestCallInput)
    return `the input is over ${longestCallInput} bytes`;
  const value = text.trim() === "" ? {} : parse(text);
  if (!isInput(value)) return "the input is no JSON object";
  return freezeAll(value) ?? value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isInput(value: unknown): value is { readonly [key: string]: Plain } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Without recursion: a megabyte of brackets is deeper than any stack. Returns what is wrong with it. */
function freezeAll(input: ToolInput): string | undefined {
  let level: object[] = [input];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > deepest) return `the input is nested deeper than ${deepest}`;
    // A tool that copies its input with the wrong means would give the copy another prototype.
    if (level.some((value) => Object.hasOwn(value, "__proto__"))) return "the input has a field named __proto__";
    for (const value of level) Object.freeze(value);
    level = level.flatMap((value) => Object.values(value).filter(isThing));
  }
  return undefined;
}

function isThing(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
