import { describe, expect, onTestFinished, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import type { App } from "../../src/app/app.ts";
import { type Schedule, startSchedule } from "../../src/features/sources/schedule.ts";
import type { World } from "../../src/app/world/world.ts";
import type { Timer } from "../../src/core/world.ts";
import type { Holders } from "../../src/registry/sync/lock.ts";
import { listSources } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import type { FakeGitHub, FakeRepository } from "../../src/testing/github/script.ts";
import { type AppHome, appHome } from "../support/app-home.ts";
import { bundleChild, endChildrenAfterEach, startChild } from "../support/bundle.ts";
import { laterRefusal } from "../support/refusal.ts";
import { ada, realWorld, skillText } from "../support/registry.ts";
import { skillFiles, stalled } from "../support/remote.ts";
import { hastyTimer } from "../support/source-real-git.ts";
import type { EngineName } from "../support/store-at.ts";
import { forRun } from "../support/long-run.ts";
import { allow } from "../support/permits.ts";

const child = bundleChild("test/sources/source-nodes.child.ts");
endChildrenAfterEach();

interface Shared {
  readonly github: FakeGitHub;
  readonly home: AppHome;
  readonly repository: FakeRepository;
  /** Opens the store as one more node would. */
  readonly open: (world?: Partial<World>) => Promise<App>;
}

/** One store, and one source in it that was never synced. */
async function shared(engine: EngineName): Promise<Shared> {
  const github = await startGitHub();
  onTestFinished(() => github.close());
  const home = await appHome(engine);
  home.write(".config/skillward/config.yaml", github.configuration("here"));
  const repository = await github.repository("acme/skills");
  await repository.push(skillFiles(["pdf", "xls"]));
  const open = (world: Partial<World> = {}) => home.open({ timer: hastyTimer, ...world });
  const app = await open();
  await addSource(app, "acme/skills", { sync: false });
  await app.close();
  return { github, home, repository, open };
}

const facts = /^api \/repos\/acme\/skills$/;
const tarball = /^codeload /;
const running = "sync.running a sync of skills is running; wait for it to end";

function sync(app: App): Promise<unknown> {
  return runSync(app.sync, allow(ada), "skills");
}

/** Done when it was counted so often. */
function countdown(from: number): { readonly done: Promise<void>; count(): void } {
  let [left, end]: [number, () => void] = [from, () => {}];
  const done = new Promise<void>((resolve) => (end = resolve));
  return { done, count: () => (--left === 0 ? end() : undefined) };
}

/** A node on another machine: whether it still runs nobody here can know. */
function elsewhere(name: string): Holders {
  let count = 0;
  return { self: name, begin: () => ({ name: `${name}:1:${++count}`, end: () => {} }), mayRun: () => true };
}

/** What the last one who wrote has left; revisions are nobody's until an entry names them. */
async function written(home: AppHome): Promise<Record<string, unknown>> {
  const tables = ["entries", "provenance", "sources", "sync_locks", "ledger", "entry_revisions", "audit"];
  const rows = await Promise.all(tables.map(async (table) => [table, await home.sql(`SELECT * FROM ${table}`)]));
  return Object.fromEntries(rows);
}

/** How many syncs at once. */
const crowd = { SQLite: 1000, PostgreSQL: forRun({ short: 250, long: 1000 }) };

describe.each(["SQLite", "PostgreSQL"] as const)("IN-15: several nodes on %s", (engine) => {
  test("two sync one source at the same time: one fetches, the other is refused and asks for nothing", async () => {
    const { github, home, open } = await shared(engine);
    const [one, two] = [await open(), await open()];
    const since = github.requests.length;
    const waiting = stalled(github, facts);
    const first = sync(one);
    await waiting;
    expect(await laterRefusal(() => sync(two))).toBe(running);
    expect(github.requests.length - since).toBe(1);
    expect((await listSources(two.sync, allow(ada, "read")))[0]).toMatchObject({ status: "syncing", error: null });
    github.release();
    expect(await first).toMatchObject({ status: "ok", created: 2, requests: 4 });
    expect(github.requests.length - since).toBe(4);
    expect(await sync(two)).toMatchObject({ status: "ok", created: 0, unchanged: 2, requests: 2 });
    expect(await home.sql("SELECT holder FROM sync_locks")).toEqual([{ holder: "" }]);
  });

  test(`T41: of ${crowd[engine]} syncs at once one fetches, all others are refused with the fixed message`, async () => {
    const { github, open } = await shared(engine);
    const [one, two] = [await open(), await open()];
    const since = github.requests.length;
    const waiting = stalled(github, facts);
    const refused = countdown(crowd[engine] - 1);
    const all = Array.from({ length: crowd[engine] }, async (_, number) => {
      const said = await laterRefusal(() => sync(number % 2 === 0 ? one : two));
      refused.count();
      return said;
    });
    // The one that fetches has to wait for its answer until all the others were refused.
    await Promise.all([waiting, refused.done]);
    github.release();
    const said = await Promise.all(all);
    expect(said.filter((each) => each === running)).toHaveLength(crowd[engine] - 1);
    expect(said.filter((each) => each === "not refused")).toHaveLength(1);
    expect(github.requests.length - since).toBe(4);
  });

  test("a process that was killed holds nothing: another takes over at once, and meanwhile it shows as an error", async () => {
    const { github, home, open } = await shared(engine);
    const app = await open();
    const waiting = stalled(github, tarball);
    const node = startChild(child(), { environment: home.environment, now: home.clock.now() });
    await waiting;
    expect(await laterRefusal(() => sync(app))).toBe(running);
    node.kill("SIGKILL");
    expect(await node.ended).toBe("SIGKILL");
    expect((await listSources(app.sync, allow(ada, "read")))[0]).toMatchObject({
      status: "error",
      error: "the last sync stopped before its end; run `skillward source sync skills` again",
    });
    expect(await sync(app)).toMatchObject({ status: "ok", created: 2 });
  });

  test("a node of another machine that says nothing is waited for, 180 seconds, and then no more", async () => {
    const { github, home, open } = await shared(engine);
    const [away, here] = [await open({ holders: elsewhere("away") }), await open()];
    const waiting = stalled(github, facts);
    const lost = laterRefusal(() => sync(away));
    await waiting;
    home.clock.advance(180_000);
    expect(await laterRefusal(() => sync(here))).toBe(running);
    home.clock.advance(1);
    expect(await sync(here)).toMatchObject({ status: "ok", created: 2 });
    const after = await written(home);
    github.release();
    expect(await lost).toMatch(/^sync\.superseded another sync of skills took over; nothing of this one was written$/);
    expect(await written(home)).toEqual(after);
  });

  test.each([
    ["before it knows the commit", facts],
    ["while it reads files", tarball],
  ])("the fence: who stalls %s cannot write late, nor undo what came after", async (_when, on) => {
    const { github, home, repository, open } = await shared(engine);
    const [away, here] = [await open({ holders: elsewhere("away") }), await open()];
    const waiting = stalled(github, on);
    const late = laterRefusal(() => sync(away));
    await waiting;
    const next = await repository.push({
      "skills/pdf/SKILL.md": skillText("pdf", "Newer.\n"),
      "skills/xls": null,
      ...skillFiles(["doc"]),
    });
    home.clock.advance(180_001);
    expect(await sync(here)).toMatchObject({ status: "ok", created: 2, pin: next });
    const after = await written(home);
    github.release();
    expect(await late).toMatch(/^sync\.superseded /);
    expect(await written(home)).toEqual(after);
    const entries = await here.kept.read.listEntries({ source: "skills", after: "", limit: 9 });
    expect(entries.map(({ path, present, commit }) => [path, present, commit])).toEqual([
      ["skills/doc", true, next],
      ["skills/pdf", true, next],
    ]);
    expect(await here.kept.read.findSource("skills")).toMatchObject({ status: "ok", error: null, pin: next });
    expect(await sync(here)).toMatchObject({ status: "ok", unchanged: 2, requests: 2 });
  });

  test("who goes on beats, and is not taken over however long it takes", async () => {
    const { github, home, repository, open } = await shared(engine);
    const names = ["a", "b", "c", "d"];
    for (const name of names) await github.repository(`acme/${name}`).then((each) => each.push(skillFiles([name])));
    const plugins = names.map((name) => ({ name, source: { source: "github", repo: `acme/${name}` } }));
    const index = JSON.stringify({ name: "acme", owner: { name: "Acme" }, plugins });
    await repository.push({ ".claude-plugin/marketplace.json": index });
    const [away, here] = [await open({ holders: elsewhere("away") }), await open()];
    await addSource(here, "acme/skills", { id: "market", kind: "marketplace", ref: "main", sync: false });
    const stalls = names.map((name) => stalled(github, new RegExp(`^api /repos/acme/${name}$`)));
    const long = runSync(away.sync, allow(ada), "market");
    for (const stall of stalls) {
      await stall;
      home.clock.advance(170_000);
      expect(await laterRefusal(() => runSync(here.sync, allow(ada), "market"))).toMatch(/^sync\.running /);
      github.release();
    }
    expect(await long).toMatchObject({ status: "ok", created: 4 });
  });
});

/** A node that looks for what is due when the test says so. */
async function startNode(open: Shared["open"], synced: string[]): Promise<{ schedule: Schedule; look: () => void }> {
  const looks: (() => void)[] = [];
  const timer: Timer = {
    ...hastyTimer,
    every(milliseconds, act) {
      if (milliseconds !== 15_000) return realWorld.timer.every(milliseconds, act);
      looks.push(act);
      return { stop: () => {} };
    },
  };
  const events = {
    onSynced: ({ source }: { readonly source: string }) => void synced.push(source),
    onFailure: (source: string | null, error: unknown) => void synced.push(`${source} failed: ${String(error)}`),
  };
  return { schedule: startSchedule(await open({ timer }), events), look: () => looks.forEach((act) => act()) };
}

describe.each(["SQLite", "PostgreSQL"] as const)("IN-24: scheduled syncs of remote sources on %s", (engine) => {
  test("two nodes and many sources: each is fetched once for each time that it is due", async () => {
    const { github, home, open } = await shared(engine);
    const names = Array.from({ length: forRun({ short: 6, long: 12 }) }, (_, number) => `r${number}`);
    const app = await open();
    for (const name of names) {
      await (await github.repository(`acme/${name}`)).push(skillFiles([name]));
      await addSource(app, `acme/${name}`, { id: name, interval: 600, sync: false });
    }
    const synced: string[] = [];
    const nodes = [await startNode(open, synced), await startNode(open, synced)];
    for (const times of [1, 2, 3]) {
      const since = github.requests.length;
      // However often they look.
      for (const { look } of [...nodes, ...nodes]) look();
      await expect.poll(() => synced.length).toBe(names.length * times);
      for (const { look } of nodes) look();
      await app.kept.transaction(async () => {});
      expect(synced.slice(-names.length).toSorted()).toEqual(names.toSorted());
      const asked = github.requests.slice(since).map(({ path }) => path);
      expect(asked.filter((path) => /^\/repos\/acme\/r\d+$/.test(path)).toSorted()).toEqual(
        names.map((name) => `/repos/acme/${name}`).toSorted(),
      );
      home.clock.advance(700_000);
    }
    await Promise.all(nodes.map(({ schedule }) => schedule.stop()));
    expect(synced).toHaveLength(names.length * 3);
  });

  test("IN-11: a source that was limited is not asked for again before the limit is over", async () => {
    const { github, home, open } = await shared(engine);
    const app = await open();
    await (await github.repository("acme/due")).push(skillFiles(["due"]));
    await addSource(app, "acme/due", { id: "due", interval: 60, sync: false });
    github.limit(0, home.clock.now() / 1000 + 3600);
    const synced: string[] = [];
    const node = await startNode(open, synced);
    const since = github.requests.length;
    node.look();
    await expect.poll(() => synced).toEqual([expect.stringMatching(/^due failed: .*until 2026-01-01T01:00:00/)]);
    for (let minute = 0; minute < 50; minute++) {
      home.clock.advance(60_000);
      node.look();
      await app.kept.transaction(async () => {});
    }
    expect(github.requests.length - since).toBe(1);
    github.limit(null);
    home.clock.advance(12 * 60_000);
    // Two looks at most run at once: while those of before still do, one more is none.
    const lookAgain = () => {
      node.look();
      return synced.at(-1);
    };
    await expect.poll(lookAgain).toBe("due");
    await node.schedule.stop();
  });
});
