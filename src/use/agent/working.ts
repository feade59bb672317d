/** What is under way and has not settled yet. */
export class Working {
  readonly #all = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const forget = (): void => void this.#all.delete(work);
    this.#all.add(work);
    work.then(forget, forget);
  }

  /** When nothing is under way, also nothing that began meanwhile. */
  async idle(): Promise<void> {
    while (this.#all.size > 0) await Promise.allSettled(this.#all);
  }
}
