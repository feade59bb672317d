import { fieldCount } from "./fields.ts";
import { timesOf } from "./frequency.ts";
import type { Library } from "./library.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { Scratch } from "./scratch.ts";
import { whole } from "./views.ts";

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
