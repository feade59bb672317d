import { Words } from "./columns.ts";
import { packedFrequency } from "./frequency.ts";
import type { Hash } from "./hash.ts";
import { inverted, type Postings } from "./inversion.ts";
import { longestSurface, passageEnd, type Surface } from "./surface.ts";
import { TermTable } from "./term-table.ts";

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
