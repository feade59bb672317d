import type { Readable } from "node:stream";
import { AppError } from "../core/error.ts";
import { JsonReader } from "../core/json/reader.ts";
import { JsonFault } from "../core/json/tokens.ts";

/** A request of Node, as far as its body goes. */
export interface WithBody extends Readable {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * All of a body, at most `most` bytes (T41): what says that it is larger is refused unread, what turns out to be is
 * not read on. Fails with `AppError`; a client that goes away ends it too.
 */
export async function readBody(request: WithBody, most: number): Promise<Buffer> {
  refuseEncoded(request);
  if (Number(request.headers["content-length"] ?? 0) > most) throw tooLarge(most);
  return gather(request, most);
}

/** Nothing is unpacked: a small body could become a large one. */
function refuseEncoded({ headers }: WithBody): void {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return;
  throw new AppError("usage.invalid", "content-encoding: send the body as it is, not compressed");
}

function gather(request: WithBody, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const stop = (error: AppError) => {
      request.off("data", take);
      request.pause();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) stop(tooLarge(most));
      else chunks.push(chunk);
    };
    const leave = () => stop(gone(undefined));
    request.on("data", take);
    request.once("end", () => {
      // Every request closes in the end; only before its end is that a fault.
      request.off("close", leave);
      resolve(Buffer.concat(chunks, size));
    });
    request.once("error", (cause) => stop(gone(cause)));
    request.once("close", leave);
    if (request.destroyed) leave();
  });
}

function tooLarge(most: number): AppError {
  return new AppError("request.too-large", `the body has more than ${most} bytes; send less`);
}

/** Nobody reads this: the connection is gone. */
function gone(cause: unknown): AppError {
  return new AppError("usage.invalid", "the body ended before it was complete", { cause });
}

const deepest = 64;

/**
 * T41: goes over the bytes once and builds nothing. What is nested deeper, or holds more values, than any request that is
 * meant is refused here: to parse it, and to say what is wrong with each of them, would keep everybody else waiting. Whether
 * it is JSON is for the parser to say.
 */
export function demandModest(bytes: Uint8Array, mostValues: number): void {
  try {
    new JsonReader(bytes, { depth: deepest, values: mostValues }).skip();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (error.kind === "excess")
      throw new AppError("usage.invalid", `the body is ${error.message}; send less at a time`);
  }
}
