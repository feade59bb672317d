import { type Candidate, candidatesOf } from "./candidates.ts";
import { rankingCoefficients } from "./coefficients.ts";
import { featureNames, featuresOf } from "./features.ts";
import type { SearchOptions } from "./lexical-index.ts";
import type { Library } from "./library.ts";
import type { Query } from "./query-terms.ts";
import { withScratch } from "./scratch.ts";

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
