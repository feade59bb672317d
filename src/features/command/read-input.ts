import type { Readable } from "node:stream";
import { AppError } from "../../core/error.ts";

/** As much as a text for a model may have: more than any of them reads. */
const mostBytes = 16 * 2 ** 20;

/** All of standard input as text, byte for byte. What is no UTF-8 is refused: it would be read as another text. */
export async function readInput(input: Readable, signal: AbortSignal, most = mostBytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const stop = () => input.destroy(new AppError("usage.invalid", "interrupted while the input was read"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of input) {
      const part = Buffer.from(chunk);
      bytes += part.length;
      if (bytes > most) throw new AppError("usage.invalid", `the input has more than ${most} bytes`);
      chunks.push(part);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return decode(Buffer.concat(chunks));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("usage.invalid", "the input is not valid UTF-8", { cause });
  }
}
