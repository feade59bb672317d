import type { Digest } from "../../core/digest.ts";
import { nameKey } from "../../core/text.ts";
import type { Asked, Link } from "../link.ts";
import { inSteps, madeOnce } from "../made-once.ts";
import { heardIn, strongest } from "../names/path-table.ts";
import { type Called, findCalled, namesIn } from "../names/naming.ts";
import { Phrases } from "../names/phrases.ts";
import { entriesByName, type Shelf, type ShelfEntry } from "../shelf.ts";

/** RT-2: somebody asks for a skill by its name, or by its id. */
export const exactLink: Link = {
  name: "exact",
  role: "finds",
  isExplicit: true,
  timeBox: 5000,
  *prepare(shelf) {
    yield* entriesByName.prepare(shelf);
    yield* namesIn.prepare(shelf);
  },
  find(asked) {
    const { query, shelf } = asked;
    const typed = query.text.trim();
    // A name need not have a single letter, and an id says which of several of one name is meant.
    const byId = shelf.entries.get(typed);
    if (byId !== undefined) return strongest([whole(byId, "id")], asked);
    const named = shelf.names.named(nameKey(typed));
    return named.length > 0
      ? strongest(
          named.map((each) => whole(each, "name")),
          asked,
        )
      : findCalled(namesIn.of(shelf), "name", asked);
  },
};

function whole(entry: ShelfEntry, what: string) {
  return { entry, confidence: 1, why: `the query is its ${what}` };
}

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

/** Of identical skills from many places, so many are named: they are one match. */
const mostCopies = 10;

/** The entries of these bytes that may be chosen, the most trusted. */
export function copiesOf(asked: Asked, digest: Digest, most = mostCopies): readonly ShelfEntry[] {
  const copies: ShelfEntry[] = [];
  for (const entry of asked.shelf.entriesOf(digest)) {
    if (copies.length === most) break;
    if (asked.allows(entry.id)) copies.push(entry);
  }
  return copies;
}

/** Whether any of them may be. */
export function isAllowed(asked: Asked, digest: Digest): boolean {
  return copiesOf(asked, digest, 1).length > 0;
}
