/** What stands at `before` on one side stands at `after` on the other. */
export type Match = readonly [before: number, after: number];

/** More edits than this in one gap are a rewritten text: nothing in it is worth the square of them. */
const mostEdits = 600;

/**
 * What two lists have in common under the fewest insertions and deletions (Myers 1986); nothing when there are too
 * many of them or the steps run out. A place is x in the one list and y in the other, its diagonal k is x - y, and
 * `reached` has the largest x on each diagonal, -1 where there is none.
 */
function shortestEdit(a: readonly number[], b: readonly number[], steps: Steps): Match[] {
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

/** How much looking there may be. Counted, not timed: the same input gives the same answer on every machine (T26). */
export class Steps {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** False when there are not that many left. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

/**
 * What two lists have in common, in order on both sides: lines of a file, words of a line. Equal ends are taken as they
 * are, the rest is held on to by what occurs once on each side, and between those the shortest edit is looked for as
 * long as there are steps. Whatever runs out, the answer is a true one: it only finds less in common.
 */
export function matchEqual(before: readonly string[], after: readonly string[], steps: Steps): Match[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;

  const middle = matchMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail), steps);
  const matches: Match[] = [];
  for (let at = 0; at < head; at++) matches.push([at, at]);
  for (const [a, b] of middle) matches.push([a + head, b + head]);
  for (let left = tail; left > 0; left--) matches.push([before.length - left, after.length - left]);
  return matches;
}

/** One side: what it has of what both have, as numbers, and where each stood. */
interface Side {
  readonly ids: readonly number[];
  readonly places: readonly number[];
}

function matchMiddle(before: readonly string[], after: readonly string[], steps: Steps): Match[] {
  if (before.length === 0 || after.length === 0) return [];
  const ids = new Map<string, number>();
  for (const each of before) if (!ids.has(each)) ids.set(each, ids.size);
  const inAfter = new Set(after);
  // What one side alone has can be in no match: without it a rewritten text costs next to nothing.
  const a = sideOf(before, (each) => (inAfter.has(each) ? ids.get(each) : undefined));
  const b = sideOf(after, (each) => ids.get(each));
  return matchSides(a, b, ids.size, steps).map(([x, y]) => [a.places[x] ?? 0, b.places[y] ?? 0]);
}

function sideOf(list: readonly string[], idOf: (each: string) => number | undefined): Side {
  const side: { ids: number[]; places: number[] } = { ids: [], places: [] };
  for (const [place, each] of list.entries()) {
    const id = idOf(each);
    if (id === undefined) continue;
    side.ids.push(id);
    side.places.push(place);
  }
  return side;
}

function matchSides(a: Side, b: Side, kinds: number, steps: Steps): Match[] {
  const matches: Match[] = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...anchors(a, b, kinds), [a.ids.length, b.ids.length] as const]) {
    const gap = shortestEdit(a.ids.slice(x, nextX), b.ids.slice(y, nextY), steps);
    for (const [inX, inY] of gap) matches.push([x + inX, y + inY]);
    if (nextX < a.ids.length) matches.push([nextX, nextY]);
    [x, y] = [nextX + 1, nextY + 1];
  }
  return matches;
}

/** The longest row of what occurs exactly once on each side. */
function anchors(a: Side, b: Side, kinds: number): Match[] {
  const [inA, inB] = [placesOnce(a, kinds), placesOnce(b, kinds)];
  const once: Match[] = [];
  for (const [x, id] of a.ids.entries()) {
    const y = inB[id] ?? absent;
    if ((inA[id] ?? absent) >= 0 && y >= 0) once.push([x, y]);
  }
  return longestRising(once);
}

const absent = -1;
const twice = -2;

function placesOnce({ ids }: Side, kinds: number): readonly number[] {
  const places = Array.from({ length: kinds }, () => absent);
  for (const [place, id] of ids.entries()) places[id] = places[id] === absent ? place : twice;
  return places;
}

/** Of matches in order on one side, as many as can be that are in order on the other too. */
function longestRising(matches: readonly Match[]): Match[] {
  const ends: number[] = [];
  const previous: number[] = [];
  const reach = (at: number | undefined) => matches[at ?? -1]?.[1] ?? -1;
  for (const [at, [, y]] of matches.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if (reach(ends[half]) < y) low = half + 1;
      else high = half;
    }
    previous.push(ends[low - 1] ?? -1);
    ends[low] = at;
  }
  const row: Match[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) row.push(matches[at] ?? [0, 0]);
  return row.toReversed();
}
