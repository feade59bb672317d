import { describe, expect, test } from "vitest";
import { type AppHome, appHome } from "../../../test/support/app-home.ts";
import { handTimer, leaving } from "../../../test/server/leaving-store.ts";
import { ada, skillText } from "../../../test/support/registry.ts";
import { AppError } from "../../core/error.ts";
import type { Files } from "../../core/world.ts";
import { addFolder } from "../../registry/sync/sources.ts";
import type { App } from "../../app/app.ts";
import { type Schedule, type ScheduleEvents, startSchedule } from "./schedule.ts";
import { createWorld } from "../../app/world/world.ts";
import { allow } from "../../../test/support/permits.ts";

const { files: disk } = createWorld();
const hour = 3_600_000;

interface Node {
  readonly app: App;
  readonly synced: string[];
  readonly failed: [string | null, unknown][];
  readonly schedule: Schedule;
  readonly tick: () => void;
}

/** A node that looks for what is due when the test says so. */
async function startNode(home: AppHome, files: Partial<Files> = {}, wrap = (app: App) => app): Promise<Node> {
  const timer = handTimer();
  const app = wrap(await home.open({ timer, files: { ...disk, ...files } }));
  const [synced, failed]: [string[], [string | null, unknown][]] = [[], []];
  const events: ScheduleEvents = {
    onSynced: ({ source }) => void synced.push(source),
    onFailure: (source, error) => void failed.push([source, error]),
  };
  return { app, synced, failed, schedule: startSchedule(app, events), tick: () => timer.tick() };
}

/** Folders with one skill each, added as sources that are due now. */
async function addDue(home: AppHome, ...ids: readonly string[]): Promise<void> {
  const app = await home.open();
  for (const id of ids) {
    home.write(`${id}/pdf/SKILL.md`, skillText("pdf"));
    await addFolder(app.sync, allow(ada), home.path(id), { id });
    await app.kept.transaction(async (port) => {
      const source = await port.findSource(id);
      if (source !== undefined) await port.putSource({ ...source, interval: 600, dueAt: home.clock.now() });
    });
  }
  await app.close();
}

/** How often each was synced by anybody: every sync takes the lock anew. */
async function syncsIn(home: AppHome): Promise<Record<string, number>> {
  const rows = await home.sql("SELECT source, token FROM sync_locks ORDER BY source");
  return Object.fromEntries(rows.map(({ source, token }) => [String(source), Number(token)]));
}

/** A disk that stands still where a source (one letter) is listed first, until it may go on. */
function gatedDisk() {
  const gates = new Map<string, () => void>();
  const list: Files["list"] = async (folder, max) => {
    const name = folder.slice(folder.lastIndexOf("/") + 1);
    if (name.length === 1 && !gates.has(name)) await new Promise<void>((go) => gates.set(name, go));
    return disk.list(folder, max);
  };
  return { files: { list }, standing: () => [...gates.keys()], goOn: (name: string) => gates.get(name)?.() };
}

describe.each(["SQLite", "PostgreSQL"] as const)("IN-24: scheduled syncs on %s", (engine) => {
  test("two nodes on one store: each due source is synced once, and the audit says by whom", async () => {
    const home = await appHome(engine);
    const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
    await addDue(home, ...ids);
    const nodes = [await startNode(home), await startNode(home)];
    for (const { tick } of nodes) tick();
    await expect.poll(() => nodes.flatMap(({ synced }) => synced).toSorted()).toEqual(ids);
    for (const { tick } of nodes) tick();
    await Promise.all(nodes.map(({ schedule }) => schedule.stop()));
    expect(await syncsIn(home)).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
    expect(nodes.flatMap(({ failed }) => failed)).toEqual([]);
    const records = await nodes[0]?.app.kept.read.findAudit({ act: "source.synced", limit: 99 });
    expect(records?.map(({ by }) => by)).toEqual(ids.map(() => "machine:schedule"));
    const sources = await nodes[0]?.app.kept.read.listSources();
    expect(sources?.map(({ status }) => status)).toEqual(ids.map(() => "ok"));
  });

  test("again and again, each after its interval", async () => {
    const home = await appHome(engine);
    await addDue(home, "a");
    const node = await startNode(home);
    for (const times of [1, 2, 3]) {
      node.tick();
      await expect.poll(() => node.synced.length).toBe(times);
      home.clock.advance(hour);
    }
    await node.schedule.stop();
  });

  test("at most two at once; a third begins when one of them ends", async () => {
    const home = await appHome(engine);
    await addDue(home, "a", "b", "c");
    const { files, standing: standingInOrder, goOn } = gatedDisk();
    // Which of the two comes first to its disk is nobody's promise.
    const standing = () => standingInOrder().toSorted();
    const node = await startNode(home, files);
    node.tick();
    await expect.poll(standing).toEqual(["a", "b"]);
    // However often it looks.
    for (let look = 0; look < 5; look++) node.tick();
    await node.app.kept.transaction(async () => {});
    expect(standing()).toEqual(["a", "b"]);
    expect(await syncsIn(home)).toEqual({ a: 1, b: 1 });
    goOn("b");
    await expect.poll(standing).toEqual(["a", "b", "c"]);
    for (const name of ["a", "c"]) goOn(name);
    await expect.poll(() => node.synced.toSorted()).toEqual(["a", "b", "c"]);
    await node.schedule.stop();
  });
});

describe("IN-24: a schedule", () => {
  test("claims nothing where it is switched off", async () => {
    const home = await appHome();
    home.write(".config/skillward/config.yaml", "sync:\n  schedule: off\n");
    await addDue(home, "a");
    const node = await startNode(home);
    for (let look = 0; look < 3; look++) node.tick();
    await node.app.kept.transaction(async () => {});
    await node.schedule.stop();
    expect(await syncsIn(home)).toEqual({});
    expect(await node.app.kept.read.findSource("a")).toMatchObject({ status: "never", dueAt: home.clock.now() });
  });

  test("tells of a sync that failed, leaves it at the source, and goes on", async () => {
    const home = await appHome();
    await addDue(home, "a", "b");
    const list: Files["list"] = (folder, max) =>
      folder === home.path("a")
        ? Promise.reject(new AppError("disk.failed", "the disk is sick"))
        : disk.list(folder, max);
    const node = await startNode(home, { list });
    node.tick();
    await expect.poll(() => node.synced).toEqual(["b"]);
    await node.schedule.stop();
    expect(node.failed).toEqual([["a", expect.objectContaining({ code: "disk.failed" })]]);
    expect(await node.app.kept.read.findSource("a")).toMatchObject({ status: "error", error: "the disk is sick" });
  });

  test("tries a store that is away again, and tells of it once", async () => {
    const home = await appHome();
    await addDue(home, "a");
    let store: ReturnType<typeof leaving> | undefined;
    const node = await startNode(home, {}, (app) => {
      store = leaving(app);
      const { kept } = store.app;
      return { ...app, kept, sync: { ...app.sync, kept } };
    });
    store?.leave();
    for (const times of [1, 2, 3]) {
      node.tick();
      await expect.poll(() => node.failed.length).toBeGreaterThan(0);
      expect([times, node.failed]).toEqual([times, [[null, expect.any(Error)]]]);
    }
    store?.return();
    await expect.poll(() => (node.tick(), node.synced)).toEqual(["a"]);
    store?.leave();
    await expect.poll(() => (node.tick(), node.failed.length)).toBe(2);
    await node.schedule.stop();
  });

  test("that is stopped ends what runs, and leaves it due for the next one", async () => {
    const home = await appHome();
    await addDue(home, "a", "b", "c");
    const { files, standing, goOn } = gatedDisk();
    const node = await startNode(home, files);
    node.tick();
    await expect.poll(standing).toEqual(["a", "b"]);
    const stopped = node.schedule.stop();
    for (const name of ["a", "b"]) goOn(name);
    await stopped;
    node.tick();
    await node.app.kept.transaction(async () => {});
    expect([node.synced, node.failed, standing()]).toEqual([[], [], ["a", "b"]]);
    const sources = await node.app.kept.read.listSources();
    expect(sources.map(({ id, dueAt, status }) => [id, dueAt, status])).toEqual(
      ["a", "b", "c"].map((id) => [id, home.clock.now(), id === "c" ? "never" : "error"]),
    );
    expect(sources[0]?.error).toMatch(/^the server was stopped during this sync/);
    const next = await startNode(home);
    next.tick();
    await expect.poll(() => next.synced.toSorted()).toEqual(["a", "b", "c"]);
    await next.schedule.stop();
  });

  test("that is stopped does not wait for what does not end", async () => {
    const home = await appHome();
    await addDue(home, "a");
    const { files, standing, goOn } = gatedDisk();
    const node = await startNode(home, files);
    node.tick();
    await expect.poll(standing).toEqual(["a"]);
    const stopped = node.schedule.stop();
    node.tick();
    await stopped;
    goOn("a");
  });
});
