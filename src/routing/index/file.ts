import { createHash } from "node:crypto";
import { passageEnd } from "./columns.ts";
import { fieldCount } from "./fields.ts";
import { signatureLength } from "./likeness.ts";
import { createPart, type Part } from "./part.ts";
import { digestLength, type Segment } from "./segment.ts";
import { indexOf, type SegmentedIndex } from "./segmented-index.ts";
import { tokeniserVersion } from "./tokens.ts";

/**
 * An index as a file: a head of numbers, the lists of each part one after the other, sha256 over all that. A list begins
 * at a multiple of eight bytes, so that a file which is in memory is the index: nothing is built.
 */
const magic = Buffer.from("skwd-idx");
const formatVersion = 1;
/** Reads otherwise on a machine that has the other byte order. */
const byteOrder = 0x01020304;
const checksumLength = 32;
const alignment = 8;
const fixedNumbers = 5;

/** The lists of a part in the order of the file. */
const lists = [
  ["digests", 1],
  ["lengths", 2],
  ["signatures", 2],
  ["declared", 1],
  ["declaredStarts", 4],
  ["surface", 4],
  ["surfaceStarts", 4],
  ["terms", 4],
  ["postingStarts", 4],
  ["postings", 4],
  ["frequencies", 4],
  ["occurrences", 4],
] as const satisfies readonly (readonly [keyof Segment, number])[];
const listsOfPart = lists.length + 1;

/** The file of an index, piece by piece: it is never in memory twice. */
export function* encodeIndex({ parts }: SegmentedIndex): Generator<Uint8Array> {
  const hash = createHash("sha256");
  for (const piece of pieces(parts)) {
    hash.update(piece);
    yield piece;
  }
  yield hash.digest();
}

function* pieces(parts: readonly Part[]): Generator<Uint8Array> {
  const columns = parts.map(columnsOf);
  const counts = columns.flatMap((ofPart) => ofPart.map(({ length }) => length));
  const head = [byteOrder, formatVersion, tokeniserVersion, fieldCount, parts.length, ...counts];
  yield* padded(Buffer.concat([magic, bytesOf(Uint32Array.from(head))]));
  for (const column of columns.flat()) yield* padded(bytesOf(column));
}

function columnsOf({ segment, dead }: Part) {
  return [...lists.map(([name]) => segment[name]), dead ?? new Uint8Array(0)];
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function* padded(bytes: Uint8Array): Generator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
  const over = bytes.length % alignment;
  if (over > 0) yield new Uint8Array(alignment - over);
}

/** The index in a file, over the bytes themselves; or why there is none. Whatever the bytes are, it does not throw. */
export function decodeIndex(bytes: Uint8Array): SegmentedIndex | { readonly fault: string } {
  // Not `slice`, which of a Buffer gives the very same memory.
  const aligned = bytes.byteOffset % alignment === 0 ? bytes : Uint8Array.from(bytes);
  const head = headOf(aligned);
  if ("fault" in head) return head;
  if (!isIntact(aligned)) return { fault: "its checksum does not fit" };
  const parts: Part[] = [];
  for (const counts of head.parts) {
    const { segment, dead } = segmentAt(aligned, counts);
    const fault = whyUnsound(segment, dead);
    if (fault !== undefined) return { fault };
    parts.push(createPart(segment, dead.length === 0 ? null : dead));
  }
  const index = indexOf(parts);
  return new Set(index.digests()).size === index.size ? index : { fault: "a document is in it twice" };
}

/** Where each list of a part starts, and how many numbers it has. */
interface Extent {
  readonly start: number;
  readonly count: number;
}

function headOf(bytes: Uint8Array): { readonly parts: readonly (readonly Extent[])[] } | { readonly fault: string } {
  const isOurs = magic.equals(bytes.subarray(0, magic.length));
  const room = Math.floor((bytes.length - magic.length - checksumLength) / 4);
  if (!isOurs || room < fixedNumbers) return { fault: "it is no index" };
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset + magic.length, room);
  const [order, format, tokeniser, fieldsThere, partCount = 0] = numbers;
  const isOfThisVersion = format === formatVersion && tokeniser === tokeniserVersion && fieldsThere === fieldCount;
  if (order !== byteOrder || !isOfThisVersion) return { fault: "another version made it" };
  const headNumbers = fixedNumbers + partCount * listsOfPart;
  if (headNumbers > room) return { fault: "it ends too soon" };
  const { extents, end } = extentsOf(numbers.subarray(fixedNumbers, headNumbers), magic.length + headNumbers * 4);
  return end + checksumLength === bytes.length ? { parts: extents } : { fault: "its length does not fit" };
}

function extentsOf(counts: Uint32Array, headLength: number) {
  const extents: Extent[][] = [];
  let end = alignedUp(headLength);
  for (const [at, count] of counts.entries()) {
    const column = at % listsOfPart;
    if (column === 0) extents.push([]);
    extents.at(-1)?.push({ start: end, count });
    end = alignedUp(end + count * (lists[column]?.[1] ?? 1));
  }
  return { extents, end };
}

function alignedUp(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}

function isIntact(bytes: Uint8Array): boolean {
  const end = bytes.length - checksumLength;
  const found = createHash("sha256").update(bytes.subarray(0, end)).digest();
  return found.equals(bytes.subarray(end));
}

function segmentAt(bytes: Uint8Array, extents: readonly Extent[]): { segment: Segment; dead: Uint8Array } {
  const extentOf = (name: keyof Segment | "dead") =>
    extents[name === "dead" ? lists.length : lists.findIndex(([each]) => each === name)] ?? { start: 0, count: 0 };
  const bytesAt = (name: keyof Segment | "dead") => {
    const { start, count } = extentOf(name);
    return bytes.subarray(start, start + count);
  };
  const shortsAt = (name: keyof Segment) => {
    const { start, count } = extentOf(name);
    return new Uint16Array(bytes.buffer, bytes.byteOffset + start, count);
  };
  const wordsAt = (name: keyof Segment) => {
    const { start, count } = extentOf(name);
    return new Uint32Array(bytes.buffer, bytes.byteOffset + start, count);
  };
  const segment = {
    digests: bytesAt("digests"),
    lengths: shortsAt("lengths"),
    signatures: shortsAt("signatures"),
    declared: bytesAt("declared"),
    declaredStarts: wordsAt("declaredStarts"),
    surface: wordsAt("surface"),
    surfaceStarts: wordsAt("surfaceStarts"),
    terms: wordsAt("terms"),
    postingStarts: wordsAt("postingStarts"),
    postings: wordsAt("postings"),
    frequencies: wordsAt("frequencies"),
    occurrences: wordsAt("occurrences"),
  };
  return { segment, dead: bytesAt("dead") };
}

/**
 * Why the lists of a segment do not belong together; undefined when they do. What comes from a file is believed only
 * after this: whoever wrote it can have made the checksum fit.
 */
function whyUnsound(segment: Segment, dead: Uint8Array): string | undefined {
  const documents = segment.digests.length / digestLength;
  if (!hasFittingLists(segment, documents) || (dead.length !== 0 && dead.length !== documents))
    return "its lists do not fit each other";
  if (!isAscending(segment.digests) || dead.some((each) => each > 1)) return "its documents are out of order";
  if (!hasSoundTerms(segment)) return "its terms are out of order";
  if (!segment.surface.every((term) => term < segment.terms.length / 2 || term === passageEnd))
    return "its passages name terms that are not there";
  return hasSoundPostings(segment, documents) ? undefined : "its postings are out of order";
}

function hasFittingLists(segment: Segment, documents: number): boolean {
  const terms = segment.terms.length / 2;
  return (
    Number.isInteger(documents) &&
    Number.isInteger(terms) &&
    segment.lengths.length === documents * fieldCount &&
    segment.signatures.length === documents * signatureLength &&
    segment.frequencies.length === segment.postings.length &&
    segment.occurrences.length === terms &&
    areStarts(segment.declaredStarts, documents, segment.declared.length) &&
    areStarts(segment.surfaceStarts, documents, segment.surface.length) &&
    areStarts(segment.postingStarts, terms, segment.postings.length)
  );
}

function areStarts(starts: Uint32Array, count: number, end: number): boolean {
  if (starts.length !== count + 1 || starts[0] !== 0 || starts[count] !== end) return false;
  for (let at = 1; at < starts.length; at++) if ((starts[at] ?? 0) < (starts[at - 1] ?? 0)) return false;
  return true;
}

function isAscending(digests: Uint8Array): boolean {
  for (let at = digestLength; at < digests.length; at += digestLength) {
    const [before, here] = [digests.subarray(at - digestLength, at), digests.subarray(at, at + digestLength)];
    if (Buffer.compare(before, here) >= 0) return false;
  }
  return true;
}

function hasSoundTerms({ terms }: Segment): boolean {
  for (let at = 2; at < terms.length; at += 2) {
    const [high, before] = [terms[at + 1] ?? 0, terms[at - 1] ?? 0];
    if (high < before || (high === before && (terms[at] ?? 0) <= (terms[at - 2] ?? 0))) return false;
  }
  return true;
}

/** Every document of every term is there, comes once, and has the term somewhere. */
function hasSoundPostings({ postings, frequencies, postingStarts }: Segment, documents: number): boolean {
  let term = 0;
  let before = -1;
  for (let at = 0; at < postings.length; at++) {
    while (at >= (postingStarts[term + 1] ?? 0)) {
      term++;
      before = -1;
    }
    const document = postings[at] ?? 0;
    if (document <= before || document >= documents || frequencies[at] === 0) return false;
    before = document;
  }
  return true;
}
