/** Lines of a text from one to another, both among them, counted from 1. */
export type Range = readonly [from: number, to: number];

/** Lines that are shown, or left out, together. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly isShown: boolean;
}

/** All lines of a text in order: those within the ranges, and between them those that are left out. */
export function runsOf(count: number, ranges: readonly Range[]): readonly Run[] {
  const runs: Run[] = [];
  let next = 1;
  for (const [from, to] of merged(count, ranges)) {
    if (from > next) runs.push({ from: next, to: from - 1, isShown: false });
    runs.push({ from, to, isShown: true });
    next = to + 1;
  }
  return next > count ? runs : [...runs, { from: next, to: count, isShown: false }];
}

/** What touches is one; what is outside of the text is none of it. */
function merged(count: number, ranges: readonly Range[]): readonly Range[] {
  const within = ranges.map(([from, to]): Range => [Math.max(1, from), Math.min(count, to)]);
  const inOrder = within.filter(([from, to]) => from <= to).toSorted(([a], [b]) => a - b);
  const done: Range[] = [];
  for (const [from, to] of inOrder) {
    const last = done.at(-1);
    if (last === undefined || from > last[1] + 1) done.push([from, to]);
    else done[done.length - 1] = [last[0], Math.max(last[1], to)];
  }
  return done;
}
