/** Lets at most `most` acts run at once; the others wait in the order they came. */
export function createTurns(most: number): <Result>(act: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function begin(): Promise<void> {
    if (running === most) return new Promise((go) => waiting.push(go));
    running++;
  }

  /** A turn that ends is handed on, so that nobody can come in between. */
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

/** Lets what waits for this process go on: promises alone that follow each other would keep it waiting. */
export function othersTurn(): Promise<void> {
  return new Promise((go) => void setImmediate(go));
}
