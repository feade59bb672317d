import { gainsAt, weighted } from "./closeness.ts";
import { fields } from "./fields.ts";
import { timesIn } from "./frequency.ts";
import type { Library, Place } from "./library.ts";
import { negatedTokens } from "./negation.ts";
import { frequencyIn } from "./part.ts";
import { askedWords } from "./query.ts";
import * as views from "./views.ts";
import { stopWords } from "./words.ts";
import { settledRarity, worthOf } from "./worth.ts";

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
export function worthyWords(text: string, library: Library): readonly WorthyWord[] {
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
export interface Evidence {
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

export function evidenceFor(library: Library, place: Place, words: readonly WorthyWord[]): Evidence {
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
