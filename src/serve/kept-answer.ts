import type { Clock } from "../base/world.ts";

/** What a service said, for all who ask within its time; one question at a time. What failed is asked again. */
export class KeptAnswer<Answer> {
  readonly #clock: Clock;
  readonly #keptFor: number;
  readonly #ask: () => Promise<Answer>;
  #last: { readonly at: number; readonly answer: Promise<Answer> } | undefined;

  /** `keptFor`: milliseconds. */
  constructor(clock: Clock, keptFor: number, ask: () => Promise<Answer>) {
    this.#clock = clock;
    this.#keptFor = keptFor;
    this.#ask = ask;
  }

  /** `youngerThan`, in milliseconds: else it is asked for anew. */
  get(youngerThan = this.#keptFor): Promise<Answer> {
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
