import type { Clock } from "../core/world.ts";

/** A value that is asked for at most once at a time, and kept for its time. What failed is asked for again. */
export class CachedValue<Value> {
  readonly #clock: Clock;
  readonly #keptFor: number;
  readonly #ask: () => Promise<Value>;
  #last: { readonly at: number; readonly answer: Promise<Value> } | undefined;

  /** `keptFor`: milliseconds. */
  constructor(clock: Clock, keptFor: number, ask: () => Promise<Value>) {
    this.#clock = clock;
    this.#keptFor = keptFor;
    this.#ask = ask;
  }

  /** `youngerThan`, in milliseconds: else it is asked for anew. */
  get(youngerThan = this.#keptFor): Promise<Value> {
    const now = this.#clock.now();
    const last = this.#last;
    // A clock that was set back makes nothing younger.
    if (last !== undefined && now >= last.at && now - last.at < youngerThan) return last.answer;
    const answer = this.#ask();
    this.#last = { at: now, answer };
    answer.catch(() => {
      if (this.#last?.answer === answer) this.#last = undefined;
    });
    return answer;
  }
}
