import fc from "fast-check";
import { expect, it } from "vitest";
import { pages } from "../../../src/core/kept.ts";
import type { Entry } from "../../../src/registry/entry.ts";
import type { StoreReads } from "../../../src/store/store.ts";
import { type Contract, exactText, inByteOrder, largest, shuffled } from "./room.ts";
import { entry } from "./rows.ts";

async function allIds(read: StoreReads, limit: number, source?: string): Promise<string[]> {
  const ids: string[] = [];
  const page = (after: string) => read.listEntries({ after, limit, ...(source === undefined ? {} : { source }) });
  for await (const some of pages(page, "", ({ id }: Entry) => id)) ids.push(...some.map(({ id }) => id));
  return ids;
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export const entriesContract: Contract = (room) => {
  it("RV-11: has no identity until it is given one, and then that one", async () => {
    const { store } = room();
    expect(await store.read.storeIdentity()).toBeUndefined();
    await store.transaction((port) => port.setStoreIdentity({ id: "one", seal: exactText }));
    expect(await store.read.storeIdentity()).toEqual({ id: "one", seal: exactText });
  });

  it("RV-10: counts generations from 0, and only up", async () => {
    const { store } = room();
    expect(await store.read.generation()).toBe(0);
    const raised = await store.transaction(async (port) => [
      await port.raiseGeneration(),
      await port.raiseGeneration(),
      await port.generation(),
    ]);
    expect([...raised, await store.read.generation()]).toEqual([1, 2, 2, 2]);
    const failing = store.transaction(async (port) => {
      await port.raiseGeneration();
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await store.transaction((port) => port.raiseGeneration())).toBe(3);
  });

  it("RV-11: keeps every field of an entry, and replaces it as a whole", async () => {
    const { store } = room();
    const first = entry("house:a", { commit: exactText, repositoryId: largest, awayAt: largest });
    const second = { ...first, present: false, awayAt: 7, current: "other", commit: null, repositoryId: null };
    for (const written of [first, second]) {
      await store.transaction((port) => port.putEntries([written]));
      expect(await store.read.findEntry("house:a")).toEqual(written);
    }
    expect(await store.read.findEntry("house:A")).toBeUndefined();
    expect(await store.read.listEntries({ after: "", limit: 9 })).toEqual([second]);
  });

  it("RV-11: writes the last of two entries with one id, and nothing for none", async () => {
    const { store } = room();
    await store.transaction(async (port) => {
      await port.putEntries([]);
      await port.putEntries([entry("a"), entry("b"), entry("a", { current: "later" })]);
    });
    expect(await store.read.listEntries({ after: "", limit: 9 })).toEqual([
      entry("a", { current: "later" }),
      entry("b"),
    ]);
  });

  it("RV-11: lists entries by the bytes of their ids", async () => {
    const { store } = room();
    expect(inByteOrder).toEqual(shuffled.toSorted(compareBytes));
    await store.transaction((port) => port.putEntries(shuffled.map((id) => entry(id))));
    expect(await allIds(store.read, 100)).toEqual(inByteOrder);
    expect(await allIds(store.read, 1)).toEqual(inByteOrder);
    expect(await allIds(store.read, inByteOrder.length)).toEqual(inByteOrder);
  });

  it("RV-11: lists any ids by their bytes, page by page", async () => {
    const { store } = room();
    const ids = fc.uniqueArray(
      fc.string({ unit: "binary", minLength: 1, maxLength: 6 }).filter((id) => !id.includes("\0")),
      { maxLength: 12 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(ids, fc.integer({ min: 1, max: 5 }), async (some, limit) => {
        const source = `s${run++}`;
        const written = some.map((id) => `${source}:${id}`);
        await store.transaction((port) => port.putEntries(written.map((id) => entry(id, { source }))));
        expect(await allIds(store.read, limit, source)).toEqual(written.toSorted(compareBytes));
      }),
      { numRuns: 25 },
    );
  });

  it("RV-11: pages end: at the last one, at none, at a key that is gone, within one source", async () => {
    const { store } = room();
    const others = ["x", "y"].map((id) => entry(id, { source: "guest" }));
    await store.transaction((port) => port.putEntries([...["a", "b", "c"].map((id) => entry(id)), ...others]));
    const ids = async (after: string, limit: number, source: string) =>
      (await store.read.listEntries({ source, after, limit })).map(({ id }) => id);
    expect(await ids("", 2, "house")).toEqual(["a", "b"]);
    expect(await ids("b", 2, "house")).toEqual(["c"]);
    expect(await ids("c", 2, "house")).toEqual([]);
    expect(await ids("aa", 9, "house")).toEqual(["b", "c"]);
    expect(await ids("", 0, "house")).toEqual([]);
    expect(await ids("", 9, "nobody")).toEqual([]);
    expect(await ids("", 9, "guest")).toEqual(["x", "y"]);
  });

  it("RV-10: an entry carries the generation that its transaction makes", async () => {
    const { store } = room();
    const put = (id: string) =>
      store.transaction(async (port) => {
        await port.putEntries([entry(id)]);
        return port.raiseGeneration();
      });
    const since = async (generation: number, after = "", limit = 9) =>
      (await store.read.entriesSince(generation, { after, limit })).map(({ id }) => id);
    expect([await put("b"), await put("a"), await put("é")]).toEqual([1, 2, 3]);
    expect([await since(0), await since(1), await since(2), await since(3)]).toEqual([
      ["a", "b", "é"],
      ["a", "é"],
      ["é"],
      [],
    ]);
    expect(await put("b")).toBe(4);
    expect([await since(3), await since(0, "", 1), await since(0, "a", 1), await since(0, "é")]).toEqual([
      ["b"],
      ["a"],
      ["b"],
      [],
    ]);
  });

  it("RV-11: writes more entries than fit into one statement", async () => {
    const { store } = room();
    const many = Array.from({ length: 2001 }, (_, place) => entry(String(place).padStart(5, "0")));
    await store.transaction((port) => port.putEntries(many));
    expect(await store.read.listEntries({ after: "", limit: 5000 })).toEqual(many);
  });
};
