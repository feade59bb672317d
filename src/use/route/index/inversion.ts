import { toldTimes } from "./frequency.ts";

/** Terms and where they stand. */
export interface Postings {
  /** Hashes of the terms, ascending as numbers of 64 bits, the low half of each first. */
  readonly terms: Uint32Array;
  /** Where the documents of each term start in `postings` and `frequencies`. */
  readonly postingStarts: Uint32Array;
  /** Numbers of documents, ascending for each term. */
  readonly postings: Uint32Array;
  /** How often the term stands in each field of that document: see `frequency.ts`. */
  readonly frequencies: Uint32Array;
  /** How often each term is said in all (see `toldTimes`). */
  readonly occurrences: Uint32Array;
}

/** The other way round: the terms of each document, one document after the other, each once. */
export interface Forward {
  /** Places of terms among all terms. */
  readonly entries: Uint32Array;
  readonly frequencies: Uint32Array;
  /** Where the entries of each document end. */
  readonly ends: Uint32Array;
}

/** Puts each entry to its term. The documents come in their order, so each term has its own in that order. */
export function inverted({ entries, frequencies, ends }: Forward, termCount: number): Omit<Postings, "terms"> {
  const postingStarts = startsOf(entries, termCount);
  const next = postingStarts.slice();
  const postings = new Uint32Array(entries.length);
  const inOrder = new Uint32Array(entries.length);
  const occurrences = new Uint32Array(termCount);
  let document = 0;
  for (let entry = 0; entry < entries.length; entry++) {
    while (entry >= (ends[document] ?? 0)) document++;
    const term = entries[entry] ?? 0;
    const place = next[term] ?? 0;
    next[term] = place + 1;
    postings[place] = document;
    const frequency = frequencies[entry] ?? 0;
    inOrder[place] = frequency;
    occurrences[term] = (occurrences[term] ?? 0) + toldTimes(frequency);
  }
  return { postingStarts, postings, frequencies: inOrder, occurrences };
}

function startsOf(entries: Uint32Array, termCount: number): Uint32Array {
  const starts = new Uint32Array(termCount + 1);
  for (let entry = 0; entry < entries.length; entry++) {
    const next = (entries[entry] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  accumulate(starts);
  return starts;
}

/** Makes of how many belong to each where those of each start. */
export function accumulate(starts: Uint32Array): void {
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
}
