import { Bytes, hasBreak, type Surface, Words } from "./columns.ts";
import { boundedDeclared, encodeDeclared, fieldCount, fields, fieldTexts, mostTimes, surfaceFields } from "./fields.ts";
import type { Document } from "./lexical-index.ts";
import { Signature, signatureLength } from "./likeness.ts";
import { type Postings, PostingsBuilder } from "./postings.ts";
import { readTokens } from "./tokens.ts";

/**
 * An index over some documents, which stand in the order of their digests: whoever is indexed, in whatever order, gets
 * the same bytes. Lists of numbers and no more, so that it goes between threads and into a file as it is.
 */
export interface Segment extends Postings, Surface {
  /** 32 bytes each, ascending. */
  readonly digests: Uint8Array;
  /** Tokens of each field of each document. */
  readonly lengths: Uint16Array;
  readonly signatures: Uint16Array;
  /** What the documents declare, as JSON; those of document n end where those of the next one start. */
  readonly declared: Uint8Array;
  readonly declaredStarts: Uint32Array;
}

export const digestLength = 32;
const mostCounted = 0xffff;
/** Is one passage, whatever signs it has. */
const nameField = fields.indexOf("name");

/** Indexes documents. Of several with one digest the first counts: they are the same. */
export function buildSegment(documents: readonly Document[]): Segment {
  const inOrder = sortedByDigest(documents);
  const digests = new Uint8Array(inOrder.length * digestLength);
  const lengths = new Uint16Array(inOrder.length * fieldCount);
  const signatures = new Uint16Array(inOrder.length * signatureLength);
  const declared = new Bytes();
  const declaredStarts = new Words();
  const postings = new PostingsBuilder(mostTimes);
  const signature = new Signature();
  for (const [at, document] of inOrder.entries()) {
    digests.set(Buffer.from(document.digest, "hex"), at * digestLength);
    const texts = fieldTexts(document);
    for (const [field, name] of fields.entries()) {
      const count = readField({ text: texts[name], field, isSurface: surfaceFields.has(name) }, postings, signature);
      lengths[at * fieldCount + field] = Math.min(count, mostCounted);
    }
    signature.finish(signatures, at * signatureLength);
    postings.endDocument();
    declaredStarts.push(declared.length);
    declared.append(encodeDeclared(boundedDeclared(document.declared)));
  }
  declaredStarts.push(declared.length);
  return {
    digests,
    lengths,
    signatures,
    declared: declared.view().slice(),
    declaredStarts: declaredStarts.view().slice(),
    ...postings.finish(),
  };
}

function sortedByDigest(documents: readonly Document[]): readonly Document[] {
  const byDigest = new Map<string, Document>();
  for (const document of documents) if (!byDigest.has(document.digest)) byDigest.set(document.digest, document);
  return [...byDigest.values()].toSorted((one, other) => (one.digest < other.digest ? -1 : 1));
}

interface FieldText {
  readonly text: string;
  readonly field: number;
  readonly isSurface: boolean;
}

/** Returns how many tokens it has. */
function readField({ text, field, isSurface }: FieldText, postings: PostingsBuilder, signature: Signature): number {
  const hash = { low: 0, high: 0 };
  let count = 0;
  let end = 0;
  readTokens(text, (token, from, to) => {
    token.hash(hash);
    signature.add(hash.low);
    if (isSurface && field !== nameField && hasBreak(text, end, from)) postings.endPassage();
    postings.add(hash, field, isSurface);
    end = Math.max(end, to);
    count++;
  });
  if (isSurface) postings.endPassage();
  return count;
}
