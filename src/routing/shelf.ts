import type { Digest } from "../core/digest.ts";
import type { EntryId } from "../core/ids.ts";
import { nameKey } from "../core/text.ts";
import { type Trust, trusts } from "../sources/trust.ts";
import { Foremost } from "./foremost.ts";
import type { Declared, LexicalIndex } from "./index/lexical-index.ts";
import { inSteps, type MadeOnce, madeOnce } from "./made-once.ts";

/** A skill that may be chosen, as the registry knows it: approved, and of one generation. */
export interface ShelfEntry {
  readonly id: EntryId;
  /** Of the bytes that are in use: what the index and vectors know it by. */
  readonly digest: Digest;
  readonly name: string;
  readonly description: string;
  readonly trust: Trust;
}

/** Everything that routing chooses from at one moment. Never changes. */
export interface Shelf {
  readonly entries: ReadonlyMap<EntryId, ShelfEntry>;
  /** Several have one digest where identical skills come from several places: the most trusted first. */
  entriesOf(digest: Digest): readonly ShelfEntry[];
  readonly index: LexicalIndex;
  /** What the skill says of itself; undefined where the index does not have it yet. */
  declaredBy(entry: ShelfEntry): Declared | undefined;
  /** Phrases that an admin has set for an entry, whatever its trust (RT-2). */
  triggersOf(entry: EntryId): readonly string[];
  /** Entries by their names: made once, at the first use. */
  readonly names: NameTable;
}

interface NameTable {
  /** Entries whose name has this key (see `nameKey` of base), the most trusted first. */
  named(key: string): readonly ShelfEntry[];
}

export interface ShelfParts {
  readonly entries: ReadonlyMap<EntryId, ShelfEntry>;
  readonly index: LexicalIndex;
  /** Set by an admin. What is set for an entry that is not on the shelf is of no use. */
  readonly triggers: ReadonlyMap<EntryId, readonly string[]>;
  /** The shelf that this one takes the place of: what was read of the same bytes is not read again. */
  readonly before?: Shelf | undefined;
}

export function createShelf({ entries, index, triggers, before }: ShelfParts): Shelf {
  const declared = declaredSince(before, entries.size);
  const shelf: Shelf = {
    entries,
    index,
    entriesOf: (digest) => entriesByDigest.of(shelf).get(digest) ?? none,
    declaredBy: ({ digest }) => declared.get(digest) ?? readDeclared(declared, index, digest),
    triggersOf: (entry) => triggers.get(entry) ?? [],
    names: { named: (key) => entriesByName.of(shelf).get(key) ?? none },
  };
  declaredOf.set(shelf, declared);
  return shelf;
}

export const entriesByDigest: MadeOnce<Shelf, Foremost<ShelfEntry>> = madeOnce(({ entries }: Shelf) =>
  grouped(entries, ({ digest }) => digest),
);
export const entriesByName: MadeOnce<Shelf, Foremost<ShelfEntry>> = madeOnce(({ entries }: Shelf) =>
  // Nearly every name is written as the specification asks, and is its own key: that saves most of the time.
  grouped(entries, ({ name }) => (plainName.test(name) ? name : nameKey(name))),
);

/** By the digest of the bytes it was read of, so that it holds for every shelf. */
type DeclaredByDigest = Map<Digest, Declared>;

const declaredOf = new WeakMap<Shelf, DeclaredByDigest>();

/** What is gone is kept for a while: looking for it each time would cost more. */
function declaredSince(before: Shelf | undefined, size: number): DeclaredByDigest {
  const known = before === undefined ? undefined : declaredOf.get(before);
  return known !== undefined && known.size <= size * 2 + mostGone ? known : new Map();
}

const mostGone = 1000;

function readDeclared(known: DeclaredByDigest, index: LexicalIndex, digest: Digest): Declared | undefined {
  const declared = index.declaredBy(digest);
  if (declared !== undefined) known.set(digest, declared);
  return declared;
}

/** The more trusted one first, then by id: the same order wherever the entries came from and in whatever order. */
export function byTrust(a: ShelfEntry, b: ShelfEntry): number {
  return byTrustAlone(a, b) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** The more trusted one first; 0 for two of the same trust. */
export function byTrustAlone(a: ShelfEntry, b: ShelfEntry): number {
  return trusts.indexOf(b.trust) - trusts.indexOf(a.trust);
}

const none: readonly ShelfEntry[] = [];

export const plainName = /^[a-z0-9-]+$/;

function* grouped(
  entries: ReadonlyMap<EntryId, ShelfEntry>,
  keyOf: (entry: ShelfEntry) => string,
): Generator<void, Foremost<ShelfEntry>> {
  const groups = new Foremost(byTrust);
  yield* inSteps(entries.values(), (entry) => groups.add(keyOf(entry), entry));
  return groups;
}
