import type { Passage } from "./pump.ts";

const mostBytes = 16 * 1024;
const named = /"id"\s*:\s*"(resp_[\w-]{1,128})"/;

/** Looks for the id of a stored response in what passes by (CO-8). Nothing is held back for it. */
export class ResponseId implements Passage {
  #seen = "";
  #found: string | undefined;

  get found(): string | undefined {
    return this.#found;
  }

  push(chunk: Buffer): Buffer {
    if (this.#found === undefined && this.#seen.length < mostBytes) {
      this.#seen += chunk.toString("latin1", 0, mostBytes);
      this.#found = named.exec(this.#seen)?.[1];
    }
    return chunk;
  }

  end(): Buffer {
    return Buffer.alloc(0);
  }
}
