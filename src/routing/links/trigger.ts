import { safeName } from "../../core/text.ts";
import { heardIn, type Reason, strongest } from "../names/path-table.ts";
import type { Link } from "../link.ts";
import { inSteps, madeOnce } from "../made-once.ts";
import { Phrases, type StandingPhrase, weightOf, type Word, wordsOf } from "../names/phrases.ts";
import type { Shelf, ShelfEntry } from "../shelf.ts";

/** A phrase that a skill is to be taken for. */
interface Trigger {
  readonly entry: ShelfEntry;
  readonly phrase: string;
  readonly setBy: string;
}

/** How sure it is that somebody who writes this wants the skill (RT-3). */
const sure = {
  whole: 0.98,
  /** Somewhere in the query, two words or more. */
  several: 0.85,
  one: 0.6,
  /** Inside a longer phrase that stands there too, and that says better what is wanted. */
  insideAnother: 0.55,
};

const mostTriggers = 50;

/** RT-2: phrases that an admin has set, or that skills declare which are trusted enough to be heard. */
export const triggerLink: Link = {
  name: "trigger",
  role: "finds",
  isExplicit: true,
  timeBox: 5000,
  prepare: (shelf) => triggersOf.prepare(shelf),
  find(asked) {
    const words = wordsOf(asked.query.text);
    // A phrase that a text repeats speaks once, where it says most.
    const best = new Map<readonly Trigger[], number>();
    for (const { phrase, isInside } of nested(triggersOf.of(asked.shelf).standingIn(words))) {
      const confidence = confidenceOf(phrase, isInside, words);
      if (confidence > (best.get(phrase.meant) ?? 0)) best.set(phrase.meant, confidence);
    }
    return strongest([...best].flatMap(reasonsOf), asked);
  },
};

function reasonsOf([meant, confidence]: readonly [readonly Trigger[], number]): Reason[] {
  return meant.map(({ entry, phrase, setBy }) => ({
    entry,
    confidence,
    why: `trigger "${safeName(phrase)}" (${setBy})`,
  }));
}

function confidenceOf({ from, to }: StandingPhrase<Trigger>, isInside: boolean, words: readonly Word[]): number {
  if (from === 0 && to === words.length) return sure.whole;
  if (isInside) return sure.insideAnother;
  return weightOf(words.slice(from, to)) >= 2 ? sure.several : sure.one;
}

interface Nested {
  readonly phrase: StandingPhrase<Trigger>;
  readonly isInside: boolean;
}

/** Which phrases stand inside longer ones. They come in the order of where they begin: one look at each is enough. */
function nested(phrases: readonly StandingPhrase<Trigger>[]): readonly Nested[] {
  const longest = new Map<number, number>();
  for (const { from, to } of phrases) longest.set(from, Math.max(to, longest.get(from) ?? 0));
  let [reach, start, reachBefore] = [0, -1, 0];
  return phrases.map((phrase) => {
    const { from, to } = phrase;
    if (from !== start) [start, reachBefore] = [from, reach];
    reach = Math.max(reach, to);
    return { phrase, isInside: reachBefore >= to || (longest.get(from) ?? to) > to };
  });
}

const triggersOf = madeOnce(function* (shelf: Shelf): Generator<void, Phrases<Trigger>> {
  yield* heardIn.prepare(shelf);
  const triggers = new Phrases<Trigger>();
  const add = (entry: ShelfEntry, phrases: readonly string[], setBy: string): void => {
    for (const phrase of phrases.slice(0, mostTriggers)) triggers.add(phrase, { entry, phrase, setBy });
  };
  yield* inSteps(shelf.entries.values(), (entry) => add(entry, shelf.triggersOf(entry.id), "set by an admin"));
  yield* inSteps(heardIn.of(shelf), ({ entry, declared }) => add(entry, declared.triggers, "declared by the skill"));
  return triggers;
});
