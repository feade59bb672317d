import { type AskedTerms, closenessOf, fitOf, maybeTable, pairKey } from "./closeness.ts";
import { fieldCount, fields } from "./fields.ts";
import type { Library, Place } from "./library.ts";
import type { Query, QueryTerm } from "./query.ts";
import type { Candidate } from "./ranking.ts";

/** What a candidate is ranked by. The order is that of the coefficients. */
export const featureNames = [
  "wholeShare",
  "surfaceShare",
  "bodyShare",
  "wholeRank",
  "surfaceRank",
  "bodyRank",
  "wholeScore",
  "termShare",
  "rareShare",
  "nameSaid",
  "nameShare",
  "passageCovered",
  "passageAlike",
  "pairs",
  "bodyLength",
  "codeLength",
] as const;

/** So many have a rank in the views of the surface and of the body. */
const mostRanked = 50;
/** The rank of whoever is not among the best of a view. */
const unranked = 150;
/** The most that one word adds to a score, as the ranker was fitted with it. */
const mostOfWord = 2.2;
/** Brings a sum of rarities to about 1. */
const rarityScale = 10;

interface Sums {
  readonly rarity: number;
  readonly squared: number;
  readonly score: number;
  readonly pairs: number;
}

/** The features of all candidates of a query: each row in the order of `featureNames`. */
export function featuresOf(library: Library, query: Query, candidates: readonly Candidate[]): readonly Float64Array[] {
  const pairs = pairsOf(query);
  const sums = {
    rarity: sumOf(query.said, ({ rarity }) => rarity),
    squared: sumOf(query.said, ({ rarity }) => rarity ** 2),
    score: sumOf(query.said, ({ rarity, weight }) => rarity * weight * mostOfWord),
    pairs: sumOf(pairs, ({ worth }) => worth),
  };
  const asked = library.parts.map((_, at) => askedTerms(query, pairs, sums, at));
  const looked = candidates.map((candidate) => {
    const place = library.placeOf(candidate.row);
    return { candidate, place, closeness: closenessOf(library, place, query) };
  });
  const surfaces = standingsOf(looked.map(({ closeness }) => closeness.surface));
  const bodies = standingsOf(looked.map(({ closeness }) => closeness.body));
  return looked.map(({ candidate, place, closeness }, at) => {
    const fit = fitOf(library, place, asked[place.at] ?? nothingAsked);
    return Float64Array.of(
      share(candidate.score, candidates[0]?.score ?? 0),
      surfaces[at]?.share ?? 0,
      bodies[at]?.share ?? 0,
      Math.log(at + 1),
      Math.log(surfaces[at]?.rank ?? unranked),
      Math.log(bodies[at]?.rank ?? unranked),
      share(candidate.score, sums.score),
      share(closeness.count, query.said.length),
      share(closeness.squared, sums.squared),
      fit.nameSaid / rarityScale,
      fit.nameShare,
      fit.covered,
      fit.alike,
      share(fit.pairs, sums.pairs),
      bodyLength(place),
      codeLength(place),
    );
  });
}

interface Standing {
  /** Of the best score. */
  readonly share: number;
  readonly rank: number;
}

/** How candidates stand by a score. Of equals the one that came first stays first. */
function standingsOf(scores: readonly number[]): readonly Standing[] {
  const inOrder = [...scores.keys()].toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  const top = scores[inOrder[0] ?? 0] ?? 0;
  const standings = scores.map((score) => ({ share: share(score, top), rank: unranked }));
  for (const [rank, at] of inOrder.slice(0, mostRanked).entries()) {
    const standing = standings[at];
    if (standing !== undefined && standing.share > 0) standing.rank = rank + 1;
  }
  return standings;
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

const bodyFields = (["headings", "occasions", "prose"] as const).map((name) => fields.indexOf(name));
const codeField = fields.indexOf("code");
/** A body that says something is preferred to a stub; below and above these, length says no more (T32). */
const [shortBody, longBody] = [150, 800];

function bodyLength(place: Place): number {
  const length = sumOf(bodyFields, (field) => lengthOf(place, field));
  return Math.log(Math.min(longBody, Math.max(shortBody, 1 + length)));
}

function codeLength(place: Place): number {
  return Math.log(1 + lengthOf(place, codeField));
}

function lengthOf({ part, document }: Place, field: number): number {
  return part.segment.lengths[document * fieldCount + field] ?? 0;
}

interface Pair {
  readonly one: QueryTerm;
  readonly other: QueryTerm;
  readonly worth: number;
}

/** Words that stand side by side in the query, each pair once. */
function pairsOf({ inOrder }: Query): readonly Pair[] {
  const pairs = new Map<string, Pair>();
  for (const [at, other] of inOrder.entries()) {
    const one = inOrder[at - 1];
    if (one === undefined || one === other) continue;
    pairs.set(`${one.word.token} ${other.word.token}`, { one, other, worth: Math.min(one.rarity, other.rarity) });
  }
  return [...pairs.values()];
}

const nothingAsked: AskedTerms = { said: new Set(), maybeSaid: maybeTable([]), pairs: new Map(), rarity: 0 };

/** A query in the terms of one part. */
function askedTerms({ said }: Query, pairs: readonly Pair[], { rarity }: Sums, at: number): AskedTerms {
  const placeIn = ({ places }: QueryTerm) => places[at] ?? -1;
  const there = new Set(said.map(placeIn).filter((place) => place !== -1));
  return {
    said: there,
    maybeSaid: maybeTable(there),
    pairs: new Map(pairs.map(({ one, other, worth }) => [pairKey(placeIn(one), placeIn(other)), worth])),
    rarity,
  };
}
