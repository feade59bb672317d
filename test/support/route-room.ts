import type { EntryId } from "../../src/core/ids.ts";
import type { Timer } from "../../src/core/world.ts";
import { sha256 } from "../../src/core/digest.ts";
import { fixedClock } from "../../src/testing/fixed-clock.ts";
import { createChain } from "../../src/routing/chain/chain.ts";
import type { Document, Found, LexicalIndex } from "../../src/routing/index/lexical-index.ts";
import type { Asked, Evidence, Link } from "../../src/routing/link.ts";
import type { Thresholds } from "../../src/routing/routed.ts";
import { createShelf, type Shelf, type ShelfEntry } from "../../src/routing/shelf.ts";

/** A skill for a shelf of a test. What is left out is plain. */
export interface Stocked extends Partial<Omit<Document, "declared">> {
  readonly id: EntryId;
  readonly trust?: ShelfEntry["trust"];
  readonly declared?: Partial<Document["declared"]>;
  readonly triggers?: readonly string[];
  /** False for one that the index does not have. */
  readonly indexed?: boolean;
}

export type MakeIndex = (documents: readonly Document[]) => LexicalIndex;

export function shelfOf(stock: readonly Stocked[], makeIndex: MakeIndex = fakeIndex): Shelf {
  const documents = stock.flatMap((each) => (each.indexed === false ? [] : [documentOf(each)]));
  return createShelf({
    entries: new Map(
      stock.map((each) => [each.id, { ...documentOf(each), ...each, trust: each.trust ?? "community" }]),
    ),
    index: makeIndex([...new Map(documents.map((each) => [each.digest, each])).values()]),
    triggers: new Map(stock.map(({ id, triggers = [] }) => [id, triggers])),
  });
}

function documentOf({ id, name = id, description = `About ${name}.`, body = "", declared, digest }: Stocked): Document {
  const said = { kind: "tool", triggers: [], aliases: [], paths: [], ...declared } as const;
  const text = JSON.stringify([name, description, body, said]);
  return { digest: digest ?? sha256(Buffer.from(text)), name, description, body, declared: said };
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** Counts the words that query and document have in common: little, and the same every time. */
export function fakeIndex(documents: readonly Document[]): LexicalIndex {
  const known = new Map(documents.map((each) => [each.digest, { ...each, words: words(textOf(each)) }]));
  return {
    size: known.size,
    digests: () => known.keys(),
    declaredBy: (digest) => known.get(digest)?.declared,
    search(text, options) {
      const asked = [...words(text)];
      const found = [...known.values()].flatMap(({ digest, words: there }): Found[] => {
        const both = asked.filter((word) => there.has(word));
        if (both.length === 0 || !options.allows(digest)) return [];
        const fields = ["description"];
        const confidence = (0.8 * both.length) / asked.length;
        return [{ digest, score: both.length, confidence, words: both.map((word) => ({ word, fields })) }];
      });
      return found.toSorted((a, b) => b.score - a.score || (a.digest < b.digest ? -1 : 1)).slice(0, options.limit);
    },
    likeness(a, b) {
      const [one, other] = [known.get(a)?.words ?? new Set(), known.get(b)?.words ?? new Set()];
      const both = [...one].filter((word) => other.has(word)).length;
      return both === 0 ? 0 : both / (one.size + other.size - both);
    },
  };
}

function textOf({ name, description, body }: Document): string {
  return `${name} ${description} ${body}`;
}

/** Deadlines pass as soon as nothing else is left to do: whoever answers at all is in time, whoever hangs is late. */
const idleTimer: Timer = {
  after: () => new Promise(() => {}),
  every(_, act) {
    let isOver = false;
    setImmediate(() => setImmediate(() => isOver || act()));
    return { stop: () => (isOver = true) };
  },
};

export const usual: Thresholds = { accept: 0.9, margin: 0.1, floor: 0.3 };

export function chainOf(links: readonly Link[], thresholds: Thresholds = usual, clock = fixedClock()) {
  return createChain(links, { clock, timer: idleTimer, thresholds });
}

type Said = Readonly<Record<EntryId, number>>;

export function evidence(said: Said): Evidence[] {
  return Object.entries(said).map(([entry, confidence]) => ({ entry, confidence, why: `said ${confidence}` }));
}

/** A link that says this, or whatever a function of what it was asked says. What it says adds up, as words do. */
export function link(name: string, said: Said | ((asked: Asked) => unknown), more: Partial<Link> = {}): Link {
  const find = (asked: Asked) => (typeof said === "function" ? said(asked) : evidence(said)) as Evidence[];
  return { name, role: "finds", addsUp: true, timeBox: 100, find, ...more };
}
