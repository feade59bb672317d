import { AppError } from "../../core/error.ts";
import type { Kept } from "../../core/kept.ts";
import type { Clock } from "../../core/world.ts";
import type { SyncLock, SyncReads, SyncWrites } from "./port.ts";

/** Without a beat for this long, the holder is taken for dead (IN-15). */
export const staleAfter = 180_000;
const beatEvery = 30_000;

/** Who holds a lock, and whether a holder of this machine still runs. */
export interface Holders {
  /** This process. */
  readonly self: string;
  /** A name for work of this process, from now until its end. */
  begin(): { readonly name: string; end(): void };
  /** False only when it is certain: work that has ended, or whose process has. */
  mayRun(holder: string): boolean;
}

export interface LockContext {
  readonly kept: Kept<SyncReads, SyncWrites>;
  readonly clock: Clock;
  readonly holders: Holders;
}

/** The one sync of a source that may write (IN-15). */
export interface HeldLock {
  readonly token: number;
  /** Called wherever the work moves on: a sync that stalls stops beating, and can be taken over. */
  beat(): Promise<void>;
  /** Refuses in the transaction that writes, when another sync has taken over meanwhile. */
  demand(port: SyncReads): Promise<void>;
  release(port: SyncWrites): Promise<void>;
  /** Also when it could not be released, with the store away: nobody has to wait for what has ended. */
  end(): void;
}

export function isHeld(lock: SyncLock | undefined, { clock, holders }: Omit<LockContext, "kept">): boolean {
  if (lock === undefined || lock.holder === "") return false;
  return clock.now() - lock.beatAt <= staleAfter && holders.mayRun(lock.holder);
}

export async function takeLock(context: LockContext, source: string): Promise<HeldLock> {
  const { kept, clock, holders } = context;
  const work = holders.begin();
  try {
    const token = await kept.transaction(async (port) => {
      const lock = await port.findLock(source);
      // The message is fixed: whoever waits for it can look for it.
      if (isHeld(lock, context))
        throw new AppError("sync.running", `a sync of ${source} is running; wait for it to end`);
      const next = {
        source,
        token: (lock?.token ?? 0) + 1,
        holder: work.name,
        takenAt: clock.now(),
        beatAt: clock.now(),
      };
      await port.putLock(next);
      return next.token;
    });
    return { ...heldLock(context, source, token), end: () => work.end() };
  } catch (error) {
    work.end();
    throw error;
  }
}

function heldLock({ kept, clock }: LockContext, source: string, token: number): Omit<HeldLock, "end"> {
  let beatAt = clock.now();
  const own = async (port: SyncReads) => {
    const lock = await port.findLock(source);
    if (lock?.token === token) return lock;
    throw new AppError("sync.superseded", `another sync of ${source} took over; nothing of this one was written`);
  };
  return {
    token,
    async beat() {
      if (clock.now() - beatAt < beatEvery) return;
      beatAt = clock.now();
      await kept.transaction(async (port) => port.putLock({ ...(await own(port)), beatAt }));
    },
    async demand(port) {
      await own(port);
    },
    async release(port) {
      await port.putLock({ ...(await own(port)), holder: "" });
    },
  };
}
