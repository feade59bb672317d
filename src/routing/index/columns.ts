/** A list of numbers of 32 bits that grows. */
export class Words {
  private values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) this.values = grown(this.values, new Uint32Array(this.length * 2));
    this.values[this.length++] = value;
  }

  last(): number | undefined {
    return this.values[this.length - 1];
  }

  /** What is in it so far, not to be kept while it grows. */
  view(): Uint32Array {
    return this.values.subarray(0, this.length);
  }
}

/** A list of bytes that grows. */
export class Bytes {
  private values = new Uint8Array(1024);
  length = 0;

  append(values: Uint8Array): void {
    this.reserve(values.length);
    this.values.set(values, this.length);
    this.length += values.length;
  }

  view(): Uint8Array {
    return this.values.subarray(0, this.length);
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.values.length) return;
    this.values = grown(this.values, new Uint8Array(Math.max(needed, this.values.length * 2)));
  }
}

function grown<List extends Uint8Array | Uint32Array>(from: List, to: List): List {
  to.set(from);
  return to;
}

/**
 * The surface of a document is what it says of itself, as a row of terms: its name, then passage by passage its
 * description and the rest. What stands together is found there, which counting words does not tell.
 */

export interface Surface {
  /** Places of terms, and where passages end. */
  readonly surface: Uint32Array;
  /** Where that of each document starts. */
  readonly surfaceStarts: Uint32Array;
}

/** Stands between two passages, and is no term. */
export const passageEnd = 0xffff_ffff;

/** So many terms of a document's surface are kept: a kilobyte. */
export const longestSurface = 256;

/** Signs that end a passage when something other than a Latin letter or digit follows. */
const breaks = new Set(Array.from('.!?;:。；！？：,，、|()（）"“”「」', (sign) => sign.charCodeAt(0)));

/** Whether a passage ends between two words of a text. */
export function hasBreak(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a) return true;
    if (breaks.has(unit) && !isPlainWord(text.charCodeAt(at + 1))) return true;
    if ((unit === 0x2d || unit === 0x2014) && isSpace(text.charCodeAt(at - 1)) && isSpace(text.charCodeAt(at + 1)))
      return true;
  }
  return false;
}

function isPlainWord(unit: number): boolean {
  const small = unit | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function isSpace(unit: number): boolean {
  return unit === 0x20;
}
