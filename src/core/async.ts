import type { Timer } from "./world.ts";

/** Runs an act when its turn has come, in the order of asking. */
type Mutex = <Result>(act: () => Promise<Result>) => Promise<Result>;

export function createMutex(): Mutex {
  return createSemaphore(1);
}

/** A mutex that lets `most` acts run at once. */
export function createSemaphore(most: number): Mutex {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function begin(): Promise<void> {
    if (running === most) return new Promise((go) => waiting.push(go));
    running++;
  }

  /** A turn that ends is handed on, so that no caller can come in between. */
  function end(): void {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }

  return async (act) => {
    await begin();
    try {
      return await act();
    } finally {
      end();
    }
  };
}

interface SingleFlight<Result> {
  /** Joins the run that is under way; where there is none, starts one. */
  run(act: () => Promise<Result>): Promise<Result>;
  /** Undefined while nothing runs. */
  readonly underWay: Promise<Result> | undefined;
}

/** However many callers ask at once, the act is done once, and all of them get what comes of it. */
export function createSingleFlight<Result = void>(): SingleFlight<Result> {
  let underWay: Promise<Result> | undefined;
  return {
    run: (act) => (underWay ??= act().finally(() => (underWay = undefined))),
    get underWay() {
      return underWay;
    },
  };
}

/** Lets pending I/O and timers run: a chain of promises alone would keep them waiting. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((go) => void setImmediate(go));
}

/**
 * Does `act` for every item and yields the results in order, with up to `most` under way at once: the next ones are
 * prepared while the caller works on this one. Whoever stops early waits for nothing but what is under way.
 */
export async function* ahead<Item, Result>(
  items: readonly Item[],
  most: number,
  act: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting = items.values();
  const underWay: Promise<Result>[] = [];
  const start = () => {
    const { value: item, done } = waiting.next();
    if (done === true) return;
    const started = act(item);
    // Whoever awaits it sees the fault; one that nobody awaits any more is nobody's.
    started.catch(() => {});
    underWay.push(started);
  };
  try {
    for (let count = 0; count < most; count++) start();
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) {
      const result = await first;
      start();
      yield result;
    }
  } finally {
    await Promise.allSettled(underWay);
  }
}

/** Waits for something that never fails, but not for longer than this. */
export function atMost(timer: Timer, milliseconds: number, something: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const late = timer.every(milliseconds, resolve);
    void something.finally(() => {
      late.stop();
      resolve();
    });
  });
}

/** Who listens cannot change what happens: not by throwing, nor by a promise that fails. */
export function tell<Told>(listener: ((told: Told) => unknown) | undefined, told: Told): void {
  try {
    const said = listener?.(told);
    if (said instanceof Promise) said.catch(() => {});
  } catch {
    // Its own fault, and nobody else's.
  }
}
