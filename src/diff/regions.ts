import { withoutBlanks } from "./visible.ts";
import { matchEqual } from "./match.ts";
import type { Match } from "./shortest-edit.ts";
import type { Steps } from "./steps.ts";

/** Lines of the one side that were replaced by lines of the other; one of the two may be empty. From 0, end excluded. */
export interface Region {
  readonly before: Span;
  readonly after: Span;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export function lengthOf({ from, to }: Span): number {
  return to - from;
}

/** What lies between the matches. */
export function regionsOf(matches: readonly Match[], before: number, after: number): readonly Region[] {
  const regions: Region[] = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...matches, [before, after] as const]) {
    if (nextX > x || nextY > y) regions.push({ before: { from: x, to: nextX }, after: { from: y, to: nextY } });
    [x, y] = [nextX + 1, nextY + 1];
  }
  return regions;
}

/** How a line is known again that changed: the same but for what cannot be seen, then the same at its start. */
const likenesses: readonly ((line: string) => string)[] = [
  withoutBlanks,
  (line) => withoutBlanks(line.slice(0, 80)).slice(0, 10),
];

/** In more lines than this nobody follows which became which. */
const mostKnown = 4000;

/** Which line of a region became which. What nothing tells apart is taken in order. */
export function counterparts(before: readonly string[], after: readonly string[], steps: Steps, level = 0): Match[] {
  const likeness = likenesses[level];
  if (likeness === undefined || before.length + after.length > mostKnown)
    return before.slice(0, after.length).map((_, at) => [at, at]);
  const known = matchEqual(before.map(likeness), after.map(likeness), steps);
  const pairs: Match[] = [...known];
  for (const gap of regionsOf(known, before.length, after.length)) {
    const [old, now] = [before.slice(gap.before.from, gap.before.to), after.slice(gap.after.from, gap.after.to)];
    for (const [x, y] of counterparts(old, now, steps, level + 1))
      pairs.push([gap.before.from + x, gap.after.from + y]);
  }
  return pairs;
}
