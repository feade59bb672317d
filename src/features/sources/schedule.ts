import type { App } from "../../app/app.ts";
import { atMost } from "../../core/async.ts";
import { machinePerson, requireRight } from "../../registry/accounts/permit.ts";
import { runDue } from "../../registry/sync/schedule.ts";
import { type Live, runToldSync } from "./sync.ts";
import type { SyncResult } from "../../registry/schema.ts";

const lookEvery = 15_000;
const mostAtOnce = 2;
/** So long a sync that runs may take to end when the server stops. What is left then is as after a crash (IN-15). */
const graceMilliseconds = 10_000;

/** Who makes scheduled syncs, so that the audit says so. No user has a colon in its name. */
const scheduler = machinePerson("machine:schedule");

/** What a schedule tells of, for the log of the server. */
export interface ScheduleEvents {
  readonly onSynced: (result: SyncResult) => void;
  /** Null: of no one source; the store cannot be reached, or not be written to. Told once until it can. */
  readonly onFailure: (source: string | null, error: unknown) => void;
}

export interface Schedule {
  /** Claims nothing more, and ends what runs. */
  stop(): Promise<void>;
}

/** Syncs sources when they are due (IN-24), unless this node is not to: then it claims nothing. */
export function startSchedule(app: App, events: ScheduleEvents, live?: Live): Schedule {
  if (!app.config.sync.schedule) return { stop: async () => {} };
  const { timer, random } = app.world;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  let isAway = false;
  const permit = () => requireRight({ ...app, person: scheduler }, "administer");

  const sync = async (source: string) => {
    const result = await runToldSync(app.sync, permit(), source, { signal }, live);
    events.onSynced(result);
    return result;
  };

  async function work(): Promise<void> {
    try {
      await runDue({ ...app.sync, random }, permit(), { sync, onClaim: look, onFailure: events.onFailure, signal });
      isAway = false;
    } catch (error) {
      if (!isAway && !signal.aborted) events.onFailure(null, error);
      isAway = true;
    }
  }

  /** One looks; as long as it finds something, another one looks beside it. */
  function look(): void {
    if (running.size >= mostAtOnce || signal.aborted) return;
    const one = work().finally(() => running.delete(one));
    running.add(one);
  }

  const looking = timer.every(lookEvery, look);
  return {
    async stop() {
      looking.stop();
      stopping.abort(new Error("the server was stopped during this sync; it is made again when a server runs"));
      await atMost(timer, graceMilliseconds, Promise.all(running));
    },
  };
}
