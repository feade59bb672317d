export interface Changes {
  /** Something is different now: those who wait look again. */
  happened(): void;
  /** The first value that `look` finds; rejects with what it throws. */
  until<T>(look: () => T | undefined): Promise<T>;
  /** Nothing will be different any more. */
  end(): void;
}

/** Waiting for what a test made happen, without a clock. */
export function createChanges(): Changes {
  const waiting = new Set<() => void>();
  let isEnded = false;
  const happened = (): void => {
    for (const lookAgain of waiting) lookAgain();
  };
  const until = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const lookAgain = (): void => {
        try {
          const found = look();
          if (found === undefined && !isEnded) return void waiting.add(lookAgain);
          if (found === undefined) reject(new Error("the upstream was closed before this happened"));
          else resolve(found);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        waiting.delete(lookAgain);
      };
      lookAgain();
    });
  const end = (): void => {
    isEnded = true;
    happened();
  };
  return { happened, until, end };
}
