import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import { remembering } from "./memory.ts";
import type { GitHubService } from "./script.ts";
import { tarHead } from "./tar.ts";

const mebibyte = 2 ** 20;
const size = 128 * mebibyte;

/** Zeros as a service would send them, packed a thousand to one. Made once: all fakes share it. */
export const createBomb = remembering((service): Promise<Buffer> => {
  const head = service === "codeload" ? tarHead("bomb/zeros", size) : Buffer.alloc(0);
  const end = service === "codeload" ? 1024 : 0;
  return promisify(gzip)(Buffer.concat([head], head.length + size + end), { level: 1 });
});

/** A body without end: of a tarball file after file, otherwise a JSON string that is never closed. */
export function createFlood(service: GitHubService): Readable {
  if (service !== "codeload") return Readable.from(letters());
  // Not packed: what is counted on the way is what comes.
  return Readable.from(files()).pipe(createGzip({ level: 0 }));
}

function* letters(): Generator<Buffer> {
  yield Buffer.from('"');
  const piece = Buffer.alloc(mebibyte / 16, "a");
  for (;;) yield piece;
}

function* files(): Generator<Buffer> {
  const content = Buffer.alloc(mebibyte / 16, "a");
  for (let number = 1; ; number += 1) yield Buffer.concat([tarHead(`flood/${number}.md`, content.length), content]);
}
