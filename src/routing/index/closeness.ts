import { fieldCount, fields } from "./fields.ts";
import { gainOf, timesIn } from "./statistics.ts";
import type { Library, Place } from "./library.ts";
import { frequencyIn } from "./part.ts";
import type { Query } from "./query.ts";
import { body, surface, type View } from "./scoring.ts";

/** What looking for each word in one document gives. */
export interface Closeness {
  /** Scores of the views of the surface and of the body. */
  readonly surface: number;
  readonly body: number;
  /** How many of the words that were said it has, where it does not speak of what it is not for. */
  readonly count: number;
  /** The squares of their rarities. */
  readonly squared: number;
}

const exceptions = fields.indexOf("exceptions");
const looked = [surface, body] as const;

export function closenessOf(library: Library, place: Place, { terms }: Query): Closeness {
  const { at, part, document } = place;
  const gains = looked.map((view) => gainsAt(view, library, place));
  const scores = [0, 0];
  let [count, squared] = [0, 0];
  for (const { places, weight, rarity, isSaid } of terms) {
    const frequency = frequencyIn(part, places[at] ?? -1, document);
    if (frequency === 0) continue;
    for (const [view, { saturation }] of looked.entries()) {
      const sum = weighted(frequency, gains[view]);
      scores[view] = (scores[view] ?? 0) + (weight * rarity * (saturation + 1) * sum) / (sum + saturation);
    }
    if (!isSaid || isOnlyException(frequency)) continue;
    count++;
    squared += rarity ** 2;
  }
  return { surface: scores[0] ?? 0, body: scores[1] ?? 0, count, squared };
}

/** What one occurrence in each field of a document counts. */
export function gainsAt(view: View, library: Library, { part, document }: Place): Float64Array {
  const { lengths } = part.segment;
  const gains = new Float64Array(fieldCount);
  for (let field = 0; field < fieldCount; field++)
    gains[field] = gainOf(view, field, lengths[document * fieldCount + field] ?? 0, library.statistics);
  return gains;
}

/** How often, each field by what it counts. */
export function weighted(frequency: number, gains: Float64Array | undefined): number {
  let sum = 0;
  for (let field = 0; field < fieldCount; field++) sum += timesIn(frequency, field) * (gains?.[field] ?? 0);
  return sum;
}

function isOnlyException(frequency: number): boolean {
  return (frequency & ~(15 << (exceptions * 4))) === 0;
}
