import { expect, it } from "vitest";
import type { Source } from "../../../src/sources/schema.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Contract, exactText, inByteOrder, largest, shuffled } from "./room.ts";
import { source } from "./rows.ts";

function put(store: Store, ...sources: readonly Source[]): Promise<void> {
  return store.transaction(async (port) => {
    for (const each of sources) await port.putSource(each);
  });
}

/** Claims until nothing is due; each gets its next time. */
async function claimAll(store: Store, now: number, next: number | null = largest): Promise<string[]> {
  const claimed: string[] = [];
  for (;;) {
    const one = await store.transaction((port) => port.claimDue(now, () => next));
    if (one === undefined) return claimed;
    claimed.push(one.id);
  }
}

export const remoteContract: Contract = (room) => {
  it("IN-8: keeps the provenance of an entry to the byte, the last of two, and takes it away again", async () => {
    const { store } = room();
    await store.transaction(async (port) => {
      await port.putProvenance([]);
      await port.putProvenance([
        { entry: "house:a", record: "first" },
        { entry: "house:b", record: exactText },
        { entry: "house:a", record: "last" },
      ]);
    });
    const read = (...entries: string[]) => Promise.all(entries.map((entry) => store.read.provenanceOf(entry)));
    expect(await read("house:a", "house:b", "house:A", "")).toEqual(["last", exactText, undefined, undefined]);
    await store.transaction(async (port) => {
      await port.putProvenance([{ entry: "house:b", record: "other" }]);
      await port.deleteProvenance([]);
      await port.deleteProvenance(["house:a", "nobody:a", "house:a"]);
    });
    expect(await read("house:a", "house:b")).toEqual([undefined, "other"]);
  });

  it("IN-8: pages through the provenance of one source alone, by the bytes of its entries", async () => {
    const { store } = room();
    const rows = ["", ...shuffled].map((path) => ({ entry: `house:${path}`, record: path }));
    const others = [
      "house",
      "hous:z",
      "house-a:a",
      "house9:a",
      "house;",
      "house;a",
      "houses:a",
      "House:a",
      "a:house:a",
    ];
    await store.transaction((port) =>
      port.putProvenance([...rows, ...others.map((entry) => ({ entry, record: "not its own" }))]),
    );
    const page = (after: string, limit: number) => store.read.listProvenance("house", { after, limit });
    const all = ["", ...inByteOrder].map((path) => ({ entry: `house:${path}`, record: path }));
    expect(await page("", 99)).toEqual(all);
    expect(await page("", 2)).toEqual(all.slice(0, 2));
    expect(await page("house:~", 2)).toEqual(all.slice(18, 20));
    expect(await page(all.at(-1)?.entry ?? "", 2)).toEqual([]);
    expect(await page("", 0)).toEqual([]);
    expect(await page("z", 9)).toEqual([]);
    expect(await store.read.listProvenance("nobody", { after: "", limit: 9 })).toEqual([]);
    expect(await store.read.listProvenance("house-a", { after: "", limit: 9 })).toHaveLength(1);
  });

  it("RV-11: writes and takes away more provenance than fits into one statement", async () => {
    const { store } = room();
    const many = Array.from({ length: 2001 }, (_, at) => ({
      entry: `house:${String(at).padStart(5, "0")}`,
      record: "r",
    }));
    const all = () => store.read.listProvenance("house", { after: "", limit: 5000 });
    await store.transaction((port) => port.putProvenance(many));
    expect(await all()).toEqual(many);
    await store.transaction((port) => port.deleteProvenance(many.slice(1).map(({ entry }) => entry)));
    expect(await all()).toEqual(many.slice(0, 1));
  });

  it("T40: keeps secrets by exactly their name, replaces them, and lists them by their bytes", async () => {
    const { store } = room();
    await store.transaction(async (port) => {
      for (const name of shuffled) await port.putSecret(name, "first");
      await port.putSecret("a", exactText);
      for (const name of ["ab", "nobody"]) await port.deleteSecret(name);
    });
    const find = (name: string) => store.read.findSecret(name);
    expect([await find("a"), await find("A"), await find("ab"), await find("a ")]).toEqual([
      exactText,
      "first",
      undefined,
      undefined,
    ]);
    const left = inByteOrder.filter((name) => name !== "ab");
    expect(await store.read.listSecrets()).toEqual(
      left.map((name) => ({ name, secret: name === "a" ? exactText : "first" })),
    );
  });

  it("IN-24: claims what is due, the longest first, each once, and writes its next time", async () => {
    const { store } = room();
    const due = (id: string, dueAt: number | null, enabled = true) => source(id, { dueAt, enabled, interval: 60 });
    await put(
      store,
      due("c", 10),
      due("a", 20),
      due("b", 10),
      due("later", 31),
      due("never", null),
      due("off", 1, false),
    );
    const seen: Source[] = [];
    const claim = (now: number) =>
      store.transaction((port) =>
        port.claimDue(now, (one) => {
          seen.push(one);
          return now + 60;
        }),
      );
    expect(await claim(9)).toBeUndefined();
    expect(await claim(30)).toEqual(due("b", 90));
    expect(await claim(30)).toEqual(due("c", 90));
    expect(await claim(30)).toEqual(due("a", 90));
    expect(await claim(30)).toBeUndefined();
    expect(seen).toEqual([due("b", 10), due("c", 10), due("a", 20)]);
    expect(await store.read.findSource("a")).toEqual(due("a", 90));
    expect(await claimAll(store, 31)).toEqual(["later"]);
    expect(await claimAll(store, 90)).toEqual(["a", "b", "c"]);
    expect(await store.read.findSource("off")).toEqual(due("off", 1, false));
  });

  it("IN-24: what is switched off, put anew or removed is not due", async () => {
    const { store } = room();
    const due = (id: string, patch: Partial<Source> = {}) => source(id, { dueAt: 1, ...patch });
    await put(store, due("off"), due("anew"), due("gone"), due("none"));
    await put(store, due("off", { enabled: false }), due("anew", { dueAt: 50 }));
    await store.transaction((port) => port.deleteSource("gone"));
    expect(await claimAll(store, 49, null)).toEqual(["none"]);
    expect(await store.read.findSource("none")).toMatchObject({ dueAt: null });
    expect(await claimAll(store, largest, null)).toEqual(["anew"]);
    await put(store, due("off"));
    expect(await claimAll(store, 49, null)).toEqual(["off"]);
  });

  it("IN-24: one that is switched off and made due by hand is not handed out, and keeps nobody from the others", async () => {
    const { store, place } = room();
    await put(store, source("a", { enabled: false, dueAt: 1 }), source("b", { dueAt: 2 }));
    await place.query("UPDATE sources SET due_at = 0 WHERE id = 'a'");
    expect(await claimAll(store, 5)).toEqual(["b"]);
    expect(await place.query("SELECT due_at FROM sources WHERE id = 'a'")).toEqual([{ due_at: null }]);
  });

  it("IN-24: a claim that is not committed is none", async () => {
    const { store } = room();
    await put(store, source("a", { dueAt: 1 }));
    const failing = store.transaction(async (port) => {
      expect(await port.claimDue(1, () => 9)).toMatchObject({ id: "a" });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await claimAll(store, 1)).toEqual(["a"]);
  });

  it("IN-24: two connections that claim at once share what is due, and nobody gets the same", async () => {
    const { store, place } = room();
    const other = await place.open();
    const ids = Array.from({ length: 20 }, (_, at) => `s${String(at).padStart(2, "0")}`);
    await put(store, ...ids.map((id) => source(id, { dueAt: 1 })));
    const [one, two] = await Promise.all([claimAll(store, 1), claimAll(other, 1)]);
    expect([...one, ...two].toSorted()).toEqual(ids);
    await put(store, source("last", { dueAt: 1 }));
    const claims = await Promise.all([store, other].map((at) => at.transaction((port) => port.claimDue(1, () => 9))));
    expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1);
    await other.close();
  });
};
