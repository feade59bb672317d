import { longestSurface, passageEnd, type Surface, Words } from "./columns.ts";
import type { Hash } from "./hash.ts";
import { packedFrequency, toldTimes } from "./statistics.ts";

/** Turns documents, whose tokens come one by one, into terms with their documents. */
export class PostingsBuilder {
  private readonly fieldCount: number;
  private readonly most: readonly number[];
  private readonly table = new TermTable();
  /** Terms of all documents, one document after the other, with how often each stands there. */
  private readonly entries = new Words();
  private readonly frequencies = new Words();
  /** Where the entries of each document end. */
  private readonly ends = new Words();
  /** Terms of the document at hand, and how often each stands in each field. */
  private readonly here = new Words();
  private counted = new Uint8Array(1024);
  /** For each term the last document that has it, counted from one, and its place in `here`. */
  private lastIn = new Uint32Array(1024);
  private slots = new Uint32Array(1024);
  private readonly surface = new Words();
  private readonly surfaceStarts = new Words();
  private surfaceStart = 0;

  /** `most` says up to how often a term counts in each field. */
  constructor(most: readonly number[]) {
    this.most = most;
    this.fieldCount = most.length;
  }

  add(hash: Hash, field: number, isSurface: boolean): void {
    const term = this.table.idOf(hash);
    if (isSurface) this.pushSurface(term);
    const place = this.slotOf(term) * this.fieldCount + field;
    const count = this.counted[place] ?? 0;
    if (count < (this.most[field] ?? 0)) this.counted[place] = count + 1;
  }

  /** Nothing stands between two ends. */
  endPassage(): void {
    const isEmpty = this.surface.length === this.surfaceStart || this.surface.last() === passageEnd;
    if (!isEmpty) this.pushSurface(passageEnd);
  }

  endDocument(): void {
    this.surfaceStarts.push(this.surfaceStart);
    this.surfaceStart = this.surface.length;
    const terms = this.here.view();
    for (let slot = 0; slot < terms.length; slot++) {
      this.entries.push(terms[slot] ?? 0);
      this.frequencies.push(packedFrequency(this.counted, slot * this.fieldCount, this.fieldCount));
    }
    this.counted.fill(0, 0, terms.length * this.fieldCount);
    this.here.length = 0;
    this.ends.push(this.entries.length);
  }

  finish(): Postings & Surface {
    const { terms, ranks } = this.table.sorted();
    this.surfaceStarts.push(this.surface.length);
    const forward = {
      entries: replaced(this.entries.view(), ranks),
      frequencies: this.frequencies.view(),
      ends: this.ends.view(),
    };
    return {
      terms,
      ...inverted(forward, ranks.length),
      surface: replaced(this.surface.view(), ranks).slice(),
      surfaceStarts: this.surfaceStarts.view().slice(),
    };
  }

  private pushSurface(term: number): void {
    if (this.surface.length - this.surfaceStart < longestSurface) this.surface.push(term);
  }

  private slotOf(term: number): number {
    if (term >= this.lastIn.length) {
      this.lastIn = doubled(this.lastIn);
      this.slots = doubled(this.slots);
    }
    const document = this.ends.length + 1;
    if (this.lastIn[term] === document) return this.slots[term] ?? 0;
    const slot = this.here.length;
    this.here.push(term);
    this.lastIn[term] = document;
    this.slots[term] = slot;
    if ((slot + 1) * this.fieldCount > this.counted.length) {
      const counted = new Uint8Array(this.counted.length * 2);
      counted.set(this.counted);
      this.counted = counted;
    }
    return slot;
  }
}

/** Each term by its place; what ends a passage stays. */
export function replaced(list: Uint32Array, places: Uint32Array): Uint32Array {
  for (let at = 0; at < list.length; at++) {
    const term = list[at] ?? 0;
    if (term !== passageEnd) list[at] = places[term] ?? 0;
  }
  return list;
}

function doubled(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(values.length * 2);
  longer.set(values);
  return longer;
}

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

const smallest = 1024;

/** Numbers the terms of a text in the order in which they come. An open-addressing table, never more than half full. */
class TermTable {
  count = 0;
  /** Hashes by number, the low half first. */
  private hashes = new Uint32Array(2 * smallest);
  /** One more than the number of the term at each place; zero is free. */
  private places = new Uint32Array(2 * smallest);

  idOf({ low, high }: Hash): number {
    let place = this.placeOf(low, high);
    const known = this.places[place] ?? 0;
    if (known !== 0) return known - 1;
    if (this.count * 2 >= this.places.length) {
      this.grow();
      place = this.placeOf(low, high);
    }
    this.hashes[2 * this.count] = low;
    this.hashes[2 * this.count + 1] = high;
    this.places[place] = ++this.count;
    return this.count - 1;
  }

  /** The hashes in ascending order, and the place of each numbered term among them. */
  sorted(): { readonly terms: Uint32Array; readonly ranks: Uint32Array } {
    const terms = this.hashes.slice(0, 2 * this.count);
    // As numbers of 64 bits they are sorted in native code, which is many times faster than by comparing here.
    new BigUint64Array(terms.buffer).sort();
    const ranks = new Uint32Array(this.count);
    for (let rank = 0; rank < this.count; rank++) {
      const place = this.placeOf(terms[2 * rank] ?? 0, terms[2 * rank + 1] ?? 0);
      ranks[(this.places[place] ?? 0) - 1] = rank;
    }
    return { terms, ranks };
  }

  private placeOf(low: number, high: number): number {
    const mask = this.places.length - 1;
    let place = low & mask;
    for (;;) {
      const id = (this.places[place] ?? 0) - 1;
      if (id === -1 || (this.hashes[2 * id] === low && this.hashes[2 * id + 1] === high)) return place;
      place = (place + 1) & mask;
    }
  }

  private grow(): void {
    const hashes = new Uint32Array(this.hashes.length * 2);
    hashes.set(this.hashes);
    this.hashes = hashes;
    this.places = new Uint32Array(this.places.length * 2);
    for (let id = 0; id < this.count; id++)
      this.places[this.placeOf(hashes[2 * id] ?? 0, hashes[2 * id + 1] ?? 0)] = id + 1;
  }
}
