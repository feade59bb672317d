import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { AppError } from "../../core/error.ts";
import { unusable } from "./tarball-header.ts";

/** T7: what a few bytes can become. Small archives may compress as well as they like. */
const ratio = 100;
const unheld = 2 ** 20;

/** The bytes inside a gzipped stream, read in pieces of any size and held to bounds. Fails with `upstream.invalid`. */
export class Inflated {
  readonly #source: Readable;
  readonly #gunzip = createGunzip({ chunkSize: 64 * 1024 });
  readonly #chunks: AsyncIterator<unknown>;
  readonly #most: number;
  #held = Buffer.alloc(0);
  #given = 0;

  constructor(source: Readable, most: number) {
    this.#source = source;
    this.#most = most;
    this.#chunks = this.#gunzip[Symbol.asyncIterator]();
    // A fault is kept for whoever reads; one that comes before, or that nobody reads, ends nothing.
    pipeline(source, this.#gunzip, () => {});
  }

  /** A copy: a part of what is held would keep all of it in memory. */
  async take(count: number): Promise<Buffer> {
    this.#expect(count);
    const taken = Buffer.from(new ArrayBuffer(count));
    for (let filled = 0; filled < count; ) {
      await this.#hold();
      const part = this.#held.subarray(0, count - filled);
      taken.set(part, filled);
      filled += part.length;
      this.#held = this.#held.subarray(part.length);
    }
    return taken;
  }

  async skip(count: number): Promise<void> {
    this.#expect(count);
    for (let left = count; left > 0; ) {
      await this.#hold();
      const part = Math.min(left, this.#held.length);
      this.#held = this.#held.subarray(part);
      left -= part;
    }
  }

  /** Reads to the end: only there a damaged stream shows, and its connection can be used again. */
  async drain(): Promise<void> {
    while (await this.#more());
  }

  destroy(): void {
    this.#gunzip.destroy();
    this.#source.destroy();
  }

  /** What goes beyond the bounds by its own word is not waited for, and no memory is taken for it. */
  #expect(count: number): void {
    if (this.#given - this.#held.length + count > this.#most) throw tooMuch(this.#most);
  }

  async #hold(): Promise<void> {
    if (this.#held.length === 0 && !(await this.#more())) throw unusable("it ends too early");
  }

  /** False at the end. */
  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next().catch((error: unknown) => {
      throw faultOf(error);
    });
    if (done === true || !(value instanceof Buffer)) return false;
    this.#held = value;
    this.#given += value.length;
    if (this.#given > this.#most) throw tooMuch(this.#most);
    if (this.#given > Math.max(unheld, this.#gunzip.bytesWritten * ratio))
      throw unusable("a few bytes of it decode to far too many");
    return true;
  }
}

function tooMuch(most: number): AppError {
  return unusable(`it has more than ${most} bytes`);
}

/** What the source itself fails with passes as it is, also the reason of whoever ended it. */
function faultOf(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ERR_STREAM_PREMATURE_CLOSE") return unusable("it ends too early");
  return /^Z_[A-Z]+_ERROR$/.test(String(error.code)) ? unusable("it is damaged, or not gzip") : error;
}
