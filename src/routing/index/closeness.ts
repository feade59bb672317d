import { body, surface as surfaceView, type View } from "./best.ts";
import { passageEnd } from "./columns.ts";
import { fieldCount, fields } from "./fields.ts";
import { type Library, type Place, tellsNothing } from "./library.ts";
import { frequencyIn } from "./part.ts";
import type { Query } from "./query.ts";
import { gainOf, timesIn } from "./statistics.ts";

/** What looking for each word in one document gives. */
interface Closeness {
  /** Scores of the views of the surface and of the body. */
  readonly surface: number;
  readonly body: number;
  /** How many of the words that were said it has, where it does not speak of what it is not for. */
  readonly count: number;
  /** The squares of their rarities. */
  readonly squared: number;
}

const exceptions = fields.indexOf("exceptions");
const looked = [surfaceView, body] as const;

export function closenessOf(library: Library, place: Place, { terms }: Query): Closeness {
  const { at, part, document } = place;
  const gains = looked.map((view) => gainsAt(view, library, place));
  const scores = [0, 0];
  let [count, squared] = [0, 0];
  for (const { places, weight, rarity, isSaid: counts } of terms) {
    const frequency = frequencyIn(part, places[at] ?? -1, document);
    if (frequency === 0) continue;
    for (const [view, { saturation }] of looked.entries()) {
      const sum = weighted(frequency, gains[view]);
      scores[view] = (scores[view] ?? 0) + (weight * rarity * (saturation + 1) * sum) / (sum + saturation);
    }
    if (!counts || (frequency & ~(15 << (exceptions * 4))) === 0) continue;
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

/** What a query is when it is held against passages: terms of one part, and pairs of them. */
export interface AskedTerms {
  /** Terms that were said. */
  readonly said: ReadonlySet<number>;
  /** For the last bits of a term, whether any that was said has them: most are told apart by that. */
  readonly maybeSaid: Uint8Array;
  /** Neighbours in the query, by `pairKey`, with what finding them together is worth. */
  readonly pairs: ReadonlyMap<number, number>;
  /** The rarities of all that was said. */
  readonly rarity: number;
}

/** How well what a document says of itself fits a query. */
interface PassageFit {
  /** Rarity of the words of the name that were said. */
  readonly nameSaid: number;
  /** As a share of all words of the name. */
  readonly nameShare: number;
  /** How far the passage that is covered best is covered. */
  readonly covered: number;
  /** How alike the passage is that is most alike. */
  readonly alike: number;
  /** Worth of the pairs that stand together. */
  readonly pairs: number;
}

/** Far more terms than a part has. */
const pairBase = 2 ** 26;

export function pairKey(one: number, other: number): number {
  return one * pairBase + other;
}

const maybeSize = 1024;

export function maybeTable(terms: Iterable<number>): Uint8Array {
  const table = new Uint8Array(maybeSize);
  for (const term of terms) table[term % maybeSize] = 1;
  return table;
}

function isSaid({ said, maybeSaid }: AskedTerms, term: number): boolean {
  return maybeSaid[term % maybeSize] === 1 && said.has(term);
}

const nameField = fields.indexOf("name");
/** So much a passage must have beside what was said: a single word is no passage. */
const leastPassage = 8;

/** Reads the surface of a document once. */
export function fitOf(library: Library, { at, part, document }: Place, asked: AskedTerms): PassageFit {
  const { surface, surfaceStarts, lengths } = part.segment;
  const rarities = library.raritiesOf(at);
  const start = surfaceStarts[document] ?? 0;
  const end = surfaceStarts[document + 1] ?? 0;
  const nameEnd = Math.min(end, start + (lengths[document * fieldCount + nameField] ?? 0));
  const pairs = new Map<number, number>();
  let all = 0;
  let hit = 0;
  let before = passageEnd;
  let from = start;
  let covered = 0;
  let alike = 0;
  let nameAll = 0;
  let nameSaid = 0;
  for (let index = start; index <= end; index++) {
    const term = index < end ? (surface[index] ?? passageEnd) : passageEnd;
    if (term === passageEnd) {
      if (hit > 0) {
        covered = Math.max(covered, hit / (all + leastPassage));
        alike = Math.max(alike, (2 * hit) / (all + asked.rarity));
      }
      all = 0;
      hit = 0;
      before = passageEnd;
      from = index + 1;
      continue;
    }
    const rarity = rarities[term] || library.rarityAt(at, term);
    if (rarity === tellsNothing) continue;
    const isHit = isSaid(asked, term);
    if (isHit && before !== passageEnd) addPair(pairs, asked, pairKey(before, term));
    before = term;
    if (comesBefore(surface, from, index, term)) continue;
    all += rarity;
    if (isHit) hit += rarity;
    if (index >= nameEnd) continue;
    nameAll += rarity;
    if (isHit) nameSaid += rarity;
  }
  const pairWorth = [...pairs.values()].reduce((sum, worth) => sum + worth, 0);
  return { nameSaid, nameShare: nameAll === 0 ? 0 : nameSaid / nameAll, covered, alike, pairs: pairWorth };
}

function addPair(pairs: Map<number, number>, asked: AskedTerms, key: number): void {
  const worth = asked.pairs.get(key);
  if (worth !== undefined) pairs.set(key, worth);
}

/** Passages are short: looking back is faster than keeping a set. */
function comesBefore(surface: Uint32Array, from: number, to: number, term: number): boolean {
  for (let at = from; at < to; at++) if (surface[at] === term) return true;
  return false;
}
