/** What documents are ordered by, and what is known of each. */
export interface Ordering {
  readonly scores: Float64Array;
  /** Decides between equal scores: below zero when the first comes first. */
  compare(one: number, other: number): number;
  allows(row: number): boolean;
}

/**
 * The best of some documents, the best first, without those that are not allowed. Mostly all are, so the best are asked
 * for; should one be missing then, they are chosen again, and whoever would get in is asked for.
 */
export function bestOf(rows: Uint32Array, limit: number, ordering: Ordering): readonly number[] {
  const best = heaped(rows, limit, { ...ordering, allows: () => true });
  return best.every((row) => ordering.allows(row)) ? best : heaped(rows, limit, ordering);
}

/** A heap with the worst of the kept on top. */
function heaped(rows: Uint32Array, limit: number, ordering: Ordering): readonly number[] {
  const { scores } = ordering;
  const heap: number[] = [];
  const order = (one: number, other: number) =>
    (scores[other] ?? 0) - (scores[one] ?? 0) || ordering.compare(one, other);
  let least = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    if ((scores[row] ?? 0) < least) continue;
    const isFull = heap.length >= limit;
    if (isFull && order(row, heap[0] ?? row) >= 0) continue;
    if (!ordering.allows(row)) continue;
    if (isFull) {
      heap[0] = row;
      sink(heap, order);
    } else {
      heap.push(row);
      rise(heap, order);
    }
    if (heap.length >= limit) least = scores[heap[0] ?? 0] ?? 0;
  }
  return heap.toSorted(order);
}

type Order = (one: number, other: number) => number;

function rise(heap: number[], order: Order): void {
  let at = heap.length - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (order(heap[at] ?? 0, heap[above] ?? 0) <= 0) return;
    swap(heap, at, above);
    at = above;
  }
}

function sink(heap: number[], order: Order): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const isRightWorse = right < heap.length && order(heap[right] ?? 0, heap[left] ?? 0) > 0;
    const worse = isRightWorse ? right : left;
    if (order(heap[worse] ?? 0, heap[at] ?? 0) <= 0) return;
    swap(heap, at, worse);
    at = worse;
  }
}

function swap(heap: number[], one: number, other: number): void {
  const kept = heap[one] ?? 0;
  heap[one] = heap[other] ?? 0;
  heap[other] = kept;
}

/** Where the scores of one search are added up. */
export interface Scratch {
  /** For each document its score; zero is none. */
  readonly scores: Float64Array;
  /** Documents that have a score. */
  readonly touched: Uint32Array;
  touchedCount: number;
}

const free: Scratch[] = [];
const mostKept = 2;

/**
 * Lends room for so many documents. It is kept for the next search, and only what was written is cleared. Whoever is
 * asked in the middle of a search and searches again gets another.
 */
export function withScratch<Result>(documents: number, act: (scratch: Scratch) => Result): Result {
  const scratch = fitting(documents);
  try {
    return act(scratch);
  } finally {
    clear(scratch);
    if (free.length < mostKept) free.push(scratch);
  }
}

function fitting(documents: number): Scratch {
  const kept = free.pop();
  if (kept !== undefined && kept.touched.length >= documents) return kept;
  // Some more than needed: the next index is a little larger.
  const room = Math.ceil(documents * 1.25) + 64;
  return { scores: new Float64Array(room), touched: new Uint32Array(room), touchedCount: 0 };
}

function clear(scratch: Scratch): void {
  const { scores, touched, touchedCount } = scratch;
  if (touchedCount > scores.length / 16) scores.fill(0);
  else for (let at = 0; at < touchedCount; at++) scores[touched[at] ?? 0] = 0;
  scratch.touchedCount = 0;
}
