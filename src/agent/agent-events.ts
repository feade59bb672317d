import { tell } from "../core/async.ts";
import type { Finding } from "../core/finding.ts";
import type { AgentEvent } from "./agent-event.ts";

/** Where an agent's events go: to whoever reads the turn, or between turns to whoever listens. */
export class AgentEvents {
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  /** Findings that were told already: a prompt is built many times. */
  readonly #told = new Set<string>();
  readonly #early: Finding[] = [];
  /** What else happened before anybody listened. */
  readonly #untold: AgentEvent[] = [];
  #queue: EventQueue | null = null;

  /** Findings from before anybody listened. */
  get early(): readonly Finding[] {
    return this.#early;
  }

  get isRead(): boolean {
    return this.#queue !== null;
  }

  /** From now on they are read from here, until `end`. */
  begin(): EventQueue {
    this.#queue = new EventQueue();
    return this.#queue;
  }

  end(): void {
    this.#queue?.end();
    this.#queue = null;
  }

  listen(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    for (const event of this.#untold.splice(0)) tell(listener, event);
    return () => void this.#listeners.delete(listener);
  }

  emit(event: AgentEvent): void {
    if (this.#queue !== null) this.#queue.push(event);
    else if (this.#listeners.size === 0 && event.type === "conversation") this.#untold.push(event);
    else for (const listener of this.#listeners) tell(listener, event);
  }

  find(finding: Finding): void {
    if (this.#queue === null && this.#listeners.size === 0) this.#early.push(finding);
    this.emit({ type: "finding", finding });
  }

  findOnce(finding: Finding): void {
    const key = JSON.stringify([finding.code, finding.at, finding.message]);
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.find(finding);
  }
}

/** Events that are made in one place and read in another, in order. */
class EventQueue implements AsyncIterable<AgentEvent> {
  #waiting: AgentEvent[] = [];
  #isOver = false;
  #wake: () => void = () => {};

  push(event: AgentEvent): void {
    if (this.#isOver) return;
    this.#waiting.push(event);
    this.#wake();
  }

  /** What was pushed before is still read. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void, void> {
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
