import type { Library } from "./library.ts";
import { askedWords } from "./query.ts";
import { otherWordsFor, type Word } from "./words.ts";

/** A word that is looked for. */
export interface QueryTerm {
  readonly word: Word;
  /** False for another word for one that was said. */
  readonly isSaid: boolean;
  /** Its place among the terms of each part; -1 where it does not occur. */
  readonly places: readonly number[];
  /** How many documents have it. */
  readonly documents: number;
  readonly rarity: number;
  /** What it counts in this query beside its rarity. */
  readonly weight: number;
}

export interface Query {
  /** What weighs most first. */
  readonly terms: readonly QueryTerm[];
  /** Those that were said. */
  readonly said: readonly QueryTerm[];
  /** What was said, in its order: known words only. */
  readonly inOrder: readonly QueryTerm[];
}

/** So many words are looked for: more make a search slow and no better. */
const mostTerms = 64;
const otherWeight = 0.5;

/** A query as an index sees it. */
export function readQuery(text: string, library: Library): Query {
  const { distinct, inOrder } = askedWords(text, library);
  const known = Array.from(distinct.values(), ({ word, weight }) => termOf(word, weight, library)).filter(
    ({ documents }) => documents > 0,
  );
  const terms = [...known, ...otherTerms(known, library)].toSorted(byWorth).slice(0, mostTerms);
  const said = terms.filter(({ isSaid }) => isSaid);
  const byToken = new Map(said.map((term) => [term.word.token, term]));
  return {
    terms,
    said,
    inOrder: inOrder.flatMap(({ token }) => byToken.get(token) ?? []),
  };
}

/** What a word is worth falls less than its rarity grows, and a word that documents repeat is what they are about. */
function termOf(word: Word, placeWeight: number, library: Library): QueryTerm {
  const { places, documents, repeated } = library.locate(word);
  const rarity = library.rarityOf(documents);
  return {
    word,
    isSaid: true,
    places,
    documents,
    rarity,
    weight: placeWeight * rarity ** -0.35 * (repeated + 0.3) ** 0.5,
  };
}

function otherTerms(said: readonly QueryTerm[], library: Library): readonly QueryTerm[] {
  const others = new Map<string, QueryTerm>();
  const tokens = new Set(said.map(({ word }) => word.token));
  for (const { word, weight } of said)
    for (const other of otherWordsFor(word.token)) {
      const known = others.get(other.token);
      if (tokens.has(other.token) || (known !== undefined && known.weight >= otherWeight * weight)) continue;
      const term = termOf(other, 1, library);
      others.set(other.token, { ...term, isSaid: false, weight: otherWeight * weight });
    }
  return [...others.values()].filter(({ documents }) => documents > 0);
}

function byWorth(one: QueryTerm, other: QueryTerm): number {
  return (
    other.weight * other.rarity - one.weight * one.rarity ||
    one.word.high - other.word.high ||
    one.word.low - other.word.low
  );
}
