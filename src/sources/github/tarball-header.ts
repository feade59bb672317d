import { AppError } from "../../core/error.ts";

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
