import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import type { Hunk } from "./unified-diff.ts";

/** Lines that may still be compared: many hunks against many lines that are all alike would take for ever (T26). */
export interface Comparisons {
  left: number;
}

/**
 * A text with its hunks applied. Each must fit line by line, where it says or else at the one other place behind the hunk
 * before it: where there are two, it is not ours to guess.
 */
export function applyHunks(path: string, text: string, hunks: readonly Hunk[], comparisons: Comparisons): string {
  const lines = linesOf(text);
  const parts: string[] = [];
  let from = 0;
  for (const hunk of hunks) {
    const at = placeOf(path, lines, hunk, from, comparisons);
    const end = at + hunk.old.length;
    if (hunk.new.at(-1)?.endsWith("\n") === false && end < lines.length)
      throw unfit(path, hunk, "it takes the line break from a line that is not the last");
    parts.push(lines.slice(from, at).join(""), hunk.new.join(""));
    from = end;
  }
  return parts.join("") + lines.slice(from).join("");
}

/** Each with its line break. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => `${line}\n`);
  const last = lines.pop()?.slice(0, -1) ?? "";
  return last === "" ? lines : [...lines, last];
}

function placeOf(path: string, lines: readonly string[], hunk: Hunk, from: number, comparisons: Comparisons): number {
  const { old, start } = hunk;
  if (old.length === 0) {
    if (lines.length === 0) return 0;
    throw unfit(path, hunk, "it has no line of the file, so that its place cannot be told; add lines around it");
  }
  if (start > from && fitsAt(lines, old, start - 1, comparisons)) return start - 1;
  const places: number[] = [];
  for (let at = from; at + old.length <= lines.length && places.length < 2; at++)
    if (fitsAt(lines, old, at, comparisons)) places.push(at);
  const [place, other] = places;
  if (place === undefined) throw unfit(path, hunk, whyNowhere(lines, hunk, from));
  if (other === undefined) return place;
  throw unfit(path, hunk, `it fits at line ${place + 1} and at line ${other + 1}; add lines around it`);
}

function fitsAt(lines: readonly string[], old: readonly string[], at: number, comparisons: Comparisons): boolean {
  for (const [offset, line] of old.entries()) {
    if (--comparisons.left < 0)
      throw new AppError("usage.invalid", "the patch takes too long to place; correct its line numbers, or split it");
    if (lines[at + offset] !== line) return false;
  }
  return true;
}

/** What differs first, where the hunk says that it belongs. */
function whyNowhere(lines: readonly string[], { old, start }: Hunk, from: number): string {
  const none = "its lines do not stand in the file in this order";
  const differs = old.findIndex((line, offset) => lines[start - 1 + offset] !== line);
  const there = start > from ? lines[start - 1 + differs] : undefined;
  if (differs < 0 || there === undefined) return none;
  return `${none}: line ${start + differs} is ${JSON.stringify(there.slice(0, 80))}, and not ${JSON.stringify(old[differs]?.slice(0, 80))}`;
}

function unfit(path: string, { line }: Hunk, why: string): AppError {
  return new AppError(
    "usage.invalid",
    `nothing was changed: the hunk at line ${line} of the patch does not fit ${safeLine(path, 120)}: ${why}`,
  );
}
