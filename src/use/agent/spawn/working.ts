import type { Timer } from "../../../base/world.ts";

/** Milliseconds that closing, and the place of a sub-agent, wait for tools that go on though they were told to end. */
export const longestLeaving = 5_000;

/** What is under way and has not settled yet. */
export class Working {
  readonly #all = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const forget = (): void => void this.#all.delete(work);
    this.#all.add(work);
    work.then(forget, forget);
  }

  get isIdle(): boolean {
    return this.#all.size === 0;
  }

  /** When nothing is under way, also nothing that began meanwhile. */
  async idle(): Promise<void> {
    while (this.#all.size > 0) await Promise.allSettled(this.#all);
  }

  /** The same, and no later than this. */
  async idleWithin(milliseconds: number, timer: Timer): Promise<void> {
    if (this.isIdle) return;
    const isOver = new AbortController();
    const late = timer.after(milliseconds, isOver.signal).catch(() => {});
    await Promise.race([this.idle(), late]);
    isOver.abort();
  }
}
