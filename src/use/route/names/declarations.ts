import { type Trust, trusts } from "../../../ingest/source/trust.ts";
import type { Declared } from "../index/lexical-index.ts";
import { inSteps, madeOnce } from "../made-once.ts";
import type { Shelf, ShelfEntry } from "../shelf.ts";

/** What a skill declares to be called by. */
interface Heard {
  readonly entry: ShelfEntry;
  readonly declared: Declared;
}

/** RT-2: the skills that are trusted enough for what they declare to be more than words of their text. */
export const heardIn = madeOnce(function* (shelf: Shelf): Generator<void, readonly Heard[]> {
  const heard: Heard[] = [];
  yield* inSteps(shelf.entries.values(), (entry) => {
    // Of the others it is not even read.
    const declared = isHeard(entry.trust) ? shelf.declaredBy(entry) : undefined;
    if (declared !== undefined && declaresAny(declared)) heard.push({ entry, declared });
  });
  return heard;
});

function isHeard(trust: Trust): boolean {
  return trusts.indexOf(trust) >= trusts.indexOf("verified");
}

function declaresAny({ aliases, triggers, paths }: Declared): boolean {
  return aliases.length + triggers.length + paths.length > 0;
}
