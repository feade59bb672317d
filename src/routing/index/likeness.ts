import { mixed } from "./hash.ts";

/** Numbers that stand for a document's text when two are held against each other. */
export const signatureLength = 64;

/**
 * So much in common, and two texts are taken for one. Among skills that one query finds, copies with another name or a
 * paragraph more have four fifths in common and above, others less than half: hardly any pair lies in between.
 */
export const alikeFrom = 0.75;

const binShift = 26;
const none = 0xffff_ffff;

/**
 * Makes a document's signature while its tokens go by: every three neighbours are one number, the numbers are spread
 * over bins, and the least of each bin stays (one-permutation minwise hashing).
 */
export class Signature {
  private readonly least = new Uint32Array(signatureLength).fill(none);
  private first = 0;
  private second = 0;
  private seen = 0;

  add(token: number): void {
    if (++this.seen >= 3) this.keep(mixed(mixed(mixed(this.first) ^ this.second) ^ token));
    this.first = this.second;
    this.second = token;
  }

  /** Writes what was made to its place, and begins anew. */
  finish(into: Uint16Array, offset: number): void {
    // Of fewer than three tokens, those there are stand for the text.
    if (this.seen === 1 || this.seen === 2) this.keep(mixed(mixed(this.first) ^ this.second));
    for (let bin = 0; bin < signatureLength; bin++) into[offset + bin] = shortened(this.least[bin] ?? none);
    this.least.fill(none);
    this.first = this.second = this.seen = 0;
  }

  private keep(shingle: number): void {
    const bin = shingle >>> binShift;
    if (shingle < (this.least[bin] ?? 0)) this.least[bin] = shingle;
  }
}

/** 16 bits of a number are enough to tell two apart; zero is a bin that nothing fell into. */
function shortened(least: number): number {
  return least === none ? 0 : (mixed(least) % 0xffff) + 1;
}

/** The share of the three-word pieces that two documents have in common, as far as their signatures tell. */
export function likenessOf(one: Uint16Array, other: Uint16Array): number {
  let same = 0;
  let filled = 0;
  for (let bin = 0; bin < signatureLength; bin++) {
    if (one[bin] === 0 && other[bin] === 0) continue;
    filled++;
    if (one[bin] === other[bin]) same++;
  }
  return filled === 0 ? 0 : same / filled;
}
