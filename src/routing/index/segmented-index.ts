import type { Digest } from "../../core/digest.ts";
import { confidencesOf } from "./confidence.ts";
import { decodeDeclared, fields } from "./fields.ts";
import type { Declared, Found, LexicalIndex, SearchOptions } from "./lexical-index.ts";
import { Library } from "./library.ts";
import { likenessOf } from "./likeness.ts";
import { gathered } from "./merge.ts";
import {
  createPart,
  digestOf,
  factsAt,
  findDocument,
  frequencyIn,
  type Part,
  signatureAt,
  withoutDocuments,
} from "./part.ts";
import { type Query, readQuery } from "./query.ts";
import { rankedIn } from "./ranking.ts";
import type { Segment } from "./segment.ts";
import { timesIn } from "./statistics.ts";

/** An index of several segments, as changes come in one by one. */
export interface SegmentedIndex extends LexicalIndex {
  readonly parts: readonly Part[];
}

/** An index over segments as they were built. Of documents that are in several, the last one counts. */
export function createIndex(segments: readonly Segment[]): SegmentedIndex {
  return segments.reduce<SegmentedIndex>((index, segment) => withChanges(index, segment, new Set()), indexOf([]));
}

/** An index with changes: first those are removed that are to go, then those added. The former one stays as it was. */
export function withChanges(
  index: SegmentedIndex,
  added: Segment | null,
  removed: ReadonlySet<Digest>,
): SegmentedIndex {
  const came = added === null ? null : createPart(added);
  const gone = new Set([...removed, ...(came === null ? [] : digestsOf(came))]);
  const kept = index.parts.map((part) => without(part, gone));
  return indexOf(gathered(came === null ? kept : [...kept, came]));
}

function without(part: Part, digests: ReadonlySet<Digest>): Part {
  const documents = Array.from(digests, (digest) => findDocument(part, digest));
  return withoutDocuments(
    part,
    documents.filter((document) => document !== -1),
  );
}

function* digestsOf(part: Part): Generator<Digest> {
  for (let document = 0; document < part.documents; document++)
    if (part.dead?.[document] !== 1) yield digestOf(part, document);
}

interface Place {
  readonly part: Part;
  readonly document: number;
}

/** An index over parts as they are. */
export function indexOf(parts: readonly Part[]): SegmentedIndex {
  const size = parts.reduce((sum, part) => sum + part.alive, 0);
  // Made when somebody searches: many changes may come before that.
  let search: Search | undefined;

  function placeOf(digest: Digest): Place | undefined {
    for (const part of parts) {
      const document = findDocument(part, digest);
      if (document !== -1) return { part, document };
    }
    return undefined;
  }

  return {
    parts,
    size,
    *digests() {
      for (const part of parts) yield* digestsOf(part);
    },
    declaredBy: (digest) => declaredAt(placeOf(digest)),
    search(text: string, options: SearchOptions): readonly Found[] {
      search ??= createSearch(parts);
      return search(text, options);
    },
    likeness: (one, other) => likenessAt(placeOf(one), placeOf(other)),
  };
}

function declaredAt(place: Place | undefined): Declared | undefined {
  return place === undefined ? undefined : decodeDeclared(factsAt(place.part, place.document));
}

function likenessAt(one: Place | undefined, other: Place | undefined): number {
  if (one === undefined || other === undefined) return 0;
  return likenessOf(signatureAt(one.part, one.document), signatureAt(other.part, other.document));
}

type Search = (text: string, options: SearchOptions) => readonly Found[];

/** Of a longer text only the beginning is read: what is asked for stands there. */
const longestQuery = 32_768;

/** Makes what all searches in an index share. */
function createSearch(parts: readonly Part[]): Search {
  const library = new Library(parts);
  return (asked, options) => {
    const text = asked.slice(0, longestQuery);
    const query = readQuery(text, library);
    if (query.terms.length === 0 || options.limit <= 0) return [];
    const ranked = rankedIn(library, query, options);
    const confidences = confidencesOf(text, library, ranked);
    return ranked.slice(0, options.limit).map((each) => ({
      digest: library.digestOf(each.candidate.row),
      score: each.score,
      confidence: confidences.get(each) ?? 0,
      words: wordsOf(library, query, each.candidate.row),
    }));
  };
}

const mostWords = 8;

/** The words of a query that a document has, the rarest first. */
function wordsOf(library: Library, { said }: Query, row: number): Found["words"] {
  const { at, part, document } = library.placeOf(row);
  const words = new Map<string, Found["words"][number]>();
  for (const { word, places } of said.toSorted((one, other) => other.rarity - one.rarity)) {
    const frequency = frequencyIn(part, places[at] ?? -1, document);
    if (frequency === 0 || words.has(word.written)) continue;
    words.set(word.written, { word: word.written, fields: fields.filter((_, field) => timesIn(frequency, field) > 0) });
  }
  return [...words.values()].slice(0, mostWords);
}
