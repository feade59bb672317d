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

export interface Gate {
  /** Waits for a step. Resolves with what is to be called once the piece was sent, or with null when the client left. */
  pass(client: AbortSignal): Promise<(() => void) | null>;
  /** Lets the one that waits longest pass; resolves when its piece was sent or its client left. */
  step(): Promise<void>;
}

interface Passage {
  readonly client: AbortSignal;
  state: "waiting" | "open" | "sent";
}

export function createGate(changes: Changes): Gate {
  const passages: Passage[] = [];
  const set = (passage: Passage, state: Passage["state"]): void => {
    passage.state = state;
    changes.happened();
  };
  const takeFirst = (): Passage | undefined => {
    while (passages[0]?.client.aborted) passages.shift();
    return passages.shift();
  };
  return {
    async pass(client) {
      const passage: Passage = { client, state: "waiting" };
      passages.push(passage);
      changes.happened();
      await changes.until(() => client.aborted || passage.state === "open" || undefined);
      return client.aborted ? null : () => set(passage, "sent");
    },
    async step() {
      const passage = await changes.until(takeFirst);
      set(passage, "open");
      await changes.until(() => passage.client.aborted || passage.state === "sent" || undefined);
    },
  };
}
