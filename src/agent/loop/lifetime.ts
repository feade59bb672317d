import { type Clock, longestWait, type Timer } from "../../core/world.ts";

/** How a session can be ended from outside. */
export type EndedBy = "timeout" | "cancelled";

/** Thrown to whoever works for a session that is over. */
class Ended extends Error {}

interface Bounds {
  readonly stopwatch: Clock;
  readonly timer: Timer;
  readonly milliseconds: number;
  readonly above: Lifetime;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
}

/**
 * The time that a session has: never more than the one above it. It ends whatever those who work for it do, and with
 * it all below it.
 */
export class Lifetime {
  readonly #ending = new AbortController();
  readonly #below = new Set<Lifetime>();
  readonly #stopwatch: Clock | undefined;
  readonly #deadline: number;
  #endedBy: EndedBy | null = null;
  #close = (): void => {};

  /** Without bounds it is the primary's: it has no deadline of its own. */
  constructor(bounds?: Bounds) {
    this.#stopwatch = bounds?.stopwatch;
    this.#deadline = bounds === undefined ? Infinity : bounds.stopwatch.now() + millisecondsOf(bounds);
    if (bounds !== undefined) this.#open(bounds);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Null while it lasts. Whoever keeps the process busy keeps timers waiting too, so that the stopwatch is asked as well. */
  endedBy(): EndedBy | null {
    if (this.#endedBy === null && this.left() <= 0) this.end("timeout");
    return this.#endedBy;
  }

  left(): number {
    return this.#stopwatch === undefined ? Infinity : this.#deadline - this.#stopwatch.now();
  }

  end(by: EndedBy): void {
    if (this.#endedBy !== null) return;
    this.#endedBy = by;
    this.#close();
    for (const below of this.#below) below.end(by);
    this.#ending.abort(new Ended(by));
  }

  /** What the work comes to, or an error as soon as the time is over; the work may ignore the signal. */
  async during<Result>(work: (signal: AbortSignal) => Promise<Result> | Result): Promise<Result> {
    this.demand();
    const leaving = new AbortController();
    try {
      return await Promise.race([(async () => work(this.signal))(), this.#whenEnded(leaving.signal)]);
    } finally {
      leaving.abort();
      // What was thrown because the time is over, or came too late, is none of their doing.
      this.demand();
    }
  }

  /** Throws when it is over. */
  demand(): void {
    if (this.endedBy() !== null) throw new Ended("the time of the session is over");
  }

  #whenEnded(leaving: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      const fail = (): void => reject(new Ended("the time of the session is over"));
      // The work itself may have ended it, before anybody could listen.
      if (this.signal.aborted) return fail();
      this.signal.addEventListener("abort", fail, { once: true, signal: leaving });
    });
  }

  #open(bounds: Bounds): void {
    const { timer, above, signal } = bounds;
    const cancel = (): void => this.end("cancelled");
    const closing = new AbortController();
    const milliseconds = Math.min(longestWait, Math.max(1, millisecondsOf(bounds)));
    // It keeps the process alive: whoever waits for the session is told of its end, also where nothing else goes on.
    timer.after(milliseconds, closing.signal).then(
      () => this.end("timeout"),
      () => {},
    );
    above.#below.add(this);
    const unfollow = signal === undefined ? () => {} : follow(signal, cancel);
    this.#close = () => {
      closing.abort();
      above.#below.delete(this);
      unfollow();
    };
    const over = above.endedBy();
    if (over !== null) this.end(over);
    if (signal?.aborted === true) cancel();
  }
}

function millisecondsOf({ milliseconds, above }: Bounds): number {
  return Math.min(milliseconds, above.left());
}

interface Followers {
  readonly acts: Set<() => void>;
  readonly tellAll: () => void;
}

const followed = new WeakMap<AbortSignal, Followers>();

/**
 * Calls `act` once the signal is aborted, unless it was told to stop before. However many follow one signal, it has one
 * listener of ours: of more than a few, Node warns as of a leak.
 */
function follow(signal: AbortSignal, act: () => void): () => void {
  const { acts, tellAll } = followed.get(signal) ?? listenTo(signal);
  // Its own: the same function may follow twice.
  const follower = (): void => act();
  acts.add(follower);
  return () => {
    acts.delete(follower);
    if (acts.size > 0) return;
    signal.removeEventListener("abort", tellAll);
    followed.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Followers {
  const acts = new Set<() => void>();
  const tellAll = (): void => {
    for (const act of acts) act();
  };
  signal.addEventListener("abort", tellAll, { once: true });
  const followers = { acts, tellAll };
  followed.set(signal, followers);
  return followers;
}

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
