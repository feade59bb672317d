import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { appHome, type AppHome } from "../../../test/support/app-home.ts";
import { usage } from "../../../test/registry/filled-store.ts";
import { handTimer, leaving } from "../../../test/server/leaving-store.ts";
import { allow } from "../../../test/support/permits.ts";
import { ada } from "../../../test/support/registry.ts";
import { injection } from "../../../test/store/store-contract/rows.ts";
import { sha256 } from "../../core/digest.ts";
import { expireUsage, recordUsage, renderBatch, usageHash } from "../../registry/usage/usage.ts";
import type { App } from "../../app/app.ts";
import { replaySpool, UsageLog } from "./usage-log.ts";
import { verifyStore } from "../audit/verification.ts";

function spooled(home: AppHome): string[] {
  return readdirSync(home.path("data/spool"));
}

async function batchesIn(app: App) {
  const batches = await app.kept.read.usageBatches({ after: "", limit: 1000 });
  return Promise.all(
    batches.map(async ({ id }) => ({
      uses: (await app.kept.read.usageIn(id)).length,
      injections: (await app.kept.read.injectionsIn(id)).map((row) => row.id),
    })),
  );
}

describe.each(["SQLite", "PostgreSQL"] as const)("what requests were given, on %s", (engine) => {
  test("CO-7, RV-8: goes with the uses into one batch with one audit record, and verifies", async () => {
    const home = await appHome(engine);
    const app = await home.open({ timer: handTimer() });
    const log = new UsageLog(app);
    log.addInjection(injection("inj_1"));
    for (const event of ["injected", "dropped"] as const) log.add(usage({ event, conversation: "inj_1" }));
    log.addInjection(injection("inj_2"));
    await log.close();
    expect(await batchesIn(app)).toEqual([{ uses: 2, injections: ["inj_1", "inj_2"] }]);
    const [record, ...others] = await app.kept.read.findAudit({ act: "usage.batch", limit: 9 });
    expect([JSON.parse(record?.details ?? ""), others]).toMatchObject([{ count: 2, injections: 2 }, []]);
    expect(await verifyStore(await home.inspect())).toMatchObject({ passes: true });
  });

  test("CO-16: is found from the first moment on: in memory, on its way, on the disk, in the store", async () => {
    const home = await appHome(engine);
    const timer = handTimer();
    const store = leaving(await home.open({ timer }));
    let goOn = () => {};
    const slow = new Promise<void>((resolve) => (goOn = resolve));
    const transaction: App["kept"]["transaction"] = async (act) => (await slow, store.app.kept.transaction(act));
    const log = new UsageLog({ ...store.app, kept: { ...store.app.kept, transaction } });
    const one = injection("inj_1");
    const isKept = async () => (await store.app.kept.read.findInjection("inj_1")) !== undefined;
    log.addInjection(one);
    expect(log.find("inj_1")).toEqual(one);
    const sending = log.flush();
    expect([log.find("inj_1"), await isKept()]).toEqual([one, false]);
    store.leave();
    goOn();
    await sending;
    expect([log.find("inj_1"), spooled(home).length, await isKept()]).toEqual([one, 1, false]);
    store.return();
    await log.flush();
    expect([log.find("inj_1"), spooled(home).length]).toEqual([undefined, 0]);
    expect(await store.app.kept.read.findInjection("inj_1")).toEqual(one);
    await log.close();
  });

  test("RV-8: left on the disk by a process that is gone, it is replayed once, and is what it was", async () => {
    const home = await appHome(engine);
    const app = await home.open({ timer: handTimer() });
    const log = new UsageLog(app);
    await home.close();
    const one = injection("inj_1", { model: "half \ud800, none \0" });
    log.addInjection(one);
    log.add(usage());
    await log.close();
    const again = await home.open();
    expect(await replaySpool(again)).toEqual({ batches: 1, findings: [] });
    expect(await again.kept.read.findInjection("inj_1")).toEqual({ ...one, model: "half \ufffd, none \ufffd" });
    expect(await verifyStore(await home.inspect())).toMatchObject({ passes: true });
  });

  test("RV-8: a copy of a spooled batch under another name keeps nothing behind it from the store", async () => {
    const home = await appHome(engine);
    const app = await home.open({ timer: handTimer() });
    for (const id of ["1", "2"])
      home.write(
        `data/spool/${id}.json`,
        renderBatch({ id, node: "n", at: 1, records: [], injections: [injection("inj_1")] }),
      );
    const log = new UsageLog(app);
    log.addInjection(injection("inj_2"));
    await log.close();
    const kept = await batchesIn(app);
    expect([log.findings, kept.map(({ injections }) => injections)]).toEqual([[], [["inj_2"], ["inj_1"], ["inj_1"]]]);
  });

  test("RV-8: retention takes it, and the chain still verifies", async () => {
    const home = await appHome(engine);
    const app = await home.open();
    await recordUsage(app.kept, { id: "b", node: "n", at: 1, records: [usage()], injections: [injection("inj_1")] });
    expect(await expireUsage(app.kept, allow(ada), 2, 3)).toBe(1);
    expect(await app.kept.read.findInjection("inj_1")).toBeUndefined();
    expect(await verifyStore(await home.inspect())).toMatchObject({ passes: true });
  });
});

describe("what requests were given", () => {
  test("RV-8: counts where memory is bounded, by what it lists", async () => {
    const home = await appHome();
    const store = leaving(await home.open({ timer: handTimer() }));
    const log = new UsageLog(store.app, { batchRecords: 10, mostRecords: 20 });
    store.leave();
    const dropped = Array.from({ length: 4 }, () => ({ entry: "e:a", digest: null, via: "task", why: "tampered" }));
    // Two of these make a batch of ten.
    for (let number = 0; number < 4; number++) log.addInjection(injection(`inj_${number}`, { dropped }));
    await log.flush();
    expect(spooled(home)).toHaveLength(2);
    store.return();
    await log.close();
    expect((await batchesIn(store.app)).map(({ injections }) => injections.length)).toEqual([2, 2]);
  });

  test("RV-8: a text that somebody made endless is cut, and never throws", async () => {
    const home = await appHome();
    const app = await home.open({ timer: handTimer() });
    const log = new UsageLog(app);
    log.addInjection(injection(`inj_${"é".repeat(5000)}`, { model: "😀".repeat(100_000) }));
    await log.close();
    const [id = ""] = (await batchesIn(app)).flatMap(({ injections }) => injections);
    const kept = await app.kept.read.findInjection(id);
    expect([id.length, kept?.model.length, log.findings]).toEqual([64, 4000, []]);
  });

  test("RV-8: said after the end, it is written down too", async () => {
    const home = await appHome();
    const app = await home.open();
    const log = new UsageLog(app);
    await log.close();
    log.addInjection(injection("inj_late"));
    await expect.poll(() => app.kept.read.findInjection("inj_late")).toBeDefined();
  });

  test("RV-8: a batch without any has the hash, the record and the file that it always had", async () => {
    const written =
      '[{"at":1,"configuration":"support","conversation":"c-1","digest":"d","entry":"skills:pdf","event":"injected","task":null}]';
    const records = [usage({ digest: "d" })];
    expect(usageHash(records, [])).toBe(sha256(Buffer.from(written)));
    const home = await appHome();
    const app = await home.open();
    const { tool: _, ...old } = usage({ digest: "d" });
    const file = `${JSON.stringify({ id: "1", node: "n", at: 1, records: [old] })}\n`;
    expect(renderBatch({ id: "1", node: "n", at: 1, records, injections: [] })).toBe(file);
    home.write("data/spool/1.json", file);
    expect(await replaySpool(app)).toEqual({ batches: 1, findings: [] });
    const [record] = await app.kept.read.findAudit({ act: "usage.batch", limit: 9 });
    expect(JSON.parse(record?.details ?? "")).toEqual({ count: 1, hash: usageHash(records, []), node: "n" });
  });

  test("SC-7: a tool that was denied is in the hash", () => {
    const written =
      '[{"at":1,"configuration":"support","conversation":"c-1","digest":"d","entry":"skills:pdf","event":"denied","task":null,"tool":"shell"}]';
    expect(usageHash([usage({ digest: "d", event: "denied", tool: "shell" })], [])).toBe(sha256(Buffer.from(written)));
  });

  test("RV-8: no two different batches have one hash", () => {
    const [one, two] = [injection("inj_1"), injection("inj_2")];
    const records = [usage(), usage({ at: 2 })];
    const hashes = [
      usageHash([], []),
      usageHash(records, []),
      usageHash(records.toReversed(), []),
      usageHash(records, [one]),
      usageHash(records, [one, two]),
      usageHash(records, [two, one]),
      usageHash([], [one, two]),
      usageHash(records, [one, { ...two, bytes: 0 }]),
      ...["", "read", "null"].map((tool) => usageHash([usage({ tool }), usage({ at: 2 })], [])),
      usageHash([usage(), usage({ at: 2, tool: "read" })], []),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
