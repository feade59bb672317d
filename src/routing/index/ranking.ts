import { addScores, bestOf, mostOfWord, type Scratch, withScratch } from "./best.ts";
import { rankingCoefficients } from "./coefficients.ts";
import { featureNames, featuresOf } from "./features.ts";
import type { SearchOptions } from "./lexical-index.ts";
import type { Library } from "./library.ts";
import type { Query } from "./query.ts";

/** A candidate with what it is ranked by. */
export interface Ranked {
  readonly candidate: Candidate;
  readonly features: Float64Array;
  readonly score: number;
}

/** The candidates of a query, the best first. */
export function rankedIn(library: Library, query: Query, options: SearchOptions): readonly Ranked[] {
  const allows = askedOnce((row) => options.allows(library.digestOf(row)));
  const candidates = withScratch(library.rows, (scratch) => candidatesOf({ library, query, scratch, allows }));
  const features = featuresOf(library, query, candidates);
  const ranked = candidates.map((candidate, at) => {
    const ofCandidate = features[at] ?? new Float64Array();
    return { candidate, features: ofCandidate, score: scoreOf(ofCandidate) };
  });
  return ranked.toSorted(
    (one, other) => other.score - one.score || library.compare(one.candidate.row, other.candidate.row),
  );
}

function askedOnce(allows: (row: number) => boolean): (row: number) => boolean {
  const answers = new Map<number, boolean>();
  return (row) => {
    const answer = answers.get(row) ?? allows(row);
    answers.set(row, answer);
    return answer;
  };
}

const coefficients = Float64Array.from(featureNames, (name) => rankingCoefficients[name] ?? 0);

function scoreOf(features: Float64Array): number {
  return features.reduce((sum, feature, at) => sum + feature * (coefficients[at] ?? 0), 0);
}

/** A document that is looked at closely. */
export interface Candidate {
  readonly row: number;
  readonly score: number;
}

interface Searching {
  readonly library: Library;
  readonly query: Query;
  readonly scratch: Scratch;
  readonly allows: (row: number) => boolean;
}

/** So many documents are looked at closely. */
const mostCandidates = 100;

/** The documents that have most of what was asked for, the best first. */
function candidatesOf(searching: Searching): readonly Candidate[] {
  score(searching);
  return best(searching).map((row) => ({ row, score: searching.scratch.scores[row] ?? 0 }));
}

/** From so many documents on a word is common enough to ask whether it still finds anything. */
const common = 1_000;
/** Asked again when less than this share is left of what was left when it was asked last. */
const askedAgain = 0.75;

/**
 * What weighs most first. When the words that are left cannot bring a document among the candidates by themselves, they
 * only add to those that were found already: most of the work of a search is common words.
 */
function score(searching: Searching): void {
  const { library, query, scratch } = searching;
  let left = query.terms.reduce((sum, { weight, rarity }) => sum + weight * rarity * mostOfWord, 0);
  let leftBefore = Number.POSITIVE_INFINITY;
  let isLate = false;
  for (const term of query.terms) {
    if (!isLate && term.documents >= common && left < leftBefore * askedAgain) {
      isLate = left < leastOfBest(searching);
      leftBefore = left;
    }
    for (const at of library.parts.keys()) addScores(library, at, term, isLate, scratch);
    left -= term.weight * term.rarity * mostOfWord;
  }
}

/** What a document must have to be a candidate; nothing while there are too few. */
function leastOfBest(searching: Searching): number {
  const rows = best(searching);
  return rows.length < mostCandidates ? 0 : (searching.scratch.scores[rows.at(-1) ?? 0] ?? 0);
}

function best({ library, scratch, allows }: Searching): readonly number[] {
  return bestOf(scratch.touched.subarray(0, scratch.touchedCount), mostCandidates, {
    scores: scratch.scores,
    compare: (one, other) => library.compare(one, other),
    allows,
  });
}
