import { AppError } from "../../core/error.ts";
import type { Randomness, Timer } from "../../core/world.ts";

const mostTries = 3;
const firstPause = 250;

export interface RetryOptions {
  readonly timer: Timer;
  readonly random: Randomness;
  readonly signal: AbortSignal | undefined;
}

/** IN-11: tries again what failed on the way, a few times, after a pause that grows and that no two clients share. */
export async function retried<T>({ timer, random, signal }: RetryOptions, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (tries === mostTries || !isPassing(error)) throw error;
    }
    await unlessAborted(timer.after(Math.round(fraction(random) * firstPause * 2 ** (tries - 1))), signal);
  }
}

/** The network's faults and the service's own (5xx), never an answer that only is not liked. */
function isPassing(error: unknown): boolean {
  return error instanceof AppError && (error.code === "upstream.unreachable" || error.code === "upstream.timeout");
}

function fraction(random: Randomness): number {
  const [high = 0, low = 0] = random.bytes(2);
  return (high * 256 + low) / 65_535;
}

/** The pause ends at once with the signal, as a request does. */
async function unlessAborted(pause: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return pause;
  if (signal.aborted) return;
  const over = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { signal: over.signal });
  });
  await Promise.race([pause, aborted]);
  over.abort();
}
