import type { Timer } from "../../base/world.ts";
import type { StoreReads } from "../store.ts";
import { endSoon, listen } from "./pool.ts";

export const channel = "skillward_generation";

interface WatchOptions {
  readonly timer: Timer;
  readonly pollMilliseconds?: number;
  readonly notifications?: boolean;
}

/** RV-10: by notification at once, by looking when one was lost or the listening connection broke. */
export async function watchServer(
  url: string,
  read: StoreReads,
  onGeneration: (generation: number) => void,
  { timer, pollMilliseconds = 1000, notifications = true }: WatchOptions,
) {
  let seen = await read.generation();
  let listening: Awaited<ReturnType<typeof listen>> | undefined;
  let isClosed = false;
  const look = async () => {
    const generation = await read.generation();
    if (generation > seen && !isClosed) onGeneration((seen = generation));
  };
  const lookSoon = () => void look().catch(() => {});
  const lost = () => (listening = undefined);
  const connect = async () => {
    if (notifications && listening === undefined) listening = await listen(url, channel, lookSoon, lost);
  };
  // A server that does not answer is tried again at the next turn; the store's own calls say what is wrong with it.
  const turn = () =>
    connect()
      .then(look)
      // A connection that only listens would never notice that nobody is at its other end any more.
      .catch(() => listening?.hangUp());
  let running: Promise<void> | undefined = turn();
  await running;
  running = undefined;
  const polling = timer.every(pollMilliseconds, () => {
    running ??= turn().finally(() => (running = undefined));
  });
  return {
    async close() {
      isClosed = true;
      polling.stop();
      await running;
      if (listening !== undefined) await endSoon(timer, listening);
    },
  };
}
