import * as views from "./best.ts";
import { gainsAt, weighted } from "./closeness.ts";
import { confidenceCoefficients } from "./coefficients.ts";
import { fields } from "./fields.ts";
import type { Library, Place } from "./library.ts";
import { alikeFrom, likenessOf } from "./likeness.ts";
import { frequencyIn, signatureAt } from "./part.ts";
import { askedWords, asksForKnowledge, negatedTokens, speaksOfSkills } from "./query.ts";
import type { Ranked } from "./ranking.ts";
import { settledRarity, timesIn, worthOf } from "./statistics.ts";
import { stopWords } from "./words.ts";

/** What a candidate's confidence is made of. The order is that of the coefficients. */
export const confidenceNames = [
  "foundShare",
  "surfaceShare",
  "found",
  "queryLength",
  "worthOfWord",
  "registrySize",
  "scoreMargin",
  "surfaceMargin",
  "rankSoftmax",
  "bodyOnly",
  "excepted",
  "negated",
  "asksForKnowledge",
  "speaksOfSkills",
] as const;

/** So many different answers are weighed against each other. */
const mostClusters = 10;
/** Among so many the right one is, if it is anywhere. */
const mostLikely = 5;

/** Candidates that are one answer, the best of them first. */
type Cluster = readonly Ranked[];

/** The first different answers; what comes after them is in none. */
export function clustersOf(library: Library, ranked: readonly Ranked[]): readonly Cluster[] {
  const clusters: Ranked[][] = [];
  for (const each of ranked) {
    const alike = clusters.find(([first]) => first !== undefined && areAlike(library, first, each));
    if (alike !== undefined) alike.push(each);
    else if (clusters.length < mostClusters) clusters.push([each]);
    else break;
  }
  return clusters;
}

function areAlike(library: Library, one: Ranked, other: Ranked): boolean {
  const [first, second] = [library.placeOf(one.candidate.row), library.placeOf(other.candidate.row)];
  return likenessOf(signatureAt(first.part, first.document), signatureAt(second.part, second.document)) >= alikeFrom;
}

/** Evidence in nats that every share has to beat: without any, a share is nothing. */
const prior = 4;
const scorePrior = 2.2 * prior;

/** The features of each cluster, in the order of `confidenceNames`. */
export function confidenceFeatures(
  text: string,
  library: Library,
  clusters: readonly Cluster[],
): readonly (readonly number[])[] {
  const words = worthyWords(text, library);
  const worth = words.reduce((sum, word) => sum + word.worth, 0);
  const firsts = clusters.flatMap(([first]) => first ?? []);
  const evidence = firsts.map(({ candidate }) => evidenceFor(library, library.placeOf(candidate.row), words));
  const scores = evidence.map(({ score }) => score);
  const surfaces = evidence.map(({ surface }) => surface);
  const likely = softmax(firsts.map(({ score }) => score));
  const asks = asksForKnowledge(text) ? 1 : 0;
  const speaks = speaksOfSkills(text) ? 1 : 0;
  return evidence.map((each, at) => [
    each.found / (worth + prior),
    each.surface / (worth + prior),
    Math.log1p(each.found),
    Math.log1p(words.length),
    Math.log1p(words.length === 0 ? 0 : worth / words.length),
    Math.log(Math.max(2, library.statistics.documents)) / 10,
    margin(scores, at, scorePrior),
    margin(surfaces, at, prior),
    likely[at] ?? 0,
    (each.words - each.surfaceWords) / (worth + prior),
    each.excepted / (worth + prior),
    each.negated / (each.surfaceWords + prior),
    asks,
    speaks,
  ]);
}

/** By how much one leads the best of the others, or stays behind it. */
function margin(values: readonly number[], at: number, least: number): number {
  const own = values[at] ?? 0;
  const other = values.reduce((most, value, index) => (index === at ? most : Math.max(most, value)), 0);
  return (own - other) / (Math.max(own, other) + least);
}

function softmax(values: readonly number[]): readonly number[] {
  const top = Math.max(...values);
  const raised = values.map((value) => Math.exp(value - top));
  const sum = raised.reduce((left, value) => left + value, 0);
  return raised.map((value) => value / sum);
}

const coefficients = confidenceNames.map((name) => confidenceCoefficients[name] ?? 0);
const intercept = confidenceCoefficients["intercept"] ?? 0;

/**
 * How sure it is that each of the candidates is right, from 0 to 1. Only one answer can be: those of the first five add
 * up to no more than 1, and their sum is how sure it is that any of them is.
 */
export function confidencesOf(text: string, library: Library, ranked: readonly Ranked[]): ReadonlyMap<Ranked, number> {
  const clusters = clustersOf(library, ranked);
  const likely = confidenceFeatures(text, library, clusters).map(logistic);
  const sum = likely.slice(0, mostLikely).reduce((left, value) => left + value, 0);
  const least = Math.min(1, ...likely) / 2;
  const ofCluster = new Map(
    clusters.flatMap((cluster, at) => cluster.map((member) => [member, likely[at] ?? 0] as const)),
  );
  return new Map(ranked.map((each) => [each, (ofCluster.get(each) ?? least) / Math.max(1, sum)]));
}

function logistic(features: readonly number[]): number {
  const sum = features.reduce((left, feature, at) => left + feature * (coefficients[at] ?? 0), intercept);
  return 1 / (1 + Math.exp(-sum));
}

/** A word of a query as evidence. */
interface WorthyWord {
  readonly places: readonly number[];
  readonly rarity: number;
  /** What finding it is worth, in nats. */
  readonly worth: number;
  readonly isStop: boolean;
  /** Whether the query says that it is not about it. */
  readonly isNegated: boolean;
}

const mostWords = 256;

/** All words of a query, stop words too, and those that no document has. */
function worthyWords(text: string, library: Library): readonly WorthyWord[] {
  const negated = negatedTokens(text);
  return [...askedWords(text, library).all.values()].slice(0, mostWords).map((word) => {
    const { places, documents } = library.locate(word);
    const rarity = settledRarity(word.token, documents, library.statistics.documents);
    return {
      places,
      rarity,
      worth: worthOf(word.token, rarity),
      isStop: stopWords().has(word.token),
      isNegated: negated.has(word.token),
    };
  });
}

/** What speaks for a document: sums over the words of a query, in nats. */
interface Evidence {
  /** Words found anywhere, and on the surface, less where they are thin. */
  readonly found: number;
  readonly surface: number;
  /** The same, each word whole. */
  readonly words: number;
  readonly surfaceWords: number;
  /** Words that stand only where the document says what it is not for. */
  readonly excepted: number;
  /** Words on the surface that the query says it is not about. */
  readonly negated: number;
  /** All that was found, as a score that means the same beside any other query. */
  readonly score: number;
}

const surfaceShare = 0.3;
const scoreScale = 2.2 * 1.45;

function evidenceFor(library: Library, place: Place, words: readonly WorthyWord[]): Evidence {
  const [wholeGains, surfaceGains] = [gainsAt(views.whole, library, place), gainsAt(views.surface, library, place)];
  const sum = { found: 0, surface: 0, words: 0, surfaceWords: 0, excepted: 0, negated: 0, score: 0 };
  for (const { places, worth, rarity, isStop, isNegated } of words) {
    const frequency = frequencyIn(place.part, places[place.at] ?? -1, place.document);
    if (frequency === 0) continue;
    const whole = saturated(frequency, wholeGains, views.whole);
    const surface = saturated(frequency, surfaceGains, views.surface);
    sum.found += worth * whole;
    sum.surface += worth * surface;
    if (whole > 0) sum.words += worth;
    if (surface > 0) sum.surfaceWords += worth;
    if (surface > 0 && isNegated) sum.negated += worth;
    if (surface === 0 && timesIn(frequency, exceptions) > 0) sum.excepted += worth;
    if (!isStop) sum.score += rarity ** 0.8 * scoreScale * (whole + surfaceShare * surface);
  }
  return sum;
}

const exceptions = fields.indexOf("exceptions");

/** How much of what a word can count it counts here: from 0 to 1, what a document is not for aside. */
function saturated(frequency: number, gains: Float64Array, { saturation }: views.View): number {
  const sum = weighted(frequency & ~(15 << (exceptions * 4)), gains);
  return sum / (sum + saturation);
}
