import { confidencesOf } from "./confidence.ts";
import { fields } from "./fields.ts";
import { timesIn } from "./statistics.ts";
import type { Found, SearchOptions } from "./lexical-index.ts";
import { Library } from "./library.ts";
import { frequencyIn, type Part } from "./part.ts";
import { type Query, readQuery } from "./query.ts";
import { rankedIn } from "./ranking.ts";

export type Search = (text: string, options: SearchOptions) => readonly Found[];

/** Of a longer text only the beginning is read: what is asked for stands there. */
const longestQuery = 32_768;

/** Makes what all searches in an index share. */
export function createSearch(parts: readonly Part[]): Search {
  const library = new Library(parts);
  return (asked, options) => {
    const text = asked.slice(0, longestQuery);
    const query = readQuery(text, library);
    if (query.terms.length === 0 || options.limit <= 0) return [];
    const ranked = rankedIn(library, query, options);
    const confidences = confidencesOf(text, library, ranked);
    return ranked.slice(0, options.limit).map((each) => ({
      digest: library.digestOf(each.candidate.row),
      score: each.score,
      confidence: confidences.get(each) ?? 0,
      words: wordsOf(library, query, each.candidate.row),
    }));
  };
}

const mostWords = 8;

/** The words of a query that a document has, the rarest first. */
function wordsOf(library: Library, { said }: Query, row: number): Found["words"] {
  const { at, part, document } = library.placeOf(row);
  const words = new Map<string, Found["words"][number]>();
  for (const { word, places } of said.toSorted((one, other) => other.rarity - one.rarity)) {
    const frequency = frequencyIn(part, places[at] ?? -1, document);
    if (frequency === 0 || words.has(word.written)) continue;
    words.set(word.written, { word: word.written, fields: fields.filter((_, field) => timesIn(frequency, field) > 0) });
  }
  return [...words.values()].slice(0, mostWords);
}
