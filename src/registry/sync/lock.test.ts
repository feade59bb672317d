import { describe, expect, test } from "vitest";
import { registryFolder } from "../../../test/support/registry.ts";
import { type Holders, staleAfter, takeLock } from "./lock.ts";

async function locks() {
  const folder = registryFolder();
  const { kept } = await folder.open();
  const ended = new Set<string>();
  let begun = 0;
  const as = (self: string) => {
    const begin = () => {
      const name = `${self}:${++begun}`;
      return { name, end: () => void ended.add(name) };
    };
    const holders: Holders = { self, begin, mayRun: (holder) => !ended.has(holder) };
    return { kept, clock: folder.clock, holders };
  };
  return { folder, kept, as };
}

const running = { code: "sync.running", message: "a sync of skills is running; wait for it to end" };
const superseded = { code: "sync.superseded" };

describe("IN-15: the lock of a sync", () => {
  test("is held by one, and the second is refused with the fixed message", async () => {
    const { as } = await locks();
    await takeLock(as("one"), "skills");
    await expect(takeLock(as("two"), "skills")).rejects.toMatchObject(running);
    await expect(takeLock(as("one"), "skills"), "not even to its own holder").rejects.toMatchObject(running);
    await takeLock(as("two"), "others");
  });

  test("is free when it was released, with another token", async () => {
    const { kept, as } = await locks();
    const first = await takeLock(as("one"), "skills");
    await kept.transaction((port) => first.release(port));
    const second = await takeLock(as("two"), "skills");
    expect(second.token).toBe(first.token + 1);
  });

  test("is stale 180 seconds after the last beat, and not a millisecond before", async () => {
    const { folder, as } = await locks();
    await takeLock(as("one"), "skills");
    folder.clock.advance(staleAfter);
    expect(staleAfter).toBe(180_000);
    await expect(takeLock(as("two"), "skills")).rejects.toMatchObject(running);
    folder.clock.advance(1);
    expect((await takeLock(as("two"), "skills")).token).toBe(2);
  });

  test("a beat keeps it, written at most every 30 seconds", async () => {
    const { folder, kept, as } = await locks();
    const lock = await takeLock(as("one"), "skills");
    const start = folder.clock.now();
    const beatAt = async () => ((await kept.read.findLock("skills"))?.beatAt ?? 0) - start;
    folder.clock.advance(29_999);
    await lock.beat();
    expect(await beatAt()).toBe(0);
    folder.clock.advance(1);
    await lock.beat();
    expect(await beatAt()).toBe(30_000);
    for (let count = 0; count < 20; count++) {
      folder.clock.advance(100_000);
      await lock.beat();
      await expect(takeLock(as("two"), "skills")).rejects.toMatchObject(running);
    }
  });

  test("of work of this machine that has ended is free at once", async () => {
    const { as } = await locks();
    const lock = await takeLock(as("one"), "skills");
    await expect(takeLock(as("two"), "skills")).rejects.toMatchObject(running);
    lock.end();
    expect((await takeLock(as("two"), "skills")).token).toBe(2);
  });

  test("a holder that stalled can neither write, nor beat, nor release what another holds", async () => {
    const { folder, kept, as } = await locks();
    const stalled = await takeLock(as("one"), "skills");
    folder.clock.advance(staleAfter + 1);
    const holder = await takeLock(as("two"), "skills");
    await expect(kept.transaction((port) => stalled.demand(port))).rejects.toMatchObject(superseded);
    await expect(kept.transaction((port) => stalled.release(port))).rejects.toMatchObject(superseded);
    await expect(stalled.beat()).rejects.toMatchObject(superseded);
    await kept.transaction((port) => holder.demand(port));
    expect(await kept.read.findLock("skills")).toMatchObject({ holder: "two:2", token: 2 });
  });

  test("one that stalled and was not replaced goes on", async () => {
    const { folder, kept, as } = await locks();
    const lock = await takeLock(as("one"), "skills");
    folder.clock.advance(10 * staleAfter);
    await lock.beat();
    await kept.transaction((port) => lock.demand(port));
    await expect(takeLock(as("two"), "skills")).rejects.toMatchObject(running);
  });

  test("of many at once one gets it, also from several processes", async () => {
    const { folder, as } = await locks();
    const other = await folder.open();
    const takers = Array.from({ length: 40 }, (_, at) =>
      takeLock(at % 2 ? as("one") : { ...as("two"), kept: other.kept }, "skills"),
    );
    const taken = await Promise.allSettled(takers);
    expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = taken.filter((each) => each.status === "rejected").map(({ reason }) => reason.message);
    expect(new Set(refused)).toEqual(new Set([running.message]));
  });
});
