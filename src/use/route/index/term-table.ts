import type { Hash } from "./hash.ts";

const smallest = 1024;

/** Numbers the terms of a text in the order in which they come. An open-addressing table, never more than half full. */
export class TermTable {
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
