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
