import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyChain } from "../../src/registry/verify.ts";
import type { Store } from "../../src/store/store.ts";
import { bundleChild, type Child, endChildrenAfterEach, startChild } from "../support/bundle.ts";
import type { StoreOrder } from "./store.child.ts";
import { engines, type StorePlace } from "../support/store-engines.ts";
import { forRun } from "../support/long-run.ts";

const child = bundleChild("test/store/store.child.ts");
endChildrenAfterEach();

describe.each(Object.entries(engines))("processes that share a store on %s", (_, newPlace) => {
  let place: StorePlace;
  let store: Store | undefined;

  beforeEach(async () => {
    place = await newPlace();
  });

  afterEach(async () => {
    await store?.close();
    store = undefined;
    await place.remove();
  });

  function start(order: Omit<StoreOrder, "at">): Child {
    const { engine, place: where } = place;
    return startChild(child(), { at: { engine, place: where }, ...order });
  }

  /** Lets children that are ready go on at the same moment. */
  async function release(children: readonly Child[]): Promise<void> {
    for (const each of children) expect(await each.hear()).toBe("ready");
    for (const each of children) each.tell("go");
  }

  it("RV-11: three that open an empty store at once make it once", async () => {
    const children = ["a", "b", "c"].map(() => start({ act: "open" }));
    await release(children);
    expect(await Promise.all(children.map((each) => each.hear()))).toEqual([0, 0, 0]);
    expect(await Promise.all(children.map((each) => each.ended))).toEqual([0, 0, 0]);
    expect(await place.query("SELECT one, generation FROM store")).toHaveLength(1);
  });

  it("RV-8, RV-11: four that write at once lose nothing, and the chain is whole", async () => {
    store = await place.open();
    await store.transaction((port) => port.setStoreIdentity({ id: "shared", seal: "seal" }));
    const [names, transactions] = [["a", "b", "c", "d"], forRun({ short: 20, long: 50 })];
    const children = names.map((name) => start({ act: "write", name, transactions }));
    await release(children);
    expect(await Promise.all(children.map((each) => each.ended))).toEqual([0, 0, 0, 0]);
    const total = names.length * transactions;
    expect(await store.read.findLock("count")).toMatchObject({ token: total });
    expect(await store.read.generation()).toBe(total);
    const records = await store.read.auditAfter(0, total + 1);
    expect(records.map(({ seq }) => seq)).toEqual(Array.from({ length: total }, (__, number) => number + 1));
    expect(await verifyChain(store.read, "shared", { seq: 0, hash: "" })).toMatchObject({
      records: total,
      fault: null,
    });
    const entries = await store.read.listEntries({ after: "", limit: total + 1 });
    expect(entries.map(({ id }) => id)).toEqual(records.map(({ subject }) => subject).toSorted());
  });

  it("RV-11: one that writes without a pause keeps nobody waiting", async () => {
    const busy = start({ act: "write on", name: "busy" });
    expect(await busy.hear()).toBe("ready");
    store = await place.open({ patienceMilliseconds: 5000 });
    for (let number = 0; number < 20; number++) await store.transaction((port) => port.raiseGeneration());
    busy.tell("end");
    expect(await busy.ended).toBe(0);
  });

  it("RV-11: one that is killed in the middle of a transaction leaves nothing of it, and nobody waiting", async () => {
    const holder = start({ act: "hold", name: "holder" });
    expect(await holder.hear()).toBe("ready");
    store = await place.open();
    const waiting = store.transaction((port) => port.findLock("count"));
    holder.kill("SIGKILL");
    expect(await waiting).toBeUndefined();
    expect(await store.read.auditAfter(0, 9)).toEqual([]);
  });

  it("RV-10: a new generation reaches another process, also the own one, and each once", async () => {
    store = await place.open();
    const watcher = start({ act: "watch", options: { pollMilliseconds: 50 } });
    expect(await watcher.hear()).toBe("ready");
    const own: number[] = [];
    const watching = await store.watch((generation) => own.push(generation));
    for (const generation of [1, 2, 3]) {
      await store.transaction((port) => port.raiseGeneration());
      expect(await watcher.hear()).toBe(generation);
      await expect.poll(() => own.at(-1), { timeout: 30_000 }).toBe(generation);
    }
    expect(own).toEqual([1, 2, 3]);
    await store.transaction((port) => port.putLlmRecord("task", { id: "a", record: "{}", secret: null }));
    watcher.tell("end");
    expect(await watcher.ended).toBe(0);
    await expect(watcher.hear()).rejects.toThrow("has ended");
    await watching.close();
  });
});
