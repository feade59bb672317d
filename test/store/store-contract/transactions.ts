import { expect, it } from "vitest";
import type { Store, StoreReads, StoreWrites } from "../../../src/store/store.ts";
import { contentOf } from "../../support/store-engines.ts";
import type { Contract } from "./room.ts";
import { audited, batch, entry, everyWrite, lock, writeEverywhere } from "./rows.ts";

export const transactionsContract: Contract = (room) => {
  it("RV-11: a transaction that throws leaves nothing, in any table", async () => {
    const { store, place } = room();
    const before = await contentOf(place);
    const failing = store.transaction(async (port) => {
      await writeEverywhere(port);
      throw new Error("at the very end");
    });
    await expect(failing).rejects.toThrow("at the very end");
    expect(await contentOf(place)).toEqual(before);
    await store.transaction(writeEverywhere);
    const after = await contentOf(place);
    for (const [table, rows] of Object.entries(after)) expect([table, rows]).not.toEqual([table, before[table]]);
  });

  it("RV-11: a transaction whose statement failed leaves nothing, also when the fault was caught", async () => {
    const { store, place } = room();
    await store.transaction((port) => port.insertAudit([audited(1)]));
    const before = await contentOf(place);
    const failing = store.transaction(async (port) => {
      await port.putEntries([entry("a")]);
      await port.insertAudit([audited(1)]).catch(() => {});
      return "done";
    });
    await expect(failing).rejects.toThrow(/unique/i);
    expect(await contentOf(place)).toEqual(before);
    expect(
      await store.transaction(async (port) => (await port.putEntries([entry("b")]), port.findEntry("b"))),
    ).toBeDefined();
  });

  it("RV-11: hands on what a transaction returns and throws, and goes on after it", async () => {
    const { store } = room();
    const fault = new RangeError("mine");
    await expect(store.transaction(() => Promise.reject(fault))).rejects.toBe(fault);
    const throwing = store.transaction(() => {
      throw fault;
    });
    await expect(throwing).rejects.toBe(fault);
    expect(await store.transaction(async () => "mine")).toBe("mine");
  });

  it.each<readonly [string, (store: Store) => Promise<unknown>]>([
    ["transactions", (store) => store.transaction(async () => {})],
    ["transactions that fail", (store) => store.transaction(() => Promise.reject(new Error("no"))).catch(() => {})],
    ["reads", (store) => store.read.generation()],
  ])("RV-11: the rest of a process goes on between its %s", async (_, act) => {
    const { store } = room();
    const others = { wereServed: false };
    setTimeout(() => (others.wereServed = true), 1);
    for (let number = 0; !others.wereServed; number++) {
      expect(number).toBeLessThan(20_000);
      await act(store);
    }
  });

  it("RV-11: reads see what is committed, a transaction sees what it has written", async () => {
    const { store, place } = room();
    const other = await place.open();
    await store.transaction(async (port) => {
      await writeEverywhere(port);
      expect(await port.listEntries({ after: "", limit: 9 })).toHaveLength(2);
      for (const { read } of [store, other]) {
        expect(await read.listEntries({ after: "", limit: 9 })).toEqual([]);
        expect([await read.generation(), await read.storeIdentity()]).toEqual([0, undefined]);
      }
    });
    for (const { read } of [store, other]) {
      expect(await read.listEntries({ after: "", limit: 9 })).toHaveLength(2);
      expect(await read.generation()).toBe(1);
    }
    await other.close();
  });

  it("RV-11: a store opens, and is read, while another one writes", async () => {
    const { store, place } = room();
    await store.transaction(async (port) => {
      await port.putEntries([entry("a")]);
      const other = await place.open({ patienceMilliseconds: 100 });
      expect(await other.read.findEntry("a")).toBeUndefined();
      await expect(other.transaction((late) => late.raiseGeneration())).rejects.toMatchObject({
        code: "store.failed",
        message: /another process/,
      });
      await other.close();
    });
  });

  it("RV-11: 100 transactions at once, of two stores, lose no step of a count", async () => {
    const { store, place } = room();
    const other = await place.open();
    const step = (at: typeof store) =>
      at.transaction(async (port) => {
        const { token } = (await port.findLock("house")) ?? { token: 0 };
        await port.putLock(lock({ token: token + 1 }));
      });
    await Promise.all(Array.from({ length: 100 }, (_, number) => step(number % 2 === 0 ? store : other)));
    expect(await store.read.findLock("house")).toMatchObject({ token: 100 });
    await other.close();
  });

  it("RV-11: transactions of one store run in the order they were asked for, whatever became of those before", async () => {
    const { store } = room();
    const begun: number[] = [];
    const asked = Array.from({ length: 20 }, (_, number) =>
      store.transaction(async (port) => {
        begun.push(number);
        await port.raiseGeneration();
        if (number % 3 === 0) throw new Error("no");
      }),
    );
    await Promise.allSettled(asked);
    expect(begun).toEqual([...begun.keys()]);
    expect(await store.read.generation()).toBe(13);
  });

  it("RV-11: a transaction inside another is refused at once, one that was started by it and comes after is not", async () => {
    const { store } = room();
    let later: Promise<number> | undefined;
    const open = store.transaction(async (port) => {
      await expect(store.transaction((inner) => inner.raiseGeneration())).rejects.toThrow("inside another one");
      later = Promise.resolve()
        .then(() => open)
        .then(() => store.transaction((next) => next.raiseGeneration()));
      return port.raiseGeneration();
    });
    expect([await open, await later]).toEqual([1, 2]);
  });

  it("RV-11: the port of a transaction that is over writes and reads nothing any more", async () => {
    const { store } = room();
    const port = await store.transaction(async (own) => ({ own }));
    await expect(port.own.raiseGeneration()).rejects.toThrow("over");
    await expect(port.own.generation()).rejects.toThrow("over");
    await store.transaction(async () => {
      await expect(port.own.putEntries([entry("a")])).rejects.toThrow("over");
    });
    expect([await store.read.generation(), await store.read.findEntry("a")]).toEqual([0, undefined]);
  });

  it("RV-11: what is only for reading cannot write, whatever is asked of it", async () => {
    const { store, place } = room();
    await store.transaction(async (port) => {
      await writeEverywhere(port);
      await port.insertUsage(batch("older", { at: 0 }), [], []);
    });
    const before = await contentOf(place);
    // What a mistake in a type, or a hand in the code, would have.
    const port = store.read as StoreReads & StoreWrites;
    const writes = { ...everyWrite, insertUsage: () => port.insertUsage(batch("third"), [], []) };
    for (const [what, write] of Object.entries(writes)) {
      const outcome = await write(port).catch((error: unknown) => error);
      expect([what, outcome]).toMatchObject([what, { code: "store.failed" }]);
    }
    expect(await contentOf(place)).toEqual(before);
  });

  it("RV-11: closing waits for the transaction that is open", async () => {
    const { place } = room();
    const store = await place.open();
    const writing = store.transaction(async (port) => {
      for (let step = 0; step < 50; step++) await port.raiseGeneration();
      await port.putEntries([entry("a")]);
    });
    await store.close();
    await writing;
    expect(await place.query("SELECT id FROM entries")).toEqual([{ id: "a" }]);
  });
};
