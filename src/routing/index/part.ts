import type { Digest } from "../../core/digest.ts";
import { toldTimes } from "./statistics.ts";
import { signatureLength } from "./likeness.ts";
import { digestLength, type Segment } from "./segment.ts";

/** A segment of an index, and which of its documents were removed since. */
export interface Part {
  readonly segment: Segment;
  readonly documents: number;
  /** One for each document that is gone; null while all are there. */
  readonly dead: Uint8Array | null;
  readonly alive: number;
  /** For each value of the first bits of a hash, where the terms that begin with it start. */
  readonly directory: Uint32Array;
  /** Those of the segment, in a form that writes and compares them fast. */
  readonly digests: Buffer;
}

export function createPart(segment: Segment, dead: Uint8Array | null = null): Part {
  const documents = segment.digests.length / digestLength;
  const gone = dead === null ? 0 : dead.reduce((sum, each) => sum + each, 0);
  const { buffer, byteOffset, byteLength } = segment.digests;
  return {
    segment,
    documents,
    dead: gone === 0 ? null : dead,
    alive: documents - gone,
    directory: directoryOf(segment.terms),
    digests: Buffer.from(buffer, byteOffset, byteLength),
  };
}

/** The same part without some documents. */
export function withoutDocuments(part: Part, gone: Iterable<number>): Part {
  const dead = part.dead?.slice() ?? new Uint8Array(part.documents);
  let count = 0;
  for (const document of gone) {
    count += dead[document] === 0 ? 1 : 0;
    dead[document] = 1;
  }
  return count === 0 ? part : { ...part, dead, alive: part.alive - count };
}

/** About so many terms stand between two rows of a directory. */
const termsInRow = 4;

function directoryOf(terms: Uint32Array): Uint32Array {
  const count = terms.length / 2;
  const bits = Math.min(24, Math.max(1, Math.ceil(Math.log2(count / termsInRow + 1))));
  const rows = new Uint32Array(2 ** bits + 1);
  let row = 0;
  for (let term = 0; term < count; term++) {
    const first = (terms[2 * term + 1] ?? 0) >>> (32 - bits);
    while (row < first) rows[++row] = term;
  }
  while (row < rows.length - 1) rows[++row] = count;
  return rows;
}

/** The place of a term among those of a part; -1 when no document has it. */
export function findTerm({ segment: { terms }, directory }: Part, low: number, high: number): number {
  const row = high >>> (32 - Math.log2(directory.length - 1));
  const end = directory[row + 1] ?? 0;
  for (let term = directory[row] ?? 0; term < end; term++)
    if (terms[2 * term + 1] === high && terms[2 * term] === low) return term;
  return -1;
}

/** How many documents that are there have a term. */
export function countAlive({ segment: { postings, postingStarts }, dead }: Part, term: number): number {
  const start = postingStarts[term] ?? 0;
  const end = postingStarts[term + 1] ?? 0;
  if (dead === null) return end - start;
  let count = 0;
  for (let at = start; at < end; at++) count += dead[postings[at] ?? 0] === 0 ? 1 : 0;
  return count;
}

/** How often documents that are there have a term where they speak of what they are about. */
export function occurrences({ segment, dead }: Part, term: number): number {
  if (dead === null) return segment.occurrences[term] ?? 0;
  let sum = 0;
  for (let at = segment.postingStarts[term] ?? 0; at < (segment.postingStarts[term + 1] ?? 0); at++)
    if (dead[segment.postings[at] ?? 0] === 0) sum += toldTimes(segment.frequencies[at] ?? 0);
  return sum;
}

/** How often a document has a term, in one number; zero when it does not. */
export function frequencyIn({ segment }: Part, term: number, document: number): number {
  if (term === -1) return 0;
  const { postings, frequencies, postingStarts } = segment;
  const end = postingStarts[term + 1] ?? 0;
  let from = postingStarts[term] ?? 0;
  let to = end;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((postings[middle] ?? 0) < document) from = middle + 1;
    else to = middle;
  }
  return from < end && postings[from] === document ? (frequencies[from] ?? 0) : 0;
}

/** The number of a document that is there; -1 when there is none with this digest. */
export function findDocument(part: Part, digest: Digest): number {
  if (digest.length !== 2 * digestLength) return -1;
  // The first bytes tell nearly all apart, and are compared as one number: this is asked for every skill there is.
  const wanted = Number.parseInt(digest.slice(0, 8), 16);
  let from = 0;
  let to = part.documents;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (part.digests.readUInt32BE(middle * digestLength) < wanted) from = middle + 1;
    else to = middle;
  }
  for (; from < part.documents && part.digests.readUInt32BE(from * digestLength) === wanted; from++)
    if (digestOf(part, from) === digest) return part.dead?.[from] === 1 ? -1 : from;
  return -1;
}

export function digestOf({ digests }: Part, document: number): Digest {
  return digests.toString("hex", document * digestLength, (document + 1) * digestLength);
}

/** Which of two documents comes first. */
export function compareDocuments(one: Part, document: number, other: Part, otherDocument: number): number {
  return compareDigest(one, document, other.digests, otherDocument * digestLength);
}

function compareDigest({ digests }: Part, document: number, other: Buffer, start: number): number {
  const own = document * digestLength;
  return digests.compare(other, start, start + digestLength, own, own + digestLength);
}

export function signatureAt({ segment }: Part, document: number): Uint16Array {
  return segment.signatures.subarray(document * signatureLength, (document + 1) * signatureLength);
}

/** What a document declares, as it is kept. */
export function factsAt({ segment: { declared, declaredStarts } }: Part, document: number): Uint8Array {
  return declared.subarray(declaredStarts[document], declaredStarts[document + 1]);
}
