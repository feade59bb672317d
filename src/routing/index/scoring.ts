import type { Scratch } from "./best.ts";
import { type Field, fieldCount, fields } from "./fields.ts";
import type { Library } from "./library.ts";
import type { QueryTerm } from "./query.ts";
import { timesOf } from "./statistics.ts";

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
