import type { EntryId } from "../../core/ids.ts";
import type { MeasuredRouting } from "./golden.ts";
import { isFired, isPositive, type Outcome } from "./outcome.ts";
import type { Confusion, Fire, Miss, Withheld } from "./report.ts";
import { ratio } from "./statistics.ts";

/** Positives whose right skill was not first, in the order of the file. */
export function missesOf(outcomes: readonly Outcome[]): readonly Miss[] {
  return outcomes.filter(isMissed).map(({ golden, first, given, rank, isLookAlike }) => ({
    at: golden.at,
    query: golden.query,
    kind: golden.kind,
    note: golden.note,
    expected: namedBy(golden),
    rank,
    chosen: first?.entry ?? null,
    confidence: first === null ? null : ratio(first.confidence),
    link: first?.link ?? null,
    why: first?.why ?? "nothing was found",
    abstained: given === null,
    alike: isLookAlike,
  }));
}

function isMissed(outcome: Outcome): boolean {
  return isPositive(outcome) && outcome.rank !== 1;
}

function namedBy({ wanted }: Outcome["golden"]): readonly EntryId[] {
  return wanted.is === "none" ? [] : [...wanted.entries];
}

/** Negatives that got a wrong match, the surest first. */
export function firesOf(outcomes: readonly Outcome[]): readonly Fire[] {
  return outcomes
    .flatMap((outcome) => {
      const { golden, given } = outcome;
      if (given === null || !isFired(outcome)) return [];
      const { entry: chosen, confidence, link, why } = given;
      const { at, query, note } = golden;
      return [{ at, query, note, chosen, confidence: ratio(confidence), link, why }];
    })
    .toSorted((a, b) => b.confidence - a.confidence);
}

/** Positives whose right skill was first and stayed below the floor, the nearest to it first. */
export function withheldOf(outcomes: readonly Outcome[]): readonly Withheld[] {
  return outcomes
    .flatMap((outcome) => {
      const { golden, first, given, rank } = outcome;
      if (!isPositive(outcome) || rank !== 1 || first === null || given !== null) return [];
      return [{ at: golden.at, query: golden.query, expected: first.entry, confidence: ratio(first.confidence) }];
    })
    .toSorted((a, b) => b.confidence - a.confidence);
}

const mostWords = 6;

/** Which skill was taken for which, the most frequent first. Of several expected ones the first stands for all. */
export function confusionsOf(outcomes: readonly Outcome[], routing: MeasuredRouting): readonly Confusion[] {
  const pairs = new Map<string, { expected: EntryId; chosen: EntryId; queries: string[]; alike: boolean }>();
  for (const { golden, first, isLookAlike } of outcomes.filter(isMissed)) {
    const [expected] = namedBy(golden);
    if (first === null || expected === undefined) continue;
    const key = JSON.stringify([expected, first.entry]);
    const pair = pairs.get(key) ?? { expected, chosen: first.entry, queries: [], alike: isLookAlike };
    pair.queries.push(golden.query);
    pairs.set(key, pair);
  }
  return [...pairs.values()]
    .toSorted((a, b) => b.queries.length - a.queries.length)
    .map(({ expected, chosen, queries, alike }) => ({
      expected,
      chosen,
      count: queries.length,
      words: mostFrequent(queries.flatMap((query) => [...new Set(routing.wordsFor(query, chosen))])),
      alike,
    }));
}

function mostFrequent(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  // Sorting is stable: of words as frequent, the rarer in the index stay first.
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostWords)
    .map(([word]) => word);
}
