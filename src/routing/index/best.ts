import { type Field, fieldCount, fields } from "./fields.ts";
import type { Library } from "./library.ts";
import type { QueryTerm } from "./query.ts";
import { timesOf } from "./statistics.ts";

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

/** One way to look at a document: BM25 over fields that are put together before repetition is dampened. */
export interface View {
  /** What a field counts, in the order of `fields`. */
  readonly weights: readonly number[];
  /** How far a long field is held against it: from 0, not at all, to 1 (b of BM25). */
  readonly lengthPenalties: readonly number[];
  /** How soon a word that comes again counts no more (k1 of BM25). */
  readonly saturation: number;
}

/** Looks at everything: finds the candidates. */
export const whole: View = {
  weights: byField({
    name: 11,
    description: 9,
    declared: 9,
    headings: 1,
    occasions: 0.8,
    prose: 1,
    code: 0.35,
    exceptions: 1,
  }),
  lengthPenalties: fields.map((field) => (field === "code" ? 0.5 : 0.3)),
  saturation: 1.5,
};

/** Looks at what a skill says of itself. */
export const surface: View = {
  weights: byField({ name: 3, description: 1, declared: 1, occasions: 0.15 }),
  lengthPenalties: fields.map(() => 0.4),
  saturation: 1.2,
};

export const body: View = {
  weights: byField({ headings: 1, occasions: 1, prose: 1, code: 0.5 }),
  lengthPenalties: fields.map(() => 0.3),
  saturation: 1.2,
};

function byField(weights: Partial<Record<Field, number>>): readonly number[] {
  return fields.map((field) => weights[field] ?? 0);
}

const { saturation } = whole;

/** The most that a word can add to a score, by what it is worth. */
export const mostOfWord = saturation + 1;

/**
 * Adds what a term is worth to every document of a part that has it. `isLate` leaves documents out that no other term
 * has found. This is where the time of a search goes: one loop without a call.
 */
export function addScores(library: Library, at: number, term: QueryTerm, isLate: boolean, scratch: Scratch): void {
  const place = term.places[at] ?? -1;
  const part = library.parts[at];
  if (place === -1 || part === undefined) return;
  const { postings, frequencies, postingStarts } = part.segment;
  const { scores, touched } = scratch;
  const { dead } = part;
  const gains = library.gainsOf(at);
  const base = library.baseOf(at);
  const worth = term.weight * term.rarity * mostOfWord;
  const end = postingStarts[place + 1] ?? 0;
  let touchedCount = scratch.touchedCount;
  for (let posting = postingStarts[place] ?? 0; posting < end; posting++) {
    const document = postings[posting] ?? 0;
    const row = base + document;
    const before = scores[row] ?? 0;
    if (before === 0) {
      if (isLate || (dead !== null && dead[document] === 1)) continue;
      touched[touchedCount++] = row;
    }
    let sum = 0;
    let gain = document * fieldCount;
    for (let packed = frequencies[posting] ?? 0; packed !== 0; packed >>>= 4) {
      sum += (timesOf[packed & 15] ?? 0) * (gains[gain] ?? 0);
      gain++;
    }
    scores[row] = before + (worth * sum) / (sum + saturation);
  }
  scratch.touchedCount = touchedCount;
}
