/** Runs an act when its turn has come, in the order of asking. */
export type Mutex = <Result>(act: () => Promise<Result>) => Promise<Result>;

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

/** Lets pending I/O and timers run: a chain of promises alone would keep them waiting. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((go) => void setImmediate(go));
}
