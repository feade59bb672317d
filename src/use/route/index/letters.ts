import type { Hash } from "./hash.ts";
import { mixed } from "./hash.ts";

/** A longer word is cut: nobody asks for it. */
export const longestWord = 64;

/** The letters of one token while it is made: strings would be most of what reading a text costs. */
export class Letters {
  readonly units = new Uint16Array(2 * longestWord);
  length = 0;

  append(unit: number): void {
    if (this.length < this.units.length) this.units[this.length++] = unit;
  }

  appendText(text: string): void {
    for (let at = 0; at < text.length; at++) this.append(text.charCodeAt(at));
  }

  /** The letter at a place counted from the end: 1 is the last one. */
  fromEnd(place: number): number {
    return this.units[this.length - place] ?? 0;
  }

  hash(into: Hash): void {
    let low = 0x811c9dc5;
    let high = 0x9747b28c;
    for (let at = 0; at < this.length; at++) {
      const unit = this.units[at] ?? 0;
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(high ^ unit, 0x5bd1e995);
      high ^= high >>> 13;
    }
    into.low = mixed(low);
    into.high = mixed(high ^ this.length);
  }

  toString(): string {
    return String.fromCharCode(...this.units.subarray(0, this.length));
  }
}
