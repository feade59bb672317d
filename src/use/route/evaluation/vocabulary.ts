import type { EntryId } from "../../../base/ids.ts";
import type { ShelfEntry } from "../shelf.ts";
import type { MeasuredRouting } from "./measured-routing.ts";
import type { Pair } from "./pair-tally.ts";
import { ratio } from "./statistics.ts";
import { overlapOf, type Rarity, separatingWords, sharedWords, tellingWords } from "./words.ts";

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
