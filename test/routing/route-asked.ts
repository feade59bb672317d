import { sha256 } from "../../src/core/digest.ts";
import type { LexicalIndex } from "../../src/routing/index/lexical-index.ts";
import type { Asked, Link } from "../../src/routing/link.ts";
import { createShelf, type Shelf, type ShelfEntry } from "../../src/routing/shelf.ts";

/** A skill as it stands on a shelf; its digest is made from what it says. */
export function onShelf(
  name: string,
  description = `Says how to ${name}.`,
  more: Partial<ShelfEntry> = {},
): ShelfEntry {
  const digest = sha256(Buffer.from(`${name} ${description}`));
  return { id: `house:${name}`, digest, name, description, trust: "verified", ...more };
}

/** An index that has everything and finds nothing: what links of models need of one. */
function indexOf(entries: readonly ShelfEntry[]): LexicalIndex {
  const digests = new Set(entries.map(({ digest }) => digest));
  return {
    size: digests.size,
    digests: () => digests,
    declaredBy: () => ({ kind: "tool", triggers: [], aliases: [], paths: [] }),
    search: () => [],
    likeness: (a, b) => Number(a === b),
  };
}

export function shelfOf(...entries: readonly ShelfEntry[]): Shelf {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return createShelf({ entries: byId, index: indexOf(entries), triggers: new Map() });
}

/** A question about a shelf, everything on it found already, in its order. */
export function askedOf(shelf: Shelf, text: string, more: Partial<Asked> = {}): Asked {
  return {
    query: { text, paths: [] },
    shelf,
    allows: (entry) => shelf.entries.has(entry),
    soFar: [...shelf.entries.keys()].map((entry, at) => ({ entry, confidence: 0.5 - at / 1000, why: "words" })),
    signal: new AbortController().signal,
    ...more,
  };
}

/** A finder that finds everything, each a little less than the one before. */
export const findsAll: Link = {
  name: "all",
  role: "finds",
  timeBox: 1000,
  find: ({ shelf }) =>
    [...shelf.entries.keys()].map((entry, at) => ({ entry, confidence: 0.5 - at / 10, why: "words" })),
};
