import { heardIn } from "../names/declarations.ts";
import type { Link } from "../link.ts";
import { inSteps, madeOnce } from "../made-once.ts";
import { type Called, findCalled } from "../names/naming.ts";
import { Phrases } from "../names/phrases.ts";
import type { Shelf } from "../shelf.ts";

const mostAliases = 50;

/** RT-2: as `exact`, by the other names that skills give themselves, where they are trusted enough to be heard. */
export const aliasLink: Link = {
  name: "alias",
  role: "finds",
  isExplicit: true,
  timeBox: 5000,
  prepare: (shelf) => aliasesOf.prepare(shelf),
  find: (asked) => findCalled(aliasesOf.of(asked.shelf), "alias", asked),
};

const aliasesOf = madeOnce(function* (shelf: Shelf): Generator<void, Phrases<Called>> {
  yield* heardIn.prepare(shelf);
  const aliases = new Phrases<Called>();
  yield* inSteps(heardIn.of(shelf), ({ entry, declared }) => {
    for (const name of declared.aliases.slice(0, mostAliases)) aliases.add(name, { entry, name });
  });
  return aliases;
});
