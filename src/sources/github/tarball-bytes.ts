import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { AppError } from "../../core/error.ts";

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

export const blockSize = 512;

/** What stands before one entry of a tar archive. Names are bytes: whether they are a path is not said here. */
export interface TarHeader {
  readonly kind: "file" | "pax" | "long-name" | "other-header" | "other";
  readonly name: Buffer;
  readonly size: number;
}

const zeros = Buffer.alloc(blockSize);

/** Undefined for a block of zeros, which ends an archive. Throws for a block that is no header. */
export function parseTarHeader(block: Buffer): TarHeader | undefined {
  if (block.equals(zeros)) return undefined;
  if (octal(block, 148, 8) !== checksum(block)) throw unusable("it has a damaged header");
  const kind = kinds[String.fromCharCode(block.readUInt8(156))] ?? "other";
  return { kind, name: nameOf(block), size: octal(block, 124, 12) };
}

const kinds: Readonly<Partial<Record<string, TarHeader["kind"]>>> = {
  "0": "file",
  "\0": "file",
  x: "pax",
  L: "long-name",
  // For all entries, and for the target of a link: neither is used.
  g: "other-header",
  K: "other-header",
};

function nameOf(block: Buffer): Buffer {
  const name = untilNul(block.subarray(0, 100));
  const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? untilNul(block.subarray(345, 500)) : zeros.subarray(0, 0);
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from("/"), name]);
}

/** The name that a header of this kind has for the next entry; undefined: none. */
export function nameInside(kind: TarHeader["kind"], bytes: Buffer): Buffer | undefined {
  if (kind === "long-name") return untilNul(bytes);
  return kind === "pax" ? pathInPax(bytes) : undefined;
}

/** Lines of `length key=value`, the length being that of the whole line. The last path counts. */
function pathInPax(bytes: Buffer): Buffer | undefined {
  let path: Buffer | undefined;
  for (let at = 0; at < bytes.length; ) {
    const [digits = ""] = /^[1-9]\d{0,6}(?= )/.exec(bytes.toString("latin1", at, at + 8)) ?? [];
    const end = at + Number(digits);
    const start = at + digits.length + 1;
    if (digits === "" || end <= start || bytes[end - 1] !== newline) throw unusable("it has a damaged extended header");
    if (bytes.toString("latin1", start, start + 5) === "path=") path = bytes.subarray(start + 5, end - 1);
    at = end;
  }
  return path;
}

const newline = 0x0a;

/** Sizes that are not octal are for more than 8 GiB: nothing of that is taken in, whatever it says (T7). */
function octal(block: Buffer, at: number, length: number): number {
  const [, digits] = /^ *([0-7]+)[ \0]*$/.exec(block.toString("latin1", at, at + length)) ?? [];
  if (digits === undefined) throw unusable("it has a damaged header");
  return Number.parseInt(digits, 8);
}

/** Of all bytes, those of the checksum itself counted as spaces. */
function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < 148; at++) sum += block[at] ?? 0;
  for (let at = 156; at < blockSize; at++) sum += block[at] ?? 0;
  return sum;
}

function untilNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

export function unusable(why: string): AppError {
  return new AppError("upstream.invalid", `the tarball cannot be used: ${why}; try again later`);
}
