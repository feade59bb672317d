import { createSingleFlight } from "../../core/async.ts";
import type { Timer } from "../../core/world.ts";
import type { StoreReads } from "../store.ts";
import { type Bounds, endSoon, listen, type Listening } from "./pool.ts";

export const channel = "skillward_generation";

interface WatchOptions {
  /** Of the connection that listens. */
  readonly bounds: Bounds;
  readonly timer: Timer;
  readonly pollMilliseconds?: number;
  readonly notifications?: boolean;
}

/** RV-10: by notification at once, by looking when one was lost or the listening connection broke. */
export async function watchServer(
  url: string,
  read: StoreReads,
  onGeneration: (generation: number) => void,
  { bounds, timer, pollMilliseconds = 1000, notifications = true }: WatchOptions,
) {
  let seen = await read.generation();
  let listening: Listening | undefined;
  let isClosed = false;
  const look = async () => {
    const generation = await read.generation();
    if (generation > seen && !isClosed) onGeneration((seen = generation));
  };
  const lookSoon = () => void look().catch(() => {});
  const connect = async () => {
    if (!notifications || listening !== undefined) return;
    const lost = () => {
      if (listening === own) listening = undefined;
    };
    const own = listen(url, bounds, { channel, onMessage: lookSoon, onLost: lost });
    listening = own;
    await own.begun.catch(lost);
  };
  // A server that does not answer is tried again at the next turn; the store's own calls say what is wrong with it. One
  // that takes no connection more is looked at all the same.
  const turn = () =>
    connect()
      .then(look)
      // A connection that only listens would never notice that nobody is at its other end any more.
      .catch(() => listening?.hangUp());
  const turns = createSingleFlight();
  await turns.run(turn);
  const polling = timer.every(pollMilliseconds, () => void turns.run(turn));
  return {
    async close() {
      isClosed = true;
      polling.stop();
      // Whatever is under way is given up: a server that says nothing is not waited for.
      if (turns.underWay !== undefined) listening?.hangUp();
      await turns.underWay;
      if (listening !== undefined) await endSoon(timer, listening);
    },
  };
}
