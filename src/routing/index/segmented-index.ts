import type { Digest } from "../../core/digest.ts";
import { decodeDeclared } from "./fields.ts";
import type { Declared, Found, LexicalIndex, SearchOptions } from "./lexical-index.ts";
import { likenessOf } from "./likeness.ts";
import { gathered } from "./merge.ts";
import { createPart, digestOf, factsAt, findDocument, type Part, signatureAt, withoutDocuments } from "./part.ts";
import { createSearch, type Search } from "./search.ts";
import type { Segment } from "./segment.ts";

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
