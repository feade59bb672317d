import { posix } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { AppError } from "../base/error.ts";
import { safeLine } from "../base/text.ts";
import type { Files } from "../base/world.ts";

/** One text whose nature is known. */
export interface LabelledText {
  readonly id: string;
  readonly set: string;
  readonly label: "malicious" | "benign";
  readonly text: string;
}

/** The set of a line that names none. */
const unnamed = "unnamed";

const mostFileBytes = 512 * 2 ** 20;
const mostBytes = 4 * 2 ** 30;
const mostLineBytes = 8 * 2 ** 20;
const mostSets = 200;
const newline = "\n".charCodeAt(0);

/** The texts of a labelled set, one at a time. What is no such line is refused by its number: nothing is left out. */
export async function* readLabelled(files: Files, path: string): AsyncGenerator<LabelledText> {
  const shown = safeLine(path, 240);
  const real = await files.resolve(path);
  const bytes = await files.read(real, mostFileBytes);
  if (!(bytes instanceof Uint8Array))
    throw refused(shown, `has ${bytes.size} bytes; at most ${mostFileBytes} are read`);
  const [ids, sets] = [new Set<string>(), new Set<string>()];
  let line = 0;
  try {
    for await (const each of linesOf(partsOf(bytes, posix.extname(path) === ".gz"))) {
      line++;
      if (each.length === 0) continue;
      const text = textOf(each);
      if (ids.has(text.id)) throw new LineFault("an id that was there before");
      ids.add(text.id);
      if (sets.add(text.set).size > mostSets) throw new LineFault(`more than ${mostSets} sets`);
      yield text;
    }
  } catch (error) {
    if (error instanceof LineFault) throw refused(`${shown}:${error.isNext ? line + 1 : line}`, error.message);
    throw error;
  }
  if (ids.size === 0) throw refused(shown, "has no texts in it: nothing would be measured");
}

/** Why a line cannot be used. `isNext`: not the line that was handed out last, but the one behind it. */
class LineFault extends Error {
  readonly isNext: boolean;

  constructor(message: string, isNext = false) {
    super(message);
    this.isNext = isNext;
  }
}

function refused(where: string, why: string): AppError {
  return new AppError("usage.invalid", `${where} ${why}`);
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

async function* linesOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [held, heldBytes, total]: [Uint8Array[], number, number] = [[], 0, 0];
  for await (const part of parts) {
    total += part.length;
    if (total > mostBytes) throw new LineFault(`comes after ${mostBytes} bytes; more are not read`, true);
    let start = 0;
    for (let end = part.indexOf(newline); end !== -1; end = part.indexOf(newline, start)) {
      yield joined([...held, part.subarray(start, end)]);
      [held, heldBytes, start] = [[], 0, end + 1];
    }
    held.push(part.subarray(start));
    heldBytes += part.length - start;
    if (heldBytes > mostLineBytes) throw new LineFault(`is longer than ${mostLineBytes} bytes`, true);
  }
  if (heldBytes > 0) yield joined(held);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const line = parts.length === 1 ? (parts[0] ?? new Uint8Array()) : Buffer.concat(parts);
  return line.at(-1) === "\r".charCodeAt(0) ? line.subarray(0, -1) : line;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function textOf(line: Uint8Array): LabelledText {
  const value = valueOf(line);
  if (typeof value !== "object" || value === null) throw new LineFault("expected { id, label, text }");
  const fields = new Map<string, unknown>(Object.entries(value));
  const [id, set = unnamed, label, text] = ["id", "set", "label", "text"].map((key) => fields.get(key));
  if (typeof id !== "string" || id === "" || id.length > 256) throw new LineFault("id: expected 1 to 256 characters");
  if (typeof set !== "string" || !/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(set))
    throw new LineFault("set: expected at most 64 letters, digits, dots and hyphens");
  if (label !== "malicious" && label !== "benign") throw new LineFault("label: expected malicious or benign");
  if (typeof text !== "string") throw new LineFault("text: expected a text");
  return { id, set, label, text };
}

function valueOf(line: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(line));
  } catch {
    throw new LineFault("is not JSON in UTF-8");
  }
}
