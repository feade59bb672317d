import { expect, it } from "vitest";
import { type Contract, largest } from "./room.ts";
import { batch, used } from "./rows.ts";

const day = 86_400_000;

export const usageCountsContract: Contract = (room) => {
  const all = { since: 0, before: largest, configurations: null };
  const inOrder = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();

  it("SV-3: counts usage by entry and by what happened, from one time to another", async () => {
    const { store, place } = room();
    const records = [
      used({ at: day - 1 }),
      used({ at: day }),
      used({ at: day + 5, event: "denied" }),
      used({ at: 2 * day - 1 }),
      used({ at: 2 * day, entry: "é" }),
    ];
    await store.transaction((port) => port.insertUsage(batch("a"), records, []));
    const counted = async (since: number, before: number) =>
      (await store.read.countUsage({ ...all, since, before }))
        .map(({ entry, event, times, last }) => [entry, event, times, last])
        .toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
    const { entry } = used();
    expect(await counted(day, 2 * day)).toEqual([
      [entry, "denied", 1, day + 5],
      [entry, "routed", 2, 2 * day - 1],
    ]);
    expect(await counted(day + 6, largest)).toEqual([
      [entry, "routed", 1, 2 * day - 1],
      ["é", "routed", 1, 2 * day],
    ]);
    expect(await counted(3 * day, largest)).toEqual([]);
    await place.query("UPDATE usage SET event = 'harmless' WHERE entry = 'é'");
    expect(await counted(2 * day, largest)).toEqual([["é", "injected", 1, 2 * day]]);
  });

  it("SC-7: counts each tool that was denied for itself", async () => {
    const { store } = room();
    const denied = (entry: string, ...tools: (string | null)[]) =>
      tools.map((tool) => used({ event: "denied", entry, tool }));
    const records = [...denied("b", "shell", "shell", null, "Shell"), ...denied("a", "shell")];
    await store.transaction((port) => port.insertUsage(batch("a"), records, []));
    const counted = (await store.read.countUsage(all)).map(({ entry, tool, times }) => [entry, tool, times]);
    expect(inOrder(counted)).toEqual(
      inOrder([
        ["b", "shell", 2],
        ["b", "Shell", 1],
        ["b", null, 1],
        ["a", "shell", 1],
      ]),
    );
  });

  it("RV-12: counts only what was used with some configurations, and nothing for none", async () => {
    const { store } = room();
    const records = [
      used({ configuration: "one" }),
      used({ configuration: "two" }),
      used({ configuration: "One" }),
      used(),
    ];
    await store.transaction((port) => port.insertUsage(batch("a"), records, []));
    const sum = async (configurations: readonly string[] | null) =>
      (await store.read.countUsage({ ...all, configurations })).reduce((times, each) => times + each.times, 0);
    expect(await sum(null)).toBe(4);
    expect(await sum(["one", "two"])).toBe(2);
    expect(await sum(["two"])).toBe(1);
    expect(await sum([])).toBe(0);
  });
};
