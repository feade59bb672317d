import { expect, it } from "vitest";
import type { Reader } from "../../../src/registry/audit/audit.ts";
import { type Contract, exactText, largest } from "./room.ts";

function reader(name: string, patch: Partial<Reader> = {}): Reader {
  return { name, seq: 1, dueAt: 1, attempts: 0, note: "", ...patch };
}

export const readersContract: Contract = (room) => {
  it("SV-11: keeps every field of a reader, by exactly its name, and replaces it as a whole", async () => {
    const { store } = room();
    const full = reader("a", { seq: largest, dueAt: largest, attempts: largest, note: exactText });
    await store.transaction(async (port) => {
      for (const name of ["a", "A", "a "]) await port.putReader(reader(name));
      await port.putReader(full);
    });
    expect(await store.read.findReader("a")).toEqual(full);
    expect([await store.read.findReader("A"), await store.read.findReader("b")]).toEqual([reader("A"), undefined]);
    await store.transaction((port) => port.putReader(reader("a")));
    expect(await store.read.findReader("a")).toEqual(reader("a"));
  });

  it("SV-11: is claimed when it is due, by one at a time, and others are left alone", async () => {
    const { store } = room();
    const claim = (name: string, now: number) =>
      store.transaction((port) => port.claimReader(name, { now, latest: now + 1000 }, now + 100));
    expect(await claim("a", 5)).toBeUndefined();
    await store.transaction(async (port) => {
      await port.putReader(reader("a", { dueAt: 5, attempts: 3, note: "n" }));
      await port.putReader(reader("b", { dueAt: 5 }));
    });
    expect(await claim("a", 4)).toBeUndefined();
    expect(await claim("a", 5)).toEqual(reader("a", { dueAt: 105, attempts: 3, note: "n" }));
    expect([await claim("a", 6), await claim("a", 104)]).toEqual([undefined, undefined]);
    expect(await store.read.findReader("b")).toEqual(reader("b", { dueAt: 5 }));
    expect(await claim("a", 105)).toMatchObject({ dueAt: 205 });
    await store.transaction((port) => port.putReader(reader("a", { dueAt: 5000 })));
    expect(await claim("a", 4000)).toBeUndefined();
    expect(await claim("a", 3999)).toMatchObject({ dueAt: 4099 });
  });

  it("SV-11: of two nodes that claim at once one gets it", async () => {
    const { store, place } = room();
    const other = await place.open();
    try {
      await store.transaction((port) => port.putReader(reader("a")));
      const claims = await Promise.all(
        [store, other].map((at) => at.transaction((port) => port.claimReader("a", { now: 1, latest: 9 }, 9))),
      );
      expect(claims.filter((claim) => claim !== undefined)).toEqual([reader("a", { dueAt: 9 })]);
    } finally {
      await other.close();
    }
  });
};
