/** A secret that comes back is covered, letter by letter, so that lengths stay true (CO-16). */

export function scrubText(text: string, secret: string | null): string {
  return secret === null ? text : text.replaceAll(secret, "*".repeat(secret.length));
}

/** Covers a secret in a stream, also where it is torn apart between chunks. */
export class Scrubber {
  readonly #secret: Buffer;
  /** The end of what came before, when a secret may have begun in it. */
  #held: Buffer = Buffer.alloc(0);

  constructor(secret: string | null) {
    this.#secret = Buffer.from(secret ?? "");
  }

  /** What can be handed on: all of it, save for an end that could be the start of the secret. */
  push(chunk: Buffer): Buffer {
    if (this.#secret.length === 0) return chunk;
    const joined = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const covered = this.#cover(joined);
    const keep = this.#beginningAtEnd(covered);
    this.#held = covered.subarray(covered.length - keep);
    return covered.subarray(0, covered.length - keep);
  }

  /** What was held back to the end was no secret. */
  end(): Buffer {
    return this.#held;
  }

  #cover(bytes: Buffer): Buffer {
    let at = bytes.indexOf(this.#secret);
    if (at === -1) return bytes;
    const covered = Buffer.from(bytes);
    for (; at !== -1; at = bytes.indexOf(this.#secret, at + this.#secret.length))
      covered.fill("*", at, at + this.#secret.length);
    return covered;
  }

  /** How many of the last bytes are the first ones of the secret. */
  #beginningAtEnd(bytes: Buffer): number {
    const first = this.#secret[0] ?? 0;
    const longest = Math.min(this.#secret.length - 1, bytes.length);
    const from = bytes.length - longest;
    for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1))
      if (bytes.subarray(at).equals(this.#secret.subarray(0, bytes.length - at))) return bytes.length - at;
    return 0;
  }
}
