import type { Steps } from "./steps.ts";

/** What stands at `before` on one side stands at `after` on the other. */
export type Match = readonly [before: number, after: number];

/** More edits than this in one gap are a rewritten text: nothing in it is worth the square of them. */
const mostEdits = 600;

/**
 * What two lists have in common under the fewest insertions and deletions (Myers 1986); nothing when there are too
 * many of them or the steps run out. A place is x in the one list and y in the other, its diagonal k is x - y, and
 * `reached` has the largest x on each diagonal, -1 where there is none.
 */
export function shortestEdit(a: readonly number[], b: readonly number[], steps: Steps): Match[] {
  if (a.length === 0 || b.length === 0) return [];
  const most = Math.min(a.length + b.length, mostEdits);
  const middle = most + 1;
  const reached = new Int32Array(2 * most + 3).fill(-1);
  reached[middle + 1] = 0;
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reached.slice(middle - edits - 1, middle + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const start = arrive(reached, middle, k, a.length, b.length).x;
      const x = start < 0 ? -1 : follow(a, b, start, k);
      if (!steps.spend(1 + x - start)) return [];
      reached[middle + k] = x;
      if (x === a.length && x - k === b.length) return walkBack(trace, a.length, b.length);
    }
  }
  return [];
}

/** The best way onto a diagonal from the two beside it, without leaving either list. */
function arrive(
  reached: Int32Array,
  middle: number,
  k: number,
  width: number,
  height: number,
): { x: number; fromX: number; fromK: number } {
  const left = reached[middle + k - 1] ?? -1;
  const above = reached[middle + k + 1] ?? -1;
  const right = left >= 0 && left < width ? left + 1 : -1;
  const down = above >= 0 && above - k <= height ? above : -1;
  return down >= right ? { x: down, fromX: above, fromK: k + 1 } : { x: right, fromX: left, fromK: k - 1 };
}

function follow(a: readonly number[], b: readonly number[], start: number, k: number): number {
  let x = start;
  while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
  return x;
}

function walkBack(trace: readonly Int32Array[], width: number, height: number): Match[] {
  const matches: Match[] = [];
  let [x, k] = [width, width - height];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const way = arrive(trace[edits] ?? new Int32Array(), edits + 1, k, width, height);
    for (; x > way.x; x--) matches.push([x - 1, x - 1 - k]);
    [x, k] = [way.fromX, way.fromK];
  }
  return matches.toReversed();
}
