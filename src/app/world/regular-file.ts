import { type BigIntStats, closeSync, constants, fstatSync, open, read } from "node:fs";
import { promisify } from "node:util";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Stamp, StampedFile } from "../../core/world.ts";
import { kindOf } from "./listing.ts";

const openFile = promisify(open);
const readPart = promisify(read);

// NOFOLLOW: a link is refused, not followed. NONBLOCK: a pipe that nobody writes to does not hang the open.
const asItIs = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The size is known before a byte is read, and what is read is what was measured: one open file (SK-3). Opening and
 * reading wait for the disk, in a thread beside. What an open file is the system knows by heart: to ask that, or to
 * close it, takes less time than to hand the question to a thread.
 */
export async function readRegularFile(path: string, max: number): Promise<StampedFile> {
  const file = await openFile(path, asItIs);
  try {
    const stamp = stampOf(fstatSync(file, { bigint: true }));
    if (stamp.kind !== "file") throw new AppError("path.wrong-kind", `not a regular file: ${safeLine(path)}`);
    if (stamp.size > max) return { stamp, bytes: null };
    const bytes = await readWhole(file, stamp.size);
    if (bytes.length === stamp.size) return { stamp, bytes };
    throw new AppError("disk.failed", `changed while it was read: ${safeLine(path)}`);
  } finally {
    closeSync(file);
  }
}

/** Asks for a byte more than there should be: when that does not come, the file has ended, without asking again. */
async function readWhole(file: number, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size + 1);
  let length = 0;
  let count = 0;
  do {
    count = (await readPart(file, bytes, length, bytes.length - length, length)).bytesRead;
    length += count;
  } while (count > 0 && length < size);
  return bytes.subarray(0, length);
}

/** The time of change is the disk's own: unlike the time of writing, a program cannot set it. */
export function stampOf(stats: BigIntStats): Stamp {
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  const mark = `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  return { kind: kindOf(stats), size: Number(size), mark, changedAt: Number(ctimeNs) / 1e6 };
}
