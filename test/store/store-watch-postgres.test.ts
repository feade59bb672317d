import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createWorld } from "../../src/app/world/world.ts";
import type { Timer } from "../../src/core/world.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { postgresPlace, type StorePlace } from "../support/store-engines.ts";

let place: StorePlace;

beforeEach(async () => {
  place = await postgresPlace();
});

afterEach(() => place.remove());

/** For what the server does in its own time. */
const patiently = { timeout: 30_000 };

describe("the news of a PostgreSQL store", () => {
  /** A timer whose turns are taken by hand: what comes without one was not found by looking. */
  function handTimer(): { timer: Timer; turn: () => void } {
    const acts = new Set<() => void>();
    const every = (_: number, act: () => void) => {
      acts.add(act);
      return { stop: () => void acts.delete(act) };
    };
    return { timer: { ...createWorld().timer, every }, turn: () => acts.forEach((act) => act()) };
  }

  async function watched(options: { notifications?: boolean }) {
    const { timer, turn } = handTimer();
    const store = await openPostgres(place.place, { timer, ...options });
    const heard: number[] = [];
    const watching = await store.watch((generation) => heard.push(generation));
    onTestFinished(async () => {
      await watching.close();
      await store.close();
    });
    const raise = () => store.transaction((port) => port.raiseGeneration());
    return { heard, turn, raise, watching };
  }

  const listening = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'";

  async function endListening(): Promise<void> {
    await place.query(listening.replace("pid", "pg_terminate_backend(pid)"));
    await expect.poll(() => place.query(listening), patiently).toEqual([]);
  }

  it("RV-10: come by notification, without looking", async () => {
    const { heard, raise } = await watched({});
    for (const generation of [1, 2, 3]) {
      await raise();
      await expect.poll(() => heard, patiently).toEqual(Array.from({ length: generation }, (_, number) => number + 1));
    }
  });

  it("RV-10: come by looking alone, when there are no notifications", async () => {
    const { heard, turn, raise } = await watched({ notifications: false });
    expect(await place.query(listening)).toEqual([]);
    await raise();
    await raise();
    expect(heard).toEqual([]);
    turn();
    await expect.poll(() => heard, patiently).toEqual([2]);
  });

  it("RV-10: come by looking when the listening connection was ended, and then by notification again", async () => {
    const { heard, turn, raise } = await watched({});
    await endListening();
    await raise();
    expect(heard).toEqual([]);
    turn();
    await expect.poll(() => heard, patiently).toEqual([1]);
    expect(await place.query(listening)).toHaveLength(1);
    await raise();
    await expect.poll(() => heard, patiently).toEqual([1, 2]);
  });

  it("RV-10: end with close, also while it listens anew, and leave no connection", async () => {
    const { heard, turn, raise, watching } = await watched({});
    await endListening();
    turn();
    await watching.close();
    await raise();
    turn();
    // One that was still being made would be there by the time that others were made after it.
    for (let times = 0; times < 5; times++) await (await place.open()).close();
    expect([heard, await place.query(listening)]).toEqual([[], []]);
  });
});
