import { expect, it } from "vitest";
import type { Contract } from "./room.ts";
import { batch, used } from "./rows.ts";

const day = 86_400_000;

export const usageCountsContract: Contract = (room) => {
  const all = { since: 0, configurations: null };

  it("SV-3: counts usage by its day and by what happened, from a time on", async () => {
    const { store } = room();
    await store.transaction((port) =>
      port.insertUsage(
        batch("a"),
        [
          used({ at: day - 1 }),
          used({ at: day }),
          used({ at: 2 * day - 1 }),
          used({ at: day + 5, event: "denied" }),
          used({ at: 20_000 * day + 7, event: "injected" }),
        ],
        [],
      ),
    );
    const counted = async (since: number) =>
      (await store.read.usageByDay({ ...all, since }))
        .map((each) => [each.day, each.event, each.times])
        .toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
    expect(await counted(0)).toEqual([
      [0, "routed", 1],
      [1, "denied", 1],
      [1, "routed", 2],
      [20_000, "injected", 1],
    ]);
    expect(await counted(day + 5)).toEqual([
      [1, "denied", 1],
      [1, "routed", 1],
      [20_000, "injected", 1],
    ]);
  });

  it("SV-3: counts usage by entry, the most used first, of one count by the bytes of their ids", async () => {
    const { store, place } = room();
    const events = ["injected", "injected", "dropped", "denied", "routed"] as const;
    const records = [
      ...events.map((event, at) => used({ at, event, entry: "b" })),
      used({ entry: "Z", at: 3 }),
      used({ entry: "a", at: 2 }),
      used({ entry: "é", event: "dropped" }),
      used({ entry: "é", event: "dropped" }),
    ];
    await store.transaction((port) => port.insertUsage(batch("a"), records, []));
    const none = { injected: 0, dropped: 0, routed: 0, denied: 0 };
    const expected = [
      { entry: "b", counts: { injected: 2, dropped: 1, routed: 1, denied: 1 }, last: 4 },
      { entry: "é", counts: { ...none, dropped: 2 }, last: 1 },
      { entry: "Z", counts: { ...none, routed: 1 }, last: 3 },
      { entry: "a", counts: { ...none, routed: 1 }, last: 2 },
    ];
    expect(await store.read.usageByEntry(all, 9)).toEqual(expected);
    expect(await store.read.usageByEntry(all, 2)).toEqual(expected.slice(0, 2));
    expect(await store.read.usageByEntry({ ...all, since: 4 }, 9)).toEqual([
      { entry: "b", counts: { ...none, routed: 1 }, last: 4 },
    ]);
    await place.query("UPDATE usage SET event = 'harmless' WHERE entry = 'Z'");
    const [, , changed] = await store.read.usageByEntry(all, 9);
    expect(changed).toMatchObject({ entry: "Z", counts: { ...none, injected: 1 } });
  });

  it("SC-7: counts which tools were denied, the most frequent first", async () => {
    const { store } = room();
    const denied = (entry: string, ...tools: (string | null)[]) =>
      tools.map((tool) => used({ event: "denied", entry, tool }));
    const records = [...denied("b", "shell", "shell", null, "Shell"), ...denied("a", "read"), used({ tool: "read" })];
    await store.transaction((port) => port.insertUsage(batch("a"), records, []));
    const most = [
      { entry: "b", tool: "shell", times: 2 },
      { entry: "a", tool: "read", times: 1 },
      { entry: "b", tool: "Shell", times: 1 },
    ];
    expect(await store.read.deniedTools(all, 9)).toEqual(most);
    expect(await store.read.deniedTools(all, 1)).toEqual(most.slice(0, 1));
  });

  it("RV-12: counts only what was used with some configurations, and nothing for none", async () => {
    const { store } = room();
    const records = [
      used({ configuration: "one", event: "denied", tool: "t" }),
      used({ configuration: "two" }),
      used({ configuration: "One" }),
      used(),
    ];
    await store.transaction((port) => port.insertUsage(batch("a"), records, []));
    const sums = async (configurations: readonly string[] | null) => {
      const wanted = { since: 0, configurations };
      const days = await store.read.usageByDay(wanted);
      const entries = await store.read.usageByEntry(wanted, 9);
      return [
        days.reduce((sum, { times }) => sum + times, 0),
        entries.reduce((sum, { counts }) => sum + counts.routed + counts.denied, 0),
        (await store.read.deniedTools(wanted, 9)).length,
      ];
    };
    expect(await sums(null)).toEqual([4, 4, 1]);
    expect(await sums(["one", "two"])).toEqual([2, 2, 1]);
    expect(await sums(["two"])).toEqual([1, 1, 0]);
    expect(await sums([])).toEqual([0, 0, 0]);
  });
};
