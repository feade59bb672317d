import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleChild } from "../support/bundle.ts";
import { type Ended, inTransaction, makeSite, type Point, removeSite, runChild, type Site } from "../support/crash.ts";
import { checkSite, type Met, withDatabase } from "../support/crash-checks.ts";
import { changeSkills, type Random, seeded, shuffled } from "../support/crash-skills.ts";
import { askPostgres, killPostgres } from "../support/crash-server.ts";
import { createDatabase, startPostgres } from "../support/postgres.mjs";
import { forRun } from "../support/long-run.ts";

/**
 * Before a release another one every time, so that more and more points are tried; to see a failure again, set the one in
 * its name.
 */
const seed = Number(process.env["CRASH_SEED"] ?? forRun({ short: 20_261_119, long: Date.now() % 1_000_000 }));
const child = bundleChild("test/store/crash.child.ts");

/** How many kills, and in which act. */
const onNewStores = forRun({ short: { open: 3, add: 1 }, long: { open: 12, add: 2 } });
const onOneStore = forRun({
  short: { sync: 3, approve: 2, withdraw: 1, block: 1, usage: 1 },
  long: { sync: 16, approve: 8, withdraw: 3, block: 2, usage: 3 },
});
const fromOutside = forRun({ short: 2, long: 6 });
const onConnections = forRun({ short: { open: 1, sync: 2, approve: 1 }, long: { open: 1, sync: 3, approve: 2 } });
const serverKills = forRun({ short: 1, long: 4 });

/** Around a commit, a file's writing and its taking its place. */
const aroundKeeping = / (?:COMMIT|write|rename|link)$/;

type WithStore = typeof withDatabase;

const engines: [string, WithStore][] = [
  ["SQLite", (use) => use()],
  ["PostgreSQL", withDatabase],
];

/** For slow machines: nothing here is about time. */
const patience = { timeout: 300_000 };

describe.concurrent.each(engines)("T42, invariant 9: kill -9 on %s", patience, (_engine, withStore) => {
  let listed: Ended["said"] = [];
  beforeAll(async () => {
    listed = await listPoints(withStore);
  });

  it("a power cut does not take the key file: its place is flushed before anything is signed with it", () => {
    const points = listed.find(({ act }) => act === "open")?.points ?? [];
    const places = ["after link", "after flush of a folder", "before insert into audit"].map((point) =>
      points.indexOf(point),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it(`while a store is made (seed ${seed})`, async () => {
    const random = seeded(seed);
    const met = nothingYet();
    for (const point of choosePoints(listed, random, onNewStores))
      await onSite(withStore, random, (site) => killAt(site, point, random, met));
    expect(met.kills).toBe(sum(onNewStores));
    expect(met.leftFiles).toBeGreaterThan(0);
  });

  it(`in sync and decide (seed ${seed})`, async () => {
    const random = seeded(seed + 1);
    const met = nothingYet();
    await onSite(withStore, random, async (site) => {
      await runChild(child(), site, { seed, rounds: 1 });
      for (const point of choosePoints(listed, random, onOneStore)) await killAt(site, point, random, met);
    });
    expect(met.kills).toBe(sum(onOneStore));
    for (const times of Object.values(met)) expect(times).toBeGreaterThan(0);
  });

  it(`at moments nobody chose (seed ${seed})`, async () => {
    const random = seeded(seed + 2);
    const met = nothingYet();
    await onSite(withStore, random, async (site) => {
      for (let kill = 0; kill < fromOutside; kill++) await killSoon(site, random, met);
    });
    expect(met.kills).toBe(fromOutside);
  });
});

describe.concurrent("invariant 9: PostgreSQL itself", patience, () => {
  it(`loses its connections in the middle, and what failed is done again (seed ${seed})`, async () => {
    const random = seeded(seed + 3);
    const listed = await listPoints(withDatabase);
    const chosen = choosePoints(listed, random, onConnections, inTransaction);
    // Every sync has a transaction behind its first point: at least this one is lost.
    const points = [...chosen, { act: "sync", point: 1 }];
    let failed = 0;
    await onSite(withDatabase, random, async (site) => {
      for (const point of points) failed += await cutAt(site, point, random);
    });
    expect(failed).toBeGreaterThan(0);
  });

  it(`is killed as a whole, and starts again (seed ${seed})`, async () => {
    const random = seeded(seed + 4);
    const server = await startPostgres({ durable: true, restarts: true });
    const url = await createDatabase(server.url);
    // So set up, it says that a change is kept before it is.
    await askPostgres(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
    const site = makeSite(url);
    try {
      for (let kill = 0; kill < serverKills; kill++) expect(await killServer(site, url, random)).toContain("store");
    } finally {
      removeSite(site);
      await server.stop();
    }
  });
});

function sum(shares: Readonly<Record<string, number>>): number {
  return Object.values(shares).reduce((total, share) => total + share, 0);
}

function nothingYet(): Met {
  return { kills: 0, stoppedSyncs: 0, leftFiles: 0, usable: 0 };
}

function onSite<Result>(withStore: WithStore, random: Random, act: (site: Site) => Promise<Result>): Promise<Result> {
  return withStore(async (url) => {
    const site = makeSite(url);
    for (const folder of site.folders) changeSkills(folder, random);
    return act(site).finally(() => removeSite(site));
  });
}

/** Every point of every act, from a run that nobody disturbs. */
async function listPoints(withStore: WithStore): Promise<Ended["said"]> {
  const { said } = await onSite(withStore, seeded(seed), (site) => runChild(child(), site, { seed, rounds: 1 }));
  return said;
}

/** The sharp ones first, then any others: none of them twice. */
function choosePoints(
  listed: Ended["said"],
  random: Random,
  shares: Readonly<Record<string, number>>,
  sharp = aroundKeeping,
): Point[] {
  return Object.entries(shares).flatMap(([act, share]) => {
    const names = listed.find((each) => each.act === act)?.points ?? [];
    const points = names.map((name, index) => ({
      act,
      point: index + 1,
      isSharp: sharp.test(name),
    }));
    const inOrder = shuffled(points, random).toSorted((a, b) => Number(b.isSharp) - Number(a.isSharp));
    return inOrder.slice(0, share);
  });
}

async function killAt(site: Site, point: Point, random: Random, met: Met): Promise<void> {
  for (const folder of site.folders) changeSkills(folder, random);
  const order = { seed: random(2 ** 31), rounds: 1, at: { ...point, fate: "die" } } as const;
  const { said, signal } = await runChild(child(), site, order);
  if (signal === "SIGKILL") met.kills++;
  await checkAfter(said.at(-1)?.at ?? "no point at all", site, met);
}

/** From outside: then the process is wherever it happens to be, also in the middle of a call of the system. */
async function killSoon(site: Site, random: Random, met: Met): Promise<void> {
  let acts = random(14);
  const milliseconds = random(30);
  const order = { seed: random(2 ** 31), rounds: 1000 };
  const { said, signal } = await runChild(child(), site, order, (_said, kill) => {
    if (acts-- === 0) setTimeout(kill, milliseconds);
  });
  if (signal === "SIGKILL") met.kills++;
  await checkAfter(`${milliseconds} ms after ${said.at(-1)?.act}`, site, met);
}

async function cutAt(site: Site, point: Point, random: Random): Promise<number> {
  for (const folder of site.folders) changeSkills(folder, random);
  const order = { seed: random(2 ** 31), rounds: 1, isStubborn: true, at: { ...point, fate: "cut" } } as const;
  const { said, signal } = await runChild(child(), site, order);
  expect(signal).toBeNull();
  const where = said.find(({ at }) => at !== undefined)?.at ?? "no point at all";
  await checkAfter(where, site, nothingYet());
  const failed = said.filter((each) => each.failed !== undefined).length;
  if (!where.endsWith("its end")) expect({ where, failed }).toEqual({ where, failed: 1 });
  return failed;
}

/** While a child works: it fails, waits until the server is back, and does what it was at. */
async function killServer(site: Site, url: string, random: Random): Promise<string> {
  for (const folder of site.folders) changeSkills(folder, random);
  let acts = random(14);
  const milliseconds = random(20);
  let hasFailed = false;
  const order = { seed: random(2 ** 31), rounds: 1000, isStubborn: true };
  let killing: Promise<unknown> = Promise.resolve();
  const killOnce = async () => {
    await sleep(milliseconds);
    await killPostgres(url);
    acts = 14;
  };
  const { said } = await runChild(child(), site, order, ({ act, failed }, kill) => {
    hasFailed ||= failed !== undefined;
    // Back before anybody asked it anything, the server was not missed: it is killed once more.
    if (!hasFailed && acts-- === 0) {
      killing = killOnce();
      // It is awaited below, when the child has ended.
      killing.catch(() => {});
    }
    if (hasFailed && act !== undefined) kill();
  });
  await killing;
  const where = said.find(({ failed }) => failed !== undefined)?.failed ?? "";
  await checkAfter(where, site, nothingYet());
  return where;
}

async function checkAfter(where: string, site: Site, met: Met): Promise<void> {
  try {
    await checkSite(site, met);
  } catch (cause) {
    throw new Error(`after ${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
