import type { Thread, Threads, Timer } from "../../base/world.ts";
import { type Indexed, indexSkills, type RawSkill } from "./index-job.ts";

/** So many skills are read and tokenised in one go where there is no thread for it: some milliseconds. */
const inOneGo = 8;

/** Turns skills into parts of an index, away from the event loop where it can (RT-6). */
export class Indexer {
  readonly #timer: Timer;
  readonly #threads: Threads;
  #thread: Thread | undefined;
  #isHere = false;
  #isClosed = false;

  constructor({ threads, timer }: { readonly threads: Threads; readonly timer: Timer }) {
    this.#threads = threads;
    this.#timer = timer;
  }

  /** Empty once it is closed. */
  async index(raw: readonly RawSkill[]): Promise<readonly Indexed[]> {
    if (this.#isHere || this.#isClosed) return this.#indexHere(raw);
    try {
      this.#thread ??= this.#threads.open("index-worker");
      if (this.#thread === undefined) return await this.#indexHere(raw);
      // Copies go over: should the thread fail, what was asked is still here.
      return [await this.#thread.ask<Indexed>(raw)];
    } catch {
      // A thread that cannot be had, for want of memory say, is no reason for having no index.
      this.#isHere = true;
      await this.#endThread();
      return this.#indexHere(raw);
    }
  }

  async #indexHere(raw: readonly RawSkill[]): Promise<readonly Indexed[]> {
    const indexed: Indexed[] = [];
    for (let at = 0; at < raw.length && !this.#isClosed; at += inOneGo) {
      indexed.push(indexSkills(raw.slice(at, at + inOneGo)));
      await this.#timer.after(0);
    }
    return indexed;
  }

  async #endThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#endThread();
  }
}
