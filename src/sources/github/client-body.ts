import type { Readable } from "node:stream";
import { AppError } from "../../core/error.ts";
import { isRecord, parseJson } from "../../core/json/json.ts";

/** IN-5: a body through a byte cap, piece by piece; `count` is told of each. */
export async function readAtMost(body: Readable, most: number, count: (bytes: number) => void): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of chunksOf(body)) {
    size += piece.length;
    count(piece.length);
    if (size > most) throw new AppError("upstream.invalid", `the service answered more than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}

/** Ending the loop destroys the body. */
async function* chunksOf(body: Readable): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<unknown> = body;
  for await (const chunk of chunks) if (chunk instanceof Uint8Array) yield chunk;
}

/** JSON as it must be: UTF-8 and whole. */
export function parseReply(bytes: Uint8Array): unknown {
  const value = parseJson(bytes);
  if (value === undefined) throw new AppError("upstream.invalid", "the service answered something that is not JSON");
  return value;
}

const longestRefusal = 64 * 1024;

/** The message in a refusal; empty when there is none that can be read. */
export async function messageOf(body: Readable, count: (bytes: number) => void): Promise<string> {
  try {
    const said = parseReply(await readAtMost(body, longestRefusal, count));
    const message = isRecord(said) ? said["message"] : "";
    return typeof message === "string" ? message : "";
  } catch (error) {
    // The status alone says enough. Anything but a fault of the body is the caller's own ending.
    if (error instanceof AppError) return "";
    throw error;
  }
}
