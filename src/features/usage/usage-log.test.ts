import { readdirSync, statSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appHome, type AppHome } from "../../../test/support/app-home.ts";
import { usage } from "../../../test/registry/filled-store.ts";
import { handTimer, leaving } from "../../../test/server/leaving-store.ts";
import { AppError } from "../../core/error.ts";
import { levels } from "../../core/finding.ts";
import type { FilesToWrite } from "../../core/world.ts";
import { parseBatch, recordUsage, renderBatch } from "../../registry/usage/usage.ts";
import type { App } from "../../app/app.ts";
import { replaySpool, UsageLog } from "./usage-log.ts";
import { verifyStore } from "../audit/verification.ts";
import { createWorld } from "../../app/world/world.ts";

async function conversations(app: App): Promise<(string | null)[]> {
  const batches = await app.kept.read.usageBatches({ after: "", limit: 1000 });
  const records = await Promise.all(batches.map(({ id }) => app.kept.read.usageIn(id)));
  return records.flat().map(({ conversation }) => conversation);
}

/** The batches in the order in which the chain got them. */
async function chained(app: App): Promise<string[]> {
  const records = await app.kept.read.findAudit({ act: "usage.batch", after: 0, limit: 1000 });
  return records.map(({ subject }) => subject);
}

function spooled(home: AppHome): string[] {
  try {
    return readdirSync(home.path("data/spool"));
  } catch {
    return [];
  }
}

const said = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `c-${from + at}`);
const codes = ({ findings }: { findings: readonly { code: string }[] }) => findings.map(({ code }) => code);

describe.each(["SQLite", "PostgreSQL"] as const)("UsageLog on %s", (engine) => {
  test("RV-8: by size and by the clock: one batch, one audit record with its hash", async () => {
    const home = await appHome(engine);
    const timer = handTimer();
    const app = await home.open({ timer });
    const log = new UsageLog(app, { batchRecords: 3 });
    for (const conversation of said(4)) log.add(usage({ conversation }));
    await expect.poll(() => conversations(app)).toEqual(said(3));
    timer.tick();
    await expect.poll(() => conversations(app)).toEqual(said(4));
    log.add(usage({ conversation: "last" }));
    await log.close();
    expect(await conversations(app)).toEqual([...said(4), "last"]);
    expect(await chained(app)).toHaveLength(3);
    expect([log.findings, spooled(home)]).toEqual([[], []]);
  });

  test("RV-8: closed in the middle, nothing is lost: it waits on the disk and is replayed in order, once", async () => {
    const home = await appHome(engine);
    const app = await home.open({ timer: handTimer() });
    const log = new UsageLog(app, { batchRecords: 2 });
    for (const conversation of said(4)) log.add(usage({ conversation }));
    await log.flush();
    await home.close();
    for (const conversation of said(5, 4)) log.add(usage({ conversation }));
    await log.close();
    expect(codes(log)).toEqual(["usage.store-away"]);
    expect(spooled(home)).toHaveLength(3);
    expect(statSync(home.path("data/spool")).mode & 0o077).toBe(0);

    const again = await home.open();
    const waiting = spooled(home).map((name) => name.replace(".json", ""));
    // A process that died after it had written a batch, and before it could remove the file.
    const [first = ""] = spooled(home);
    await recordUsage(again.kept, parseBatch(home.read(`data/spool/${first}`)) ?? expect.fail("unreadable"));
    expect(await replaySpool(again)).toEqual({ batches: 3, findings: [] });
    expect(await conversations(again)).toEqual(said(9));
    expect((await chained(again)).slice(-3)).toEqual(waiting);
    expect(new Set(await chained(again)).size).toBe((await chained(again)).length);
    expect([spooled(home), await replaySpool(again)]).toEqual([[], { batches: 0, findings: [] }]);
  });

  test("RV-8: what waited goes first when the store is back, then what came since", async () => {
    const home = await appHome(engine);
    const timer = handTimer();
    const store = leaving(await home.open({ timer }));
    const log = new UsageLog(store.app, { batchRecords: 1 });
    store.leave();
    for (const conversation of said(3)) log.add(usage({ conversation }));
    await log.flush();
    expect([codes(log), spooled(home).length]).toEqual([["usage.store-away"], 3]);
    store.return();
    for (const conversation of said(2, 3)) log.add(usage({ conversation }));
    timer.tick();
    await log.flush();
    expect(await conversations(store.app)).toEqual(said(5));
    expect(await chained(store.app)).toEqual((await chained(store.app)).toSorted());
    expect([log.findings, spooled(home)]).toEqual([[], []]);
    await log.close();
  });

  test("RV-8: a text that no store can keep is kept as far as one can, and proves what it says", async () => {
    const home = await appHome(engine);
    const app = await home.open({ timer: handTimer() });
    const log = new UsageLog(app);
    log.add(usage({ conversation: "half \ud800, none \0" }));
    await log.close();
    expect([await conversations(app), log.findings]).toEqual([["half \ufffd, none \ufffd"], []]);
    expect(await verifyStore(await home.inspect())).toMatchObject({ passes: true });
  });

  test("SC-7: whatever a model calls a tool, that it was denied is written down, cut where it is endless", async () => {
    const home = await appHome(engine);
    const app = await home.open({ timer: handTimer() });
    const log = new UsageLog(app);
    const digest = "d".repeat(64);
    const names = ["shell", "", "half \ud800, none \0", `a${"😀".repeat(100_000)}`];
    for (const [at, tool] of names.entries()) log.add(usage({ at, digest, event: "denied", tool }));
    await log.close();
    const kept = (await app.kept.read.usageOf(digest, 9)).map(({ tool }) => tool).toReversed();
    expect(kept).toEqual(["shell", "", "half \ufffd, none \ufffd", `a${"😀".repeat(63)}\ufffd`]);
    expect(log.findings).toEqual([]);
    expect(await verifyStore(await home.inspect())).toMatchObject({ passes: true });
  });
});

describe("UsageLog", () => {
  test("RV-8: past its bound the oldest leave memory for the disk while the store is slow; none is dropped", async () => {
    const home = await appHome();
    const app = await home.open({ timer: handTimer() });
    let goOn = () => {};
    const slow = new Promise<void>((resolve) => (goOn = resolve));
    const transaction: App["kept"]["transaction"] = async (act) => {
      await slow;
      return app.kept.transaction(act);
    };
    const log = new UsageLog({ ...app, kept: { ...app.kept, transaction } }, { batchRecords: 10, mostRecords: 20 });
    for (const conversation of said(100)) log.add(usage({ conversation }));
    await expect.poll(() => spooled(home).length).toBe(8);
    goOn();
    await log.close();
    expect(await conversations(app)).toEqual(said(100));
    expect(await chained(app)).toEqual((await chained(app)).toSorted());
    expect([log.findings, spooled(home)]).toEqual([[], []]);
  });

  test("RV-8: what a process before this one left on the disk goes before what is said now", async () => {
    const home = await appHome();
    const app = await home.open({ timer: handTimer() });
    home.write(
      "data/spool/left.json",
      renderBatch({ id: "left", node: "n", at: 1, records: [usage()], injections: [] }),
    );
    const log = new UsageLog(app, { batchRecords: 1 });
    log.add(usage());
    await log.close();
    expect(await chained(app)).toEqual(["left", expect.any(String)]);
  });

  test("RV-8: a file in the spool that is no batch is set aside with a finding; those behind it go on", async () => {
    const home = await appHome();
    const app = await home.open();
    const whole = (id: string) =>
      renderBatch({ id, node: "n", at: 1, records: [usage({ conversation: id })], injections: [] });
    home.write("data/spool/1.json", whole("1").slice(0, 40));
    home.write("data/spool/2.json", whole("2"));
    home.write("data/spool/3.json", whole("another name"));
    home.write("data/spool/4.json.12-ab.tmp", "half of a file that a crash left");
    const { batches, findings } = await replaySpool(app);
    expect([batches, codes({ findings })]).toEqual([1, ["usage.unreadable", "usage.unreadable"]]);
    expect(spooled(home)).toEqual(["1.json.bad", "3.json.bad", "4.json.12-ab.tmp"]);
    expect(home.read("data/spool/1.json.bad")).toBe(whole("1").slice(0, 40));
    expect(await conversations(app)).toEqual(["2"]);
  });

  test("RV-8: when neither the store nor the disk takes it, memory stays bounded and the loss is counted", async () => {
    const home = await appHome();
    const full: FilesToWrite["writePrivate"] = async () => {
      throw new AppError("disk.failed", "the disk is full");
    };
    const opened = await home.open({ timer: handTimer(), files: { ...createWorld().files, writePrivate: full } });
    const store = leaving(opened);
    const log = new UsageLog(store.app, { batchRecords: 10, mostRecords: 50 });
    store.leave();
    for (const conversation of said(100)) log.add(usage({ conversation }));
    await log.flush();
    expect(codes(log).toSorted()).toEqual(["usage.lost", "usage.spool-failed", "usage.store-away"]);
    expect(log.findings.find(({ code }) => code === "usage.lost")?.message).toContain("50 uses");
    store.return();
    await log.close();
    expect(await conversations(store.app)).toEqual(said(50, 50));
  });

  test("RV-8: a spool that cannot be read does not keep new usage from the store", async () => {
    const home = await appHome();
    home.write("data/spool", "not a folder");
    const app = await home.open({ timer: handTimer() });
    const log = new UsageLog(app);
    log.add(usage({ conversation: "on" }));
    await log.close();
    expect([await conversations(app), codes(log)]).toEqual([["on"], ["usage.spool-failed"]]);
  });

  test("RV-8: what is said after the end is written down too", async () => {
    const home = await appHome();
    const app = await home.open();
    const log = new UsageLog(app);
    await log.close();
    log.add(usage({ conversation: "late" }));
    await expect.poll(() => conversations(app)).toEqual(["late"]);
  });
});

describe("a batch on the disk", () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }));
  const anyInjection = fc.record({
    id: fc.string(),
    at: fc.maxSafeNat(),
    request: fc.string(),
    by: fc.string(),
    operation: fc.string(),
    configuration: fc.string(),
    task: fc.option(fc.string()),
    model: fc.string(),
    generation: fc.maxSafeNat(),
    digest: fc.string(),
    bytes: fc.maxSafeNat(),
    included: fc.array(
      fc.record({
        entry: fc.string(),
        digest: fc.string(),
        name: fc.string(),
        via: fc.string(),
        place: fc.string(),
        bytes: fc.maxSafeNat(),
      }),
    ),
    dropped: fc.array(
      fc.record({ entry: fc.string(), digest: fc.option(fc.string()), via: fc.string(), why: fc.string() }),
    ),
    findings: fc.array(
      fc.record({
        code: fc.string(),
        level: fc.constantFrom(...levels),
        message: fc.string(),
        at: fc.record({ file: fc.string(), line: fc.maxSafeNat() }),
      }),
    ),
  });
  const batches = fc.record({
    id: fc.string(),
    node: fc.string(),
    at: fc.maxSafeNat(),
    records: fc.array(
      fc.record({
        at: fc.maxSafeNat(),
        event: fc.constantFrom("injected", "dropped", "routed", "denied"),
        entry: fc.string(),
        digest: fc.string(),
        configuration: fc.option(fc.string()),
        task: fc.option(fc.string()),
        conversation: fc.option(fc.string()),
        tool: fc.option(fc.string({ maxLength: 128 })),
      }),
    ),
    injections: fc.array(anyInjection, { maxLength: 3 }),
  });

  test("RV-8: comes back as it was written", () => {
    fc.assert(
      fc.property(batches, (batch) => {
        expect(parseBatch(renderBatch(batch))).toEqual(batch);
      }),
    );
  });

  test("RV-8: of a time when no tool was written down, its uses have none; one that is no text leaves no batch", () => {
    const { tool: _, ...old } = usage({ event: "denied" });
    const file = (record: object) => JSON.stringify({ id: "1", node: "n", at: 1, records: [record] });
    expect(parseBatch(file(old))?.records).toEqual([usage({ event: "denied" })]);
    for (const tool of [7, {}, ["shell"], true]) expect(parseBatch(file({ ...old, tool }))).toBeUndefined();
  });

  test("CO-7: an injection in it that was changed so that it is none leaves no batch", () => {
    fc.assert(
      fc.property(anyInjection, fc.nat(), fc.constantFrom(undefined, true, 0.5, {}, [1]), (injection, at, value) => {
        const fields = Object.keys(injection);
        const changed = { ...injection, [fields[at % fields.length] ?? ""]: value };
        const written = JSON.stringify({ id: "1", node: "n", at: 1, records: [], injections: [changed] });
        expect(parseBatch(written)).toBeUndefined();
      }),
    );
  });

  test("RV-8: anything else is no batch, and never throws", () => {
    const anything = fc.oneof(text, fc.json());
    fc.assert(
      fc.property(anything, (content) => {
        expect(parseBatch(content)).toBeUndefined();
      }),
    );
  });
});
