import { describe, expect, test } from "vitest";
import { appHome } from "../../../test/support/app-home.ts";
import { recordUsage, type UsageRecord } from "../../registry/usage/usage.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import type { App } from "../../app/app.ts";
import { usageByDay, usageView } from "./flow.ts";
import { whereUsed } from "../audit/where.ts";

const day = 86_400_000;
const digest = "d".repeat(64);

/** A node whose questions about usage are written down, and how many of them were under way at once. */
async function room() {
  const home = await appHome();
  const stopwatch = fixedClock();
  const opened = await home.open({ stopwatch });
  const asked: string[] = [];
  let [running, most, batches] = [0, 0, 0];
  const watched = async <Answer>(what: string, answer: Promise<Answer>) => {
    asked.push(what);
    most = Math.max(most, ++running);
    try {
      return await answer;
    } finally {
      running--;
    }
  };
  const { read } = opened.kept;
  const today = Math.floor(home.clock.now() / day);
  const kept: App["kept"] = {
    ...opened.kept,
    read: {
      ...read,
      countUsage: (wanted) => watched(`day ${wanted.since / day - today}`, read.countUsage(wanted)),
      usesOf: (...wanted) => watched("uses", read.usesOf(...wanted)),
    },
  };
  const app: App = { ...opened, kept };
  const use = (at: number, patch: Partial<UsageRecord> = {}): Promise<unknown> => {
    const place = { configuration: "house", task: null, conversation: "c", tool: null };
    const record = { at, event: "injected", entry: "skills:a", digest, ...place, ...patch } as const;
    const id = `batch-${++batches}`;
    return recordUsage(opened.kept, { id, node: "n", at, records: [record], injections: [] });
  };
  return { app, use, asked: () => asked.splice(0), most: () => most, now: home.clock.now(), stopwatch };
}

const times = async (app: App, days: number) => (await usageByDay(app, days)).map(({ counts }) => counts.injected ?? 0);

describe("T41: usage is counted", () => {
  test("for one reader at a time, day by day, and once for all who come while nothing is added", async () => {
    const { app, use, asked, most, now } = await room();
    await use(now - day);
    const views = await Promise.all(Array.from({ length: 30 }, () => usageView(app, { days: 3 })));
    expect(new Set(views.map((view) => JSON.stringify(view))).size).toBe(1);
    expect([asked(), most()]).toEqual([["day -2", "day -1", "day 0"], 1]);
    expect(await times(app, 2)).toEqual([1, 0]);
    expect((await usageView(app, { days: 4 })).days).toHaveLength(4);
    expect(asked()).toEqual(["day -3"]);
  });

  test("of today with every batch at once; of days that are over half a minute later at most", async () => {
    const { app, use, asked, now, stopwatch } = await room();
    expect(await times(app, 2)).toEqual([0, 0]);
    asked();
    await use(now);
    await use(now - day);
    expect([await times(app, 2), asked()]).toEqual([[0, 1], ["day 0"]]);
    stopwatch.advance(30_000);
    await use(now);
    expect([await times(app, 2), asked()]).toEqual([
      [1, 2],
      ["day -1", "day 0"],
    ]);
  });

  test("RV-12: for each of those who may see something else", async () => {
    const { app, use, now } = await room();
    await use(now);
    await use(now + 1, { configuration: "other" });
    const limited: App = { ...app, person: { ...app.person, role: "reader", configurations: ["other"] } };
    expect([await times(app, 1), await times(limited, 1), await times(app, 1)]).toEqual([[2], [1], [2]]);
  });

  test("where a digest was used: for one reader at a time, and once until there is another record", async () => {
    const { app, use, asked, most, now } = await room();
    await use(now);
    const where = () => whereUsed(app, { digest, each: false, limit: 5 });
    await Promise.all(Array.from({ length: 10 }, where));
    expect([asked(), most()]).toEqual([["uses"], 1]);
    await use(now + 1);
    expect((await where()).uses).toMatchObject([{ times: 2 }]);
    expect(asked()).toEqual(["uses"]);
  });
});
