import { fieldCount } from "./fields.ts";
import { signatureLength } from "./likeness.ts";
import { digestLength, type Segment } from "./segment.ts";
import { passageEnd } from "./surface.ts";

/**
 * Why the lists of a segment do not belong together; undefined when they do. What comes from a file is believed only
 * after this: whoever wrote it can have made the checksum fit.
 */
export function whyUnsound(segment: Segment, dead: Uint8Array): string | undefined {
  const documents = segment.digests.length / digestLength;
  if (!hasFittingLists(segment, documents) || (dead.length !== 0 && dead.length !== documents))
    return "its lists do not fit each other";
  if (!isAscending(segment.digests) || dead.some((each) => each > 1)) return "its documents are out of order";
  if (!hasSoundTerms(segment)) return "its terms are out of order";
  if (!hasSoundSurface(segment)) return "its passages name terms that are not there";
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

function hasSoundSurface({ surface, terms }: Segment): boolean {
  const count = terms.length / 2;
  return surface.every((term) => term < count || term === passageEnd);
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
