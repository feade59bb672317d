import { TooMany } from "../statuses.ts";

/** T41: how many streams each principal has open. */
export class Seats {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Gives back how to leave it, once. */
  take(principal: string): () => void {
    const taken = this.#taken.get(principal) ?? 0;
    if (taken >= this.#most) throw new TooMany(`${taken} streams of this key are open; close one of them`, 1);
    this.#taken.set(principal, taken + 1);
    return () => this.#leave(principal);
  }

  #leave(principal: string): void {
    const left = (this.#taken.get(principal) ?? 0) - 1;
    if (left > 0) this.#taken.set(principal, left);
    else this.#taken.delete(principal);
  }
}
