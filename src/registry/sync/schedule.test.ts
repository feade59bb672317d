import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ada, person, registryFolder } from "../../../test/support/registry.ts";
import { AppError } from "../../core/error.ts";
import { RateLimited } from "../../sources/github/rate-limit.ts";
import type { Source } from "../../sources/schema.ts";
import { parseSource } from "../../sources/source.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { type DueContext, type DueWork, nextDue, runDue } from "./schedule.ts";
import { allow } from "../../../test/support/permits.ts";

const now = Date.UTC(2026, 0, 1);
const minute = 60_000;
const constant = (byte: number) => ({ bytes: (count: number) => new Uint8Array(count).fill(byte) });
const [lowest, highest] = [constant(0), constant(255)];

describe("IN-24: when a source is due again", () => {
  test("after its interval, a tenth less or more", () => {
    expect(nextDue({ interval: 600 }, now, lowest)).toBe(now + 9 * minute);
    expect(nextDue({ interval: 600 }, now, highest)).toBe(now + 11 * minute);
    expect(nextDue({ interval: 600 }, now, constant(128))).toBeGreaterThan(now + 9.9 * minute);
  });

  test("never, without one", () => expect(nextDue({ interval: null }, now, lowest)).toBeNull());

  test("IN-11: not before the service allows more requests, and then not all at once", () => {
    expect(nextDue({ interval: 60 }, now, lowest, now + 30 * minute)).toBe(now + 30 * minute);
    expect(nextDue({ interval: 60 }, now, highest, now + 30 * minute)).toBe(now + 31 * minute);
    expect(nextDue({ interval: 7200 }, now, lowest, now + 30 * minute)).toBe(now + 108 * minute);
  });

  test("is always a whole number, and never sooner than 54 seconds", () => {
    const random = seededRandomness();
    const interval = fc.integer({ min: 60, max: 31_536_000 });
    fc.assert(
      fc.property(interval, fc.integer({ min: 0, max: 7 * 86_400_000 }), (seconds, reset) => {
        const due = nextDue({ interval: seconds }, now, random, now + reset) ?? 0;
        expect(Number.isSafeInteger(due)).toBe(true);
        expect(due).toBeGreaterThanOrEqual(now + Math.max(seconds * 900, reset));
        expect(due).toBeLessThanOrEqual(now + Math.max(seconds * 1100, reset + minute));
      }),
    );
  });
});

/** A registry with sources of these intervals, all due. */
async function dueRegistry(...ids: readonly string[]) {
  const folder = registryFolder();
  const app = await folder.open();
  for (const id of ids) await put(app, { ...folderSource(id), interval: 600, dueAt: folder.clock.now() });
  return { folder, app, context: { ...app.sync, random: lowest } };
}

function folderSource(id: string): Source {
  return parseSource(id, JSON.stringify({ kind: "folder", url: `/srv/${id}`, enabled: true }));
}

function put({ kept }: Pick<DueContext, "kept">, source: Source): Promise<void> {
  return kept.transaction((port) => port.putSource(source));
}

/** What is synced, and what is told of it. */
function working(sync: (source: string) => Promise<unknown> = async () => {}) {
  const [synced, failed]: [string[], [string, unknown][]] = [[], []];
  const stopping = new AbortController();
  let claims = 0;
  const work: DueWork = {
    async sync(source) {
      synced.push(source);
      const limitedUntil = await sync(source);
      return { limitedUntil: typeof limitedUntil === "number" ? limitedUntil : null };
    },
    onClaim: () => void claims++,
    onFailure: (source, error) => void failed.push([source, error]),
    signal: stopping.signal,
  };
  return { work, synced, failed, stopping, claims: () => claims };
}

const dueOf = async ({ kept }: Pick<DueContext, "kept">, id: string) => (await kept.read.findSource(id))?.dueAt;

describe("IN-24: what is due", () => {
  test("is synced, each once, until nothing is due", async () => {
    const { app, folder, context } = await dueRegistry("a", "b", "c");
    const { work, synced, claims } = working();
    await runDue(context, allow(ada), work);
    expect([synced, claims()]).toEqual([["a", "b", "c"], 3]);
    await runDue(context, allow(ada), work);
    folder.clock.advance(9 * minute - 1);
    await runDue(context, allow(ada), work);
    expect(synced).toHaveLength(3);
    folder.clock.advance(1);
    await runDue(context, allow(ada), work);
    expect(synced).toEqual(["a", "b", "c", "a", "b", "c"]);
    expect(await dueOf(app, "a")).toBe(folder.clock.now() + 9 * minute);
  });

  test("is what a clock that was ahead has put off for a year, too", async () => {
    const { app, folder, context } = await dueRegistry("a", "b");
    const year = 365 * 86_400_000;
    const ahead = { ...context, clock: { now: () => folder.clock.now() + year } };
    await runDue(ahead, allow(ada), working().work);
    expect(await dueOf(app, "a")).toBe(folder.clock.now() + year + 9 * minute);
    // A limit of some days, and nobody's interval, are no such thing.
    const day = 86_400_000;
    await put(app, { ...folderSource("limited"), interval: 600, dueAt: folder.clock.now() + 7 * day });
    await put(app, { ...folderSource("off"), enabled: false, interval: 600, dueAt: folder.clock.now() + year });
    const { work, synced } = working();
    await runDue(context, allow(ada), work);
    expect(synced).toEqual(["a", "b"]);
    expect(await dueOf(app, "a")).toBe(folder.clock.now() + 9 * minute);
  });

  test("is told when it fails, and keeps nobody from the others", async () => {
    const { app, folder, context } = await dueRegistry("a", "b", "c");
    const fault = new AppError("upstream.unreachable", "away");
    const { work, synced, failed } = working((id) => (id === "b" ? Promise.reject(fault) : Promise.resolve()));
    await runDue(context, allow(ada), work);
    expect([synced, failed]).toEqual([["a", "b", "c"], [["b", fault]]]);
    expect(await dueOf(app, "b")).toBe(folder.clock.now() + 9 * minute);
  });

  test("IN-11: waits for the end of a rate limit, however short its interval is", async () => {
    const { app, folder, context } = await dueRegistry("a", "b");
    const at = folder.clock.now();
    const limits = [new RateLimited("api.github.com", at + 40 * minute, { now: at, hasToken: false })];
    limits.push(new RateLimited("api.github.com", null, { now: at, hasToken: false }));
    const { work } = working(() => Promise.reject(limits.shift()));
    await runDue(context, allow(ada), work);
    expect([await dueOf(app, "a"), await dueOf(app, "b")]).toEqual([at + 40 * minute, at + 9 * minute]);
  });

  test("IN-11: the same after a sync that a limit stopped half-way", async () => {
    const { folder, context } = await dueRegistry("a");
    const reset = folder.clock.now() + 7_200_000;
    await runDue(context, allow(ada), working(async () => reset).work);
    expect(await dueOf(context, "a")).toBe(reset);
  });

  test("keeps what somebody said about it meanwhile", async () => {
    const { app, folder, context } = await dueRegistry("a", "b", "c");
    const at = folder.clock.now();
    const said = new Map<string, Partial<Source>>([
      ["a", { interval: null, dueAt: null }],
      ["b", { interval: 3600, dueAt: at + 1 }],
    ]);
    const { work } = working(async (id) => {
      const before = await app.kept.read.findSource(id);
      if (before !== undefined) await put(app, { ...before, ...said.get(id) });
      if (id === "c") await app.kept.transaction((port) => port.deleteSource(id));
      throw new RateLimited("h", at + 40 * minute, { now: at, hasToken: true });
    });
    await runDue(context, allow(ada), work);
    expect([await dueOf(app, "a"), await dueOf(app, "b"), await dueOf(app, "c")]).toEqual([null, at + 1, undefined]);
  });

  test("is not claimed by whoever was told to stop; what was under way is due again", async () => {
    const { app, folder, context } = await dueRegistry("a", "b");
    const { work, synced, failed, stopping } = working(async () => {
      stopping.abort();
      throw new Error("stopped");
    });
    await runDue(context, allow(ada), work);
    await runDue(context, allow(ada), work);
    expect([synced, failed]).toEqual([["a"], []]);
    const due = folder.clock.now();
    expect([await dueOf(app, "a"), await dueOf(app, "b")]).toEqual([due, due]);
  });

  test("a sync that came to its end although it was told to stop is done", async () => {
    const { app, folder, context } = await dueRegistry("a");
    const { work, stopping } = working(async () => stopping.abort());
    await runDue(context, allow(ada), work);
    expect(await dueOf(app, "a")).toBe(folder.clock.now() + 9 * minute);
  });

  test("RV-12: takes an admin; nobody else claims anything", async () => {
    const { app, folder, context } = await dueRegistry("a");
    const { work, synced } = working();
    await expect((async () => runDue(context, allow(person("bob", "operator")), work))()).rejects.toMatchObject({
      code: "auth.forbidden",
    });
    expect([synced, await dueOf(app, "a")]).toEqual([[], folder.clock.now()]);
  });

  test("rejects when the store is away, and nothing is lost by it", async () => {
    const { app, folder, context } = await dueRegistry("a");
    const { work, synced } = working();
    const away = { ...context.kept, transaction: () => Promise.reject(new AppError("store.failed", "away")) };
    await expect(runDue({ ...context, kept: away }, allow(ada), work)).rejects.toMatchObject({ code: "store.failed" });
    expect([synced, await dueOf(app, "a")]).toEqual([[], folder.clock.now()]);
  });
});
