/** People write `ollama` where a key is asked for: covering that would damage answers and hide nothing. */
const shortest = 8;

/** CO-16: the secret that must not come back in an answer; null when there is none that is worth it. */
export function secretToCover(secret: string | null): string | null {
  return secret === null || secret.length < shortest ? null : secret;
}

/** CO-16: a text in which the secret does not stand any more. */
export function scrubSecret(text: string, secret: string | null): string {
  const covered = secretToCover(secret);
  return covered === null ? text : text.replaceAll(covered, "(secret)");
}

/**
 * CO-16: text that comes in pieces, without the secret also where that is cut between two of them. All that it gives
 * together is what `scrubSecret` makes of the whole.
 */
export class CoveredText {
  readonly #secret: string | null;
  #held = "";

  constructor(secret: string | null) {
    this.#secret = secretToCover(secret);
  }

  /** What may be shown by now. What could be the beginning of the secret waits for more. */
  add(piece: string): string {
    if (this.#secret === null) return piece;
    const between = (this.#held + piece).split(this.#secret);
    const last = between.pop() ?? "";
    const shown = last.length - beginningAtEnd(last, this.#secret);
    this.#held = last.slice(shown);
    return [...between, last.slice(0, shown)].join("(secret)");
  }

  /** What waited, when nothing more comes. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }
}

/** How many characters at the end of a text are the beginning of the secret, at most all but its last. */
function beginningAtEnd(text: string, secret: string): number {
  let length = Math.min(text.length, secret.length - 1);
  while (length > 0 && !text.endsWith(secret.slice(0, length))) length--;
  return length;
}
