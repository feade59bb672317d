import { posix } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { AppError } from "../../core/error.ts";
import { parseJson } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";

/** A value of a file, and the number of its line. */
export interface NumberedValue<Value> {
  readonly line: number;
  readonly value: Value;
}

/** Why a line cannot be used. `isNext`: not the line that was passed last, but the one behind it. */
export class LineFault extends Error {
  readonly isNext: boolean;

  constructor(message: string, isNext = false) {
    super(message);
    this.isNext = isNext;
  }
}

const mostFileBytes = 2 ** 30;
const mostBytes = 4 * 2 ** 30;
const mostLineBytes = 8 * 2 ** 20;
/** Blank ones too: there can be a thousand million of them in a file that is small when it is packed. */
const mostLines = 5_000_000;
const newline = "\n".charCodeAt(0);

/**
 * The values of a file with JSON on each line, one at a time; `.gz` is unpacked on the way. `parse` throws a
 * `LineFault` for what is no such value: it is refused by its number, and nothing is left out.
 */
export async function* readJsonLines<Value>(
  files: Files,
  path: string,
  parse: (value: unknown) => Value,
): AsyncGenerator<NumberedValue<Value>> {
  refusePacked(path);
  const bytes = await files.read(await files.resolve(path), mostFileBytes);
  if (!(bytes instanceof Uint8Array))
    throw refusedFile(path, `has ${bytes.size} bytes; at most ${mostFileBytes} are read`);
  const passed = { lines: 0 };
  try {
    for await (const line of linesOf(partsOf(bytes, posix.extname(path) === ".gz"), passed))
      yield { line: passed.lines, value: parse(valueOf(line)) };
  } catch (error) {
    if (error instanceof LineFault) throw refusedFile(path, error.message, passed.lines + (error.isNext ? 1 : 0));
    throw error;
  }
}

/** A file that cannot be used as what it was named for. */
export function refusedFile(path: string, why: string, line?: number): AppError {
  const shown = safeLine(path, 240);
  return new AppError("usage.invalid", `${line === undefined ? shown : `${shown}:${line}`} ${why}`);
}

function refusePacked(path: string): void {
  if (posix.extname(path) !== ".xz") return;
  const name = posix.basename(path, ".xz");
  throw refusedFile(path, `cannot be read as it is; unpack it first: xz -dc ${safeLine(name)}.xz > ${safeLine(name)}`);
}

const partBytes = 64 * 1024;

/** In parts, so that of what is packed only a part is unpacked at a time. */
async function* partsOf(bytes: Uint8Array, isPacked: boolean): AsyncGenerator<Uint8Array> {
  if (!isPacked) {
    yield* cut(bytes);
    return;
  }
  const unpacked = Readable.from(cut(bytes)).pipe(createGunzip());
  try {
    for await (const part of unpacked) yield Buffer.from(part);
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw new LineFault("cannot be unpacked: it is damaged or no gzip", true);
    throw error;
  } finally {
    unpacked.destroy();
  }
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

/** Lines that have something on them; `passed` counts all. Whoever waits for a line waits long, so blank ones are passed here. */
async function* linesOf(parts: AsyncIterable<Uint8Array>, passed: { lines: number }): AsyncGenerator<Uint8Array> {
  let [held, heldBytes, total]: [Uint8Array[], number, number] = [[], 0, 0];
  for await (const part of parts) {
    total += part.length;
    if (total > mostBytes) throw new LineFault(`comes after ${mostBytes} bytes; more are not read`, true);
    let start = 0;
    for (let end = part.indexOf(newline); end !== -1; end = part.indexOf(newline, start)) {
      pass(passed);
      const isBlank = end === start && heldBytes === 0;
      const line = isBlank ? part.subarray(0, 0) : joined([...held, part.subarray(start, end)]);
      if (line.length > 0) yield line;
      [held, heldBytes, start] = [[], 0, end + 1];
    }
    held.push(part.subarray(start));
    heldBytes += part.length - start;
    if (heldBytes > mostLineBytes) throw new LineFault(`is longer than ${mostLineBytes} bytes`, true);
  }
  const last = joined(held);
  if (last.length === 0) return;
  pass(passed);
  yield last;
}

function pass(passed: { lines: number }): void {
  if (passed.lines === mostLines) throw new LineFault(`comes after ${mostLines} lines; more are not read`, true);
  passed.lines++;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const line = parts.length === 1 ? (parts[0] ?? new Uint8Array()) : Buffer.concat(parts);
  return line.at(-1) === "\r".charCodeAt(0) ? line.subarray(0, -1) : line;
}

function valueOf(line: Uint8Array): unknown {
  const value = parseJson(line);
  if (value === undefined) throw new LineFault("is not JSON in UTF-8");
  return value;
}
