import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import { setSource } from "../../src/features/sources/flow.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import type { FakeGitHub } from "../../src/testing/github/script.ts";
import { createModel, pushModel } from "./marketplace-model.ts";
import { registryFolder, statesIn } from "../support/registry.ts";
import { added, synced } from "../support/remote.ts";
import { forRun } from "../support/long-run.ts";
import type { SyncResult } from "../../src/registry/schema.ts";

const model = createModel(286, { share: forRun({ short: 1 / 3, long: 1 }) });
const { market, plugins } = model;

/** What every skill must be called, with the commit that it must be at. */
let wanted: ReadonlyMap<string, string>;
let github: FakeGitHub;

beforeAll(async () => {
  github = await startGitHub();
  const { pins } = await pushModel(github, model);
  wanted = new Map(
    plugins.flatMap(({ name, repository, skills }) =>
      skills.map((skill) => [`official:${repository}/${skill}`, pins.get(name) ?? ""] as const),
    ),
  );
});
afterAll(() => github.close());

async function registry() {
  const folder = registryFolder({ config: github.configuration("here") });
  return { folder, app: await folder.open() };
}

/** What a registry holds of the marketplace, without when it was read. */
async function heldIn({ kept }: App) {
  const entries = await kept.read.listEntries({ source: "official", after: "", limit: 5000 });
  const source = await kept.read.findSource("official");
  return {
    entries: entries.map(({ id, current, commit, repositoryId, present }) => ({
      id,
      current,
      commit,
      repositoryId,
      present,
    })),
    source: { pin: source?.pin, cursor: source?.cursor, remote: source?.remote, status: source?.status },
  };
}

function outcomes({ children }: SyncResult): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of children ?? []) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Repositories other than the marketplace's own that were asked since a moment. */
function childrenAsked(since: number): Set<string> {
  const names = github.requests
    .slice(since)
    .map(({ path }) => /^\/(?:repos\/)?([^/]+\/[^/?]+)/.exec(path)?.[1] ?? path);
  return new Set(names.filter((name) => name !== market));
}

/** All of it at one go; read once for all tests. */
async function readWhole() {
  const { app } = await registry();
  const before = github.requests.length;
  const first = await added(app, market, { include: ["*"] });
  const asked = apiRequests(before);
  const held = await heldIn(app);
  return { first, asked, held, states: await statesIn(app), again: await synced(app, "official") };
}

let whole: ReturnType<typeof readWhole> | undefined;

/** Those that were answered, by the service that counts them. */
function apiRequests(since: number): number {
  return github.requests.slice(since).filter(({ service, status }) => service === "api" && status === 200).length;
}

test("IN-14: the mix of the official marketplace is read to its end, and costs two requests from then on", async () => {
  const { first, asked, held, states, again } = await (whole ??= readWhole());
  expect([first.status, outcomes(first), first.created]).toEqual(["ok", { read: plugins.length }, wanted.size]);
  expect(first.findings).toEqual([]);
  expect(new Map(held.entries.map(({ id, commit }) => [id, commit]))).toEqual(wanted);
  expect(new Set(Object.values(states))).toEqual(new Set(["new"]));
  expect(again).toMatchObject({ status: "ok", requests: 2, created: 0, unchanged: wanted.size, orphaned: 0 });
  // Ids, commit, head and tree of each repository, a comparison where its head went on, and the marketplace's own; once
  // more of the one whose plugins do not all name the same ref.
  const repositories = model.repositories.size - 1;
  expect(asked).toBeLessThanOrEqual(repositories * 4 + Math.ceil(repositories / 8) + 4 + 4);
});

test("IN-14: nobody picked of so many: all are listed with their pins, and no repository of theirs is asked", async () => {
  const { app } = await registry();
  const before = github.requests.length;
  const listed = await added(app, market);
  expect([listed.status, outcomes(listed), listed.created]).toEqual(["ok", { listed: plugins.length }, 0]);
  expect(listed.children?.filter(({ commit }) => !/^[0-9a-f]{40}$/.test(commit ?? ""))).toEqual([]);
  expect([...childrenAsked(before)]).toEqual([]);
  const picked = plugins.find(({ form }) => form === "git-subdir+sha");
  await setSource(app, "official", { include: [picked?.name ?? ""] });
  const one = await synced(app, "official");
  expect([one.created, outcomes(one)]).toEqual([picked?.skills.length, { listed: plugins.length - 1, read: 1 }]);
  expect([...childrenAsked(before)]).toEqual([picked?.repository]);
});

test("IN-11, IN-14: stopped by the rate limit again and again, it goes on where it stopped, and ends the same", async () => {
  const straight = await (whole ??= readWhole());
  const { app, folder } = await registry();
  const resetIn = 3600;
  const start = github.requests.length;
  let [syncs, complete]: [number, Set<string>] = [0, new Set()];
  let result: SyncResult | undefined;
  while (result === undefined || result.status === "partial") {
    const before = github.requests.length;
    const resetAt = folder.clock.now() / 1000 + resetIn;
    github.limit(80, resetAt);
    result = result === undefined ? await added(app, market, { include: ["*"] }) : await synced(app, "official");
    syncs++;
    const limited = result.findings.filter(({ code }) => code === "source.limited");
    expect(limited).toHaveLength(result.status === "partial" ? 1 : 0);
    if (result.status === "partial") expect(limited[0]?.message).toContain(new Date(resetAt * 1000).toISOString());
    expect(result.orphaned).toBe(0);
    // Nothing is asked again of a repository whose plugins were all read.
    expect([...childrenAsked(before)].filter((name) => complete.has(name))).toEqual([]);
    const open = new Set(result.children?.filter(({ outcome }) => outcome !== "read").map(({ name }) => name));
    const waiting = new Set(plugins.filter(({ name }) => open.has(name)).map(({ repository }) => repository));
    complete = new Set([...model.repositories.keys()].filter((name) => !waiting.has(name)));
    expect(syncs).toBeLessThan(30);
    folder.clock.advance(resetIn * 1000);
  }
  github.limit(null);
  // Each stop costs what was asked in vain of the one plugin it struck, and the marketplace's own requests again.
  expect(apiRequests(start)).toBeLessThanOrEqual(straight.asked + (syncs - 1) * (3 + 4));
  expect(outcomes(result)).toEqual({ read: plugins.length });
  expect(await heldIn(app)).toEqual(straight.held);
  const again = await synced(app, "official");
  expect(again).toMatchObject({ status: "ok", requests: 2, unchanged: wanted.size, orphaned: 0 });
});
