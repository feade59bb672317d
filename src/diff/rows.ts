import { count } from "../core/text.ts";
import { longestLine } from "./cut.ts";
import { type Match, matchEqual, type Steps } from "./match.ts";
import { withoutBlanks } from "./visible.ts";

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

/** A line of a side, by its place; or several in a row of which one is not told from the next, or that are left out. */
export type Row =
  | { readonly is: "line"; readonly at: number }
  | { readonly is: "repeats"; readonly at: number; readonly times: number }
  | { readonly is: "left"; readonly at: number; readonly times: number };

/** So many equal lines in a row are one line and their number: text behind a thousand empty lines is still shown. */
const mostRepeats = 10;

export function* rowsOf(lines: readonly string[], { from, to }: Span): Generator<Row> {
  for (let at = from; at < to; ) {
    let end = at + 1;
    while (end < to && lines[end] === lines[at]) end++;
    const most = end - at > mostRepeats ? at + 1 : end;
    for (; at < most; at++) yield { is: "line", at };
    if (at < end) yield { is: "repeats", at, times: end - at };
    at = end;
  }
}

/** As much of the rows as there is room for, and one at least: of the start more than of the end. */
export function fitRows(rows: readonly Row[], lines: readonly string[], room: number): readonly Row[] {
  const costs = rows.map((row) => costOf(row, lines));
  if (costs.reduce((sum, cost) => sum + cost, 0) <= room) return rows;
  const head = Math.max(1, howMany(costs, room * 0.75));
  const tail = howMany(costs.slice(head).toReversed(), room * 0.25);
  const [first, end] = [rows[head], rows[rows.length - tail]];
  if (first === undefined) return rows;
  const last = rows.at(-1);
  const to = end?.at ?? (last === undefined ? first.at : last.at + (last.is === "line" ? 1 : last.times));
  const gap: Row = { is: "left", at: first.at, times: to - first.at };
  return [...rows.slice(0, head), gap, ...rows.slice(rows.length - tail)];
}

function howMany(costs: readonly number[], room: number): number {
  let left = room;
  const first = costs.findIndex((cost) => {
    left -= cost;
    return left < 0;
  });
  return first < 0 ? costs.length : first;
}

/** More than can ever be shown: there is no need to count further. */
const enough = 1_000_000;

/** What it takes to show lines, in characters. */
export function needOf(lines: readonly string[], span: Span): number {
  let need = 0;
  for (const row of rowsOf(lines, span)) {
    need += costOf(row, lines);
    if (need > enough) break;
  }
  return need;
}

function costOf(row: Row, lines: readonly string[]): number {
  return row.is === "line" ? costOfLine(lines[row.at] ?? "", longestLine) : costOfRow;
}

const costOfRow = 40;

/** What it takes to show a line, in characters: what is not ASCII may need to be written as a code. */
export function costOfLine(line: string, longest: number): number {
  const head = line.slice(0, longest);
  return costOfRow + head.length + 4 * (head.match(/[^\x20-\x7e]/g)?.length ?? 0);
}

/** The words for a row that is not a line. */
export function wordsFor(
  row: Exclude<Row, { is: "line" }>,
  lines: readonly string[],
  kind: "added" | "removed",
): string {
  if (row.is === "left") return `… ${count(row.times)} more ${kind} ${row.times === 1 ? "line" : "lines"} …`;
  return lines[row.at] === ""
    ? `… ${count(row.times)} more empty lines …`
    : `… the same ${count(row.times)} times more …`;
}
