import type { EntryId } from "../../core/ids.ts";
import type { ShelfEntry } from "../shelf.ts";
import type { Pair } from "./confusable.ts";
import type { MeasuredRouting } from "./golden.ts";
import { ratio } from "./statistics.ts";

export function saidBy({ name, description }: ShelfEntry): string {
  return `${name} ${description}`;
}

const mostWords = 6;

export interface Explained {
  /** What both descriptions have, the rarest first. */
  readonly shared: readonly string[];
  /** For each of the two, words of its own text that the other does not have. */
  readonly separating: readonly [readonly string[], readonly string[]];
}

/** The words of skills, each looked at once. */
export class Vocabulary {
  readonly #routing: MeasuredRouting;
  readonly #rarity: Rarity;
  readonly #said = new Map<EntryId, ReadonlySet<string>>();

  constructor(routing: MeasuredRouting, rarity: Rarity) {
    this.#routing = routing;
    this.#rarity = rarity;
  }

  overlapOf([a, b]: Pair["skills"]): number {
    return ratio(overlapOf(this.#wordsOf(a), this.#wordsOf(b), this.#rarity));
  }

  /** What both say, and for each what only its own text says. */
  explain([a, b]: Pair["skills"]): Explained {
    const [textA, textB] = [this.#textOf(a), this.#textOf(b)];
    return {
      shared: sharedWords(this.#wordsOf(a), this.#wordsOf(b), this.#rarity, mostWords),
      separating: [
        separatingWords(textA, textB, this.#rarity, mostWords),
        separatingWords(textB, textA, this.#rarity, mostWords),
      ],
    };
  }

  #wordsOf(id: EntryId): ReadonlySet<string> {
    const entry = this.#routing.entries.get(id);
    const known = this.#said.get(id) ?? tellingWords(entry === undefined ? "" : saidBy(entry));
    this.#said.set(id, known);
    return known;
  }

  #textOf(id: EntryId): string {
    const entry = this.#routing.entries.get(id);
    return entry === undefined ? "" : `${saidBy(entry)} ${this.#routing.bodyOf(id)}`;
  }
}

/** The words of a text as a person would name them, in lower case. Scripts without spaces give pairs of characters. */
function wordsOf(text: string, most = 20_000): readonly string[] {
  const words: string[] = [];
  for (const [run] of text.slice(0, mostCharacters).toLowerCase().matchAll(runs)) {
    if (!unspaced.test(run)) words.push(run);
    else words.push(...pairsOf(run));
    if (words.length >= most) break;
  }
  return words;
}

const mostCharacters = 262_144;
const runs = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]{1,47}/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, at) => `${characters[at] ?? ""}${character}`);
}

/** Words that stand in every description and so tell nothing. */
const common: ReadonlySet<string> = new Set(
  `a about after all also an and any are as at be been before but by can do does each for from has have how if in into
  is it its like may more most no not of on one only or other out over own per set should so some such than that the
  their them then there these they this those through to too two under up use used user users uses using via was what
  when where whether which while who will with within without you your skill skills agent claude asks ask needs need
  want wants help helps make makes create creates file files every because between both cannot could did else even few
  first get gets give given gives go goes had here him his however instead just keep keeps know last later leave less
  let many might much must my never new next none nothing now often once our put rather same say says see since still
  take takes tell thing things time until us very we well were whose why would yes yet`.split(/\s+/),
);

function isTelling(word: string): boolean {
  return word.length > 1 && !common.has(word) && !/^\p{N}+$/u.test(word);
}

/** How rare words are over some texts: what stands in few of them says most. */
export class Rarity {
  readonly #counts = new Map<string, number>();
  #texts = 0;

  add(text: string): void {
    this.#texts++;
    for (const word of new Set(wordsOf(text))) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  of(word: string): number {
    return Math.log(1 + this.#texts / (this.#counts.get(word) ?? 0.5));
  }
}

/** The telling words of a text, each once. */
function tellingWords(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).filter(isTelling));
}

/** How much two sets of words have in common, from 0 to 1: rare ones weigh more. */
function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>, rarity: Rarity): number {
  const weigh = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + rarity.of(word), 0);
  const both = weigh([...a].filter((word) => b.has(word)));
  const all = weigh(a) + weigh(b) - both;
  return all === 0 ? 0 : both / all;
}

/** Words that both have, the rarest first. */
function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>, rarity: Rarity, most: number): readonly string[] {
  const both = [...a].filter((word) => b.has(word));
  return both.toSorted((x, y) => rarity.of(y) - rarity.of(x)).slice(0, most);
}

/** Words that would tell one from the other: often in its own text, rare elsewhere, and nowhere in the other's. */
function separatingWords(own: string, other: string, rarity: Rarity, most: number): readonly string[] {
  const others = new Set(wordsOf(other));
  const counts = new Map<string, number>();
  for (const word of wordsOf(own)) if (!others.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weight = ([word, count]: readonly [string, number]) => Math.log(1 + count) * rarity.of(word);
  return [...counts]
    .filter(([word]) => isTelling(word))
    .toSorted((x, y) => weight(y) - weight(x))
    .slice(0, most)
    .map(([word]) => word);
}
