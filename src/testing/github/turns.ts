interface Turns {
  /** Does it as soon as fewer than so many are being done. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is being done or waits any more. */
  rest(): Promise<void>;
}

/** In order of asking, a few at a time. */
export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = [];
  const running = new Set<Promise<unknown>>();
  let busy = 0;
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody who asks right now gets in between.
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
  return {
    take(work) {
      const done = attempt(work);
      running.add(done);
      const forget = (): void => void running.delete(done);
      done.then(forget, forget);
      return done;
    },
    async rest() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
