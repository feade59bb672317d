import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type App, openApp } from "../../src/app/app.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { parseChildren } from "../../src/sources/marketplace/children.ts";
import type { Source } from "../../src/sources/schema.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import type { FakeGitHub } from "../../src/testing/github/script.ts";
import { bundleChild } from "../support/bundle.ts";
import { makeSite, type Point, removeSite, runChild, type Site } from "../support/crash.ts";
import { checkSite, type Met, withDatabase } from "../support/crash-checks.ts";
import { type Random, seeded, shuffled } from "../support/crash-skills.ts";
import { placeOf, Publisher } from "./source-publisher.ts";
import { allow } from "../support/permits.ts";
import { noted } from "../support/remote.ts";
import { forRun } from "../support/long-run.ts";

/** Set another one to try other points. */
const seed = Number(process.env["CRASH_SEED"] ?? 20_261_115);
const child = bundleChild("test/sources/source-kill.child.ts");

/** How many kills, and in which act. */
const onNewStores = forRun({
  short: { "sync skills": 1, "sync market": 1 },
  long: { "sync skills": 3, "sync market": 2 },
});
const onOneStore = forRun({
  short: { add: 1, "sync skills": 1, "sync market": 2, approve: 1 },
  long: { add: 1, "sync skills": 6, "sync market": 6, approve: 3 },
});
const fromOutside = forRun({ short: 1, long: 4 });

/** Around a commit, and around what a sync writes: revisions, entries, where they come from, the source. */
const sharp = / (?:COMMIT|insert into (?:revisions|entries|provenance|sources|sync_locks))$/i;

type WithStore = typeof withDatabase;

const engines: [string, WithStore][] = [
  ["SQLite", (use) => use()],
  ["PostgreSQL", withDatabase],
];

/** For slow machines: nothing here is about time. */
const patience = { timeout: 300_000 };

describe.concurrent.each(engines)(
  "T42, invariant 9: kill -9 while remote sources sync, on %s",
  patience,
  (_, withStore) => {
    let listed: ReadonlyMap<string, readonly string[]> = new Map();
    beforeAll(async () => {
      listed = await onRemote(withStore, seeded(seed), async ({ site }) => {
        const { said } = await runChild(child(), site, { seed, rounds: 1 });
        return new Map(said.map(({ act = "", points = [] }) => [act, points]));
      });
    });

    it(`the first time (seed ${seed})`, async () => {
      const random = seeded(seed);
      const met = nothingYet();
      for (const point of choosePoints(listed, random, onNewStores))
        await onRemote(withStore, random, (remote) => killAt(remote, point, met));
      expect(met.kills).toBe(sum(onNewStores));
    });

    it(`again and again, while what is upstream changes (seed ${seed})`, async () => {
      const random = seeded(seed + 1);
      const met = nothingYet();
      await onRemote(withStore, random, async (remote) => {
        await runChild(child(), remote.site, { seed, rounds: 1 });
        for (const point of shuffled(choosePoints(listed, random, onOneStore), random))
          await killAt(remote, point, met);
      });
      expect(met.kills).toBe(sum(onOneStore));
      expect(met.stoppedSyncs).toBeGreaterThan(0);
      expect(met.usable).toBeGreaterThan(0);
    });

    it(`from outside, while it waits for an answer (seed ${seed})`, async () => {
      const random = seeded(seed + 2);
      const met = nothingYet();
      await onRemote(withStore, random, async (remote) => {
        // Killed before its first record, a store has nothing that could be lost, nor a checkpoint that says so.
        await runChild(child(), remote.site, { seed, rounds: 1 });
        for (let kill = 0; kill < fromOutside; kill++) await killAsking(remote, random, met);
      });
      expect(met.kills).toBe(fromOutside);
    });
  },
);

function sum(shares: Readonly<Record<string, number>>): number {
  return Object.values(shares).reduce((total, share) => total + share, 0);
}

function nothingYet(): Met {
  return { kills: 0, stoppedSyncs: 0, leftFiles: 0, usable: 0 };
}

/** A user's home, and a GitHub with what people publish there. */
interface Remote {
  readonly site: Site;
  readonly github: FakeGitHub;
  readonly publisher: Publisher;
}

async function onRemote<Result>(
  withStore: WithStore,
  random: Random,
  act: (remote: Remote) => Promise<Result>,
): Promise<Result> {
  const github = await startGitHub();
  const publisher = new Publisher(random);
  await publisher.start(github);
  try {
    return await withStore(async (url) => {
      const made = makeSite(url);
      const config = join(made.home, "..", "config.yaml");
      writeFileSync(config, github.configuration("here"));
      const site = { ...made, folders: [], environment: { ...made.environment, SKILLWARD_CONFIG: config } };
      return act({ site, github, publisher }).finally(() => removeSite(site));
    });
  } finally {
    await github.close();
  }
}

/** The sharp ones first, then any others: none of them twice. */
function choosePoints(
  listed: ReadonlyMap<string, readonly string[]>,
  random: Random,
  shares: Readonly<Record<string, number>>,
): Point[] {
  return Object.entries(shares).flatMap(([act, share]) => {
    const points = (listed.get(act) ?? []).map((name, index) => ({ act, point: index + 1, isSharp: sharp.test(name) }));
    const mixed = shuffled(points, random);
    const first = mixed.filter(({ isSharp }) => isSharp).slice(0, Math.ceil(share / 2));
    return [...first, ...mixed.filter((point) => !first.includes(point))].slice(0, share);
  });
}

async function killAt(remote: Remote, point: Point, met: Met): Promise<void> {
  const { publisher, site } = remote;
  for (const id of ["skills", "market"] as const) await publisher.change(id);
  const { said, signal } = await runChild(child(), site, { seed, rounds: 1, at: { ...point, fate: "die" } });
  if (signal === "SIGKILL") met.kills++;
  await checkAfter(said.at(-1)?.at ?? "no point at all", remote, met);
}

/** The answer to one of its requests never comes: it is killed while it waits. */
async function killAsking({ site, github, publisher }: Remote, random: Random, met: Met): Promise<void> {
  for (const id of ["skills", "market"] as const) await publisher.change(id);
  const last = github.requests.length + 1 + random(8);
  let killIt = () => {};
  const stall = noted({ how: "stall" }, () => killIt());
  github.misbehave({ rate: 0.5, random: () => (github.requests.length < last ? 0.9 : 0), faults: [stall] });
  const { signal } = await runChild(child(), site, { seed, rounds: 1 }, (_said, kill) => (killIt = kill));
  github.misbehave(null);
  if (signal === "SIGKILL") met.kills++;
  const { service, path } = github.requests.at(-1) ?? {};
  await checkAfter(`${service} ${path}`, { site, github, publisher }, met);
}

async function checkAfter(where: string, remote: Remote, met: Met): Promise<void> {
  try {
    await checkSite(remote.site, met);
    await checkRemote(remote);
  } catch (cause) {
    throw new Error(`after ${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** What was written stands together, no byte of it is wrong, and the next sync brings all of it to the present. */
async function checkRemote({ site, publisher }: Remote): Promise<void> {
  const app = await openApp(createWorld(), parseEnvironment(site.environment));
  try {
    await publisher.upstream.expectFaithful(app, placeOf);
    for (const source of await app.kept.read.listSources()) await checkPinned(app, source, publisher);
    for (const { id } of await app.kept.read.listSources()) {
      expect(await runSync(app.sync, allow(app.person), id)).toMatchObject({ status: "ok", pin: publisher.pin(id) });
      expect(await presentIn(app, id)).toEqual([...publisher.present(id).keys()].toSorted());
      const head = await app.kept.read.auditHead();
      expect(await runSync(app.sync, allow(app.person), id)).toMatchObject({ created: 0, updated: 0, orphaned: 0 });
      expect(await app.kept.read.auditHead()).toEqual(head);
    }
    await publisher.upstream.expectFaithful(app, placeOf);
  } finally {
    await app.close();
  }
}

async function presentIn({ registry }: App, source: string): Promise<string[]> {
  const entries = [...(await registry.look()).facts.entries.values()];
  return entries.flatMap((entry) => (entry.source === source && entry.present ? [entry.path] : [])).toSorted();
}

/** The entries are those of the commits that the source stands on; without a pin there are none. */
async function checkPinned(app: App, { id, pin, cursor }: Source, { upstream }: Publisher): Promise<void> {
  const of = (name: string, commit: string, start: string) => upstream.skills(name, commit).map((path) => start + path);
  const children = id === "market" ? parseChildren(cursor) : [];
  const elsewhere = children.flatMap(({ name, commit }) =>
    name === "here" || commit === null ? [] : of(`acme/${name}`, commit, `acme/${name}/`),
  );
  const own = pin === null ? [] : of(`acme/${id}`, pin, id === "market" ? "acme/market/" : "");
  expect(await presentIn(app, id)).toEqual([...own, ...elsewhere].toSorted());
}
