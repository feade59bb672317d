/** Events that are made in one place and read in another, in order. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  #waiting: Event[] = [];
  #isOver = false;
  #wake: () => void = () => {};

  push(event: Event): void {
    if (this.#isOver) return;
    this.#waiting.push(event);
    this.#wake();
  }

  /** What was pushed before is still read. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, void> {
    while (true) {
      const events = this.#waiting;
      this.#waiting = [];
      yield* events;
      if (this.#waiting.length > 0) continue;
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
