import type { Changes } from "./changes.ts";

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
