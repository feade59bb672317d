import { Bytes, type Surface, Words } from "./columns.ts";
import { fieldCount } from "./fields.ts";
import { signatureLength } from "./likeness.ts";
import { compareDocuments, countAlive, createPart, type Part } from "./part.ts";
import { accumulate, type Forward, inverted, type Postings, replaced } from "./postings.ts";
import { digestLength, type Segment } from "./segment.ts";

/** Parts that come to no more than so many documents are made one: some milliseconds of work each time. */
const mostMerged = 4096;
/** So many small parts may stand beside each other. */
const mostSmall = 8;

/**
 * The same documents in fewer parts. Small ones are put together when there are many, and a part of which less than half
 * is left is written anew; large ones stay, since a change must not cost more the more there is.
 */
export function gathered(parts: readonly Part[]): readonly Part[] {
  const filled = parts
    .filter(({ alive }) => alive > 0)
    .map((part) => (part.alive * 2 < part.documents ? rewritten([part]) : part));
  const small = filled.filter(({ alive }) => alive < mostMerged / 2).toSorted((one, other) => one.alive - other.alive);
  if (small.length <= mostSmall) return filled;
  const merged = new Set(upTo(small, mostMerged));
  return [...filled.filter((part) => !merged.has(part)), rewritten([...merged])];
}

function rewritten(parts: readonly Part[]): Part {
  return createPart(mergeParts(parts));
}

function upTo(parts: readonly Part[], most: number): readonly Part[] {
  let sum = 0;
  return parts.filter(({ alive }) => (sum += alive) <= most);
}

/** Documents that are there, of several parts, by their digests. */
interface Kept {
  readonly part: number;
  readonly document: number;
}

/** One segment of the documents of several parts that are there: the same as if they were indexed together. */
export function mergeParts(parts: readonly Part[]): Segment {
  const kept = inOrder(parts);
  const merged = mergedTerms(parts);
  return {
    ...documentsOf(parts, kept),
    ...surfaceOf(parts, kept, merged),
    ...postingsOf(parts, numbersOf(parts, kept), merged, kept.length),
  };
}

function inOrder(parts: readonly Part[]): readonly Kept[] {
  const kept = parts.flatMap((part, at) =>
    Array.from({ length: part.documents }, (_, document) => ({ part: at, document })),
  );
  return kept
    .filter(({ part, document }) => parts[part]?.dead?.[document] !== 1)
    .toSorted((one, other) => compareKept(parts, one, other));
}

function compareKept(parts: readonly Part[], one: Kept, other: Kept): number {
  const [first, second] = [parts[one.part], parts[other.part]];
  return first === undefined || second === undefined
    ? 0
    : compareDocuments(first, one.document, second, other.document);
}

type Documents = Omit<Segment, keyof Postings | keyof Surface>;

function documentsOf(parts: readonly Part[], kept: readonly Kept[]): Documents {
  const digests = new Uint8Array(kept.length * digestLength);
  const lengths = new Uint16Array(kept.length * fieldCount);
  const signatures = new Uint16Array(kept.length * signatureLength);
  const declared = new Bytes();
  const declaredStarts = new Words();
  for (const [at, { part, document }] of kept.entries()) {
    const from = parts[part]?.segment;
    if (from === undefined) continue;
    digests.set(from.digests.subarray(document * digestLength, (document + 1) * digestLength), at * digestLength);
    lengths.set(from.lengths.subarray(document * fieldCount, (document + 1) * fieldCount), at * fieldCount);
    const signature = from.signatures.subarray(document * signatureLength, (document + 1) * signatureLength);
    signatures.set(signature, at * signatureLength);
    declaredStarts.push(declared.length);
    declared.append(from.declared.subarray(from.declaredStarts[document], from.declaredStarts[document + 1]));
  }
  declaredStarts.push(declared.length);
  return {
    digests,
    lengths,
    signatures,
    declared: declared.view().slice(),
    declaredStarts: declaredStarts.view().slice(),
  };
}

const gone = 0xffff_ffff;

/** For each part, the number that each of its documents gets. */
function numbersOf(parts: readonly Part[], kept: readonly Kept[]): readonly Uint32Array[] {
  const numbers = parts.map(({ documents }) => new Uint32Array(documents).fill(gone));
  for (const [number, { part, document }] of kept.entries()) {
    const ofPart = numbers[part];
    if (ofPart !== undefined) ofPart[document] = number;
  }
  return numbers;
}

/** The terms that some document has, in order, and for each part the place that each of its terms gets among them. */
interface MergedTerms {
  readonly terms: Uint32Array;
  readonly places: readonly Uint32Array[];
}

function surfaceOf(parts: readonly Part[], kept: readonly Kept[], { places }: MergedTerms): Surface {
  const surface = new Words();
  const surfaceStarts = new Words();
  for (const { part, document } of kept) {
    const from = parts[part]?.segment;
    const ofPart = places[part];
    if (from === undefined || ofPart === undefined) continue;
    surfaceStarts.push(surface.length);
    const own = from.surface.slice(from.surfaceStarts[document], from.surfaceStarts[document + 1]);
    for (const term of replaced(own, ofPart)) surface.push(term);
  }
  surfaceStarts.push(surface.length);
  return { surface: surface.view().slice(), surfaceStarts: surfaceStarts.view().slice() };
}

function postingsOf(
  parts: readonly Part[],
  numbers: readonly Uint32Array[],
  { terms, places }: MergedTerms,
  documents: number,
): Postings {
  return { terms, ...inverted(forwardOf(parts, numbers, places, documents), terms.length / 2) };
}

function mergedTerms(parts: readonly Part[]): MergedTerms {
  const found = new Words();
  for (const part of parts)
    for (let term = 0; term < part.segment.terms.length / 2; term++) {
      if (countAlive(part, term) === 0) continue;
      found.push(part.segment.terms[2 * term] ?? 0);
      found.push(part.segment.terms[2 * term + 1] ?? 0);
    }
  const all = found.view().slice();
  new BigUint64Array(all.buffer).sort();
  const terms = withoutRepeated(all);
  return { terms, places: parts.map(({ segment }) => placesAmong(segment.terms, terms)) };
}

function withoutRepeated(sorted: Uint32Array): Uint32Array {
  let kept = 0;
  for (let at = 0; at < sorted.length; at += 2) {
    if (kept > 0 && sorted[kept - 2] === sorted[at] && sorted[kept - 1] === sorted[at + 1]) continue;
    sorted[kept++] = sorted[at] ?? 0;
    sorted[kept++] = sorted[at + 1] ?? 0;
  }
  return sorted.slice(0, kept);
}

/** Both are in order, so one walk finds them all. What is not among them belongs to no document that is there. */
function placesAmong(own: Uint32Array, all: Uint32Array): Uint32Array {
  const places = new Uint32Array(own.length / 2);
  let place = 0;
  for (let term = 0; term < places.length; term++) {
    const low = own[2 * term] ?? 0;
    const high = own[2 * term + 1] ?? 0;
    while (isBefore(all[2 * place] ?? 0, all[2 * place + 1] ?? gone, low, high)) place++;
    places[term] = place;
  }
  return places;
}

function isBefore(low: number, high: number, otherLow: number, otherHigh: number): boolean {
  return high < otherHigh || (high === otherHigh && low < otherLow);
}

function forwardOf(
  parts: readonly Part[],
  numbers: readonly Uint32Array[],
  places: readonly Uint32Array[],
  documents: number,
): Forward {
  const next = forwardStarts(parts, numbers, documents);
  const ends = next.slice(1);
  const entries = new Uint32Array(next[documents] ?? 0);
  const frequencies = new Uint32Array(entries.length);
  for (const [at, { segment }] of parts.entries()) {
    const [numbersOfPart, placesOfPart] = [numbers[at] ?? new Uint32Array(), places[at] ?? new Uint32Array()];
    let term = 0;
    for (let posting = 0; posting < segment.postings.length; posting++) {
      while (posting >= (segment.postingStarts[term + 1] ?? 0)) term++;
      const document = numbersOfPart[segment.postings[posting] ?? 0] ?? gone;
      if (document === gone) continue;
      const entry = next[document] ?? 0;
      next[document] = entry + 1;
      entries[entry] = placesOfPart[term] ?? 0;
      frequencies[entry] = segment.frequencies[posting] ?? 0;
    }
  }
  return { entries, frequencies, ends };
}

/** Where the entries of each document start. */
function forwardStarts(parts: readonly Part[], numbers: readonly Uint32Array[], documents: number): Uint32Array {
  const starts = new Uint32Array(documents + 1);
  for (const [at, { segment }] of parts.entries()) {
    const numbersOfPart = numbers[at] ?? new Uint32Array();
    for (let posting = 0; posting < segment.postings.length; posting++) {
      const document = numbersOfPart[segment.postings[posting] ?? 0] ?? gone;
      if (document !== gone) starts[document + 1] = (starts[document + 1] ?? 0) + 1;
    }
  }
  accumulate(starts);
  return starts;
}
