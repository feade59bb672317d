import type { Timer } from "../../core/world.ts";
import { Busy } from "./connection.ts";

/** SQLite has no queue for those who want to write: each asks again and again, and whoever asks in a gap is next. */
export interface Patience {
  /** Asks until no other process is in the way, without holding up this one. */
  readonly untilFree: <Result>(act: () => Result) => Promise<Result>;
}

/** Short: the gap that another process leaves between two transactions is shorter still. */
const pauseMilliseconds = 2;

export function createPatience({
  timer,
  patienceMilliseconds = 30_000,
}: {
  readonly timer: Timer;
  readonly patienceMilliseconds?: number;
}): Patience {
  return {
    async untilFree(act) {
      for (let waited = 0; ; waited += pauseMilliseconds) {
        try {
          return act();
        } catch (error) {
          if (!(error instanceof Busy) || waited >= patienceMilliseconds) throw error;
          await timer.after(pauseMilliseconds);
        }
      }
    },
  };
}
