import type { EntryId } from "../../../base/ids.ts";
import type { Match, Routed } from "../routed.ts";
import { ratio } from "./statistics.ts";

/** How alike two skills are: the same bytes, nearly the same text, or only descriptions that call for the same requests. */
export type Likeness = "identical" | "near-identical" | "similar";

/** So many matches are looked at for each query. */
export const mostLooked = 10;

/** Two skills that came near one another. */
export interface Pair {
  readonly skills: readonly [EntryId, EntryId];
  likeness: Likeness;
  /** The share of the queries of both that led to the other. */
  score: number;
}

/** So many beside the own one are worth a look at the words. */
const nearby = 3;

/** Which queries led to whom. */
export class PairTally {
  readonly #pairs = new Map<string, Pair & { lost: number }>();
  /** How many queries each was asked with. */
  readonly #asked = new Map<EntryId, number>();
  readonly #firstOf: (id: EntryId) => EntryId;

  /** `firstOf`: the one that stands for all that have the text of a skill. */
  constructor(firstOf: (id: EntryId) => EntryId) {
    this.#firstOf = firstOf;
  }

  markAlike(a: EntryId, b: EntryId, likeness: Likeness): void {
    this.#pair(a, b).likeness = likeness;
  }

  /** What one query of a skill led to. */
  add(own: EntryId, { trace }: Routed): void {
    this.#asked.set(own, (this.#asked.get(own) ?? 0) + 1);
    const ranked = trace.ranked.slice(0, mostLooked);
    const mine = ranked.find((match) => this.#textsOf(match).has(own));
    if (mine !== undefined) this.#markNear(own, this.#textsOf(mine));
    const reach = mine === undefined ? 0 : mine.confidence - trace.thresholds.margin;
    for (const [at, match] of ranked.filter((each) => each !== mine).entries()) {
      const isLost = match.confidence > reach;
      if (isLost || at < nearby) this.#pair(own, this.#firstOf(match.entry)).lost += isLost ? 1 : 0;
    }
  }

  #textsOf({ entry, alike }: Match): ReadonlySet<EntryId> {
    return new Set([entry, ...alike].map((id) => this.#firstOf(id)));
  }

  /** Of many that are alike each is held against the first: every one against every other would be their square. */
  #markNear(own: EntryId, all: ReadonlySet<EntryId>): void {
    const first = [...all].reduce((least, id) => (id < least ? id : least), own);
    for (const other of all)
      if (other !== own && (own === first || other === first)) this.markAlike(own, other, "near-identical");
  }

  pairs(): readonly Pair[] {
    return [...this.#pairs.values()].map(({ skills, likeness, lost }) => {
      const [a, b] = skills.map((id) => this.#asked.get(id) ?? 0);
      return { skills, likeness, score: ratio(lost / Math.max(1, (a ?? 0) + (b ?? 0))) };
    });
  }

  #pair(a: EntryId, b: EntryId): Pair & { lost: number } {
    const skills: readonly [EntryId, EntryId] = a < b ? [a, b] : [b, a];
    const key = JSON.stringify(skills);
    const pair = this.#pairs.get(key) ?? { skills, likeness: "similar" as const, score: 0, lost: 0 };
    this.#pairs.set(key, pair);
    return pair;
  }
}
