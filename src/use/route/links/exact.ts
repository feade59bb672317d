import { nameKey } from "../../../base/text.ts";
import type { Link } from "../link.ts";
import { findCalled, namesIn } from "../names/naming.ts";
import { entriesByName, type ShelfEntry } from "../shelf.ts";
import { strongest } from "../names/strongest.ts";

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
