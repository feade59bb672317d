import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import type { FakeGitHub, FakeRepository, Fault, FaultKind } from "../../src/testing/github/script.ts";
import { tarHead } from "../../src/testing/github/tar.ts";
import { ada, currentOf, type RegistryFolder, say, skillText, statesIn } from "../support/registry.ts";
import { added, asked, noted, notSynced, remoteRegistry, synced } from "../support/remote.ts";
import { boundSeconds, hurriedTimer, requestsOf } from "./source-oracle.ts";
import { keptIn, sourceIn, wrongBytes } from "../support/source-real-git.ts";

interface Site {
  readonly github: FakeGitHub;
  readonly repository: FakeRepository;
  readonly folder: RegistryFolder;
  readonly app: App;
  readonly expire: () => void;
  /** The digest of `pdf` that was approved. */
  readonly approved: string;
  /** The commit that was pushed since. */
  readonly next: string;
}

/** Where files of one skill lie, and where those of many: so large a repository that few are fetched one by one. */
const noise = createHash("shake256", { outputLength: 1_500_000 }).update("noise").digest();

/** A source with an approved skill, and a newer commit that was not read yet: `files` of it have to be fetched. */
async function outdated(files: "one" | "few" | "many"): Promise<Site> {
  const timer = hurriedTimer();
  const { github, folder, app } = await remoteRegistry({ world: { timer } });
  const repository = await github.repository("acme/skills");
  await repository.push({ ...skill("pdf", 1), ...skill("xls", 1), ...(files === "few" ? { noise } : {}) });
  await added(app, "acme/skills", { onChange: "hold", maxSeconds: boundSeconds });
  await say(app, ada, "approve", "skills:skills/pdf");
  const approved = await currentOf(app, "skills:skills/pdf");
  const next = await repository.push({ ...skill("pdf", files === "one" ? 1 : 4, "Changed.\n"), "skills/xls": null });
  return { github, repository, folder, app, expire: () => timer.expire(), approved, next };
}

function skill(name: string, files: number, body = "Do it.\n"): Record<string, string> {
  const others = Array.from({ length: files - 1 }, (_, at) => [`skills/${name}/${at}.md`, `${at} ${body}`]);
  return { [`skills/${name}/SKILL.md`]: skillText(name, body), ...Object.fromEntries(others) };
}

function always(github: FakeGitHub, ...faults: readonly Fault[]): void {
  github.misbehave({ rate: 1, random: () => 0, faults });
}

async function expectApproved({ app, approved }: Site): Promise<void> {
  const { snapshot } = await app.registry.look();
  expect((await app.registry.use(snapshot, "skills:skills/pdf")).digest).toBe(approved);
}

async function expectRecovery({ github, app, next }: Site): Promise<void> {
  github.misbehave(null);
  github.release();
  expect(await synced(app, "skills")).toMatchObject({ status: "ok", updated: 1, orphaned: 1, pin: next });
  expect(await statesIn(app)).toEqual({ "skills:skills/pdf": "held", "skills:skills/xls": "orphaned" });
}

/** The questions of a sync, each with the files for which it is asked. */
const questions = [
  ["the repository", /^api \/repos\/acme\/skills$/, "one"],
  ["the commit", /^api .*\/commits\//, "one"],
  ["the tree", /^api .*\/git\/trees\//, "one"],
  ["how it stands to what was approved", /^api .*\/compare\//, "one"],
  ["one file", "raw", "one"],
  ["a few files", "raw", "few"],
  ["the tarball", "codeload", "many"],
] as const;

/** What is wrong with an answer, and what is said then. */
const lies: readonly (readonly [FaultKind, RegExp])[] = [
  ["swap-length", /^upstream\.unreachable$/],
  ["short-length", /^(?:upstream\.invalid|digest\.mismatch)$/],
  ["cut", /^upstream\.unreachable$/],
  ["bomb", /^(?:upstream\.invalid|digest\.mismatch)$/],
  ["endless", /^upstream\.invalid$/],
  ["not-json", /^(?:upstream\.invalid|digest\.mismatch)$/],
  [{ status: 200, body: new Uint8Array() }, /^(?:upstream\.invalid|digest\.mismatch)$/],
];

describe.each(questions)("T7: lies, floods and silence when asked for %s", (_name, on, files) => {
  // Where a repository says that it is unchanged there is no body: it is asked as if nothing were known of it.
  const repair = String(on).endsWith("skills$/");
  // Once its tree is known, the sync has come somewhere.
  const isBound = typeof on === "string" || String(on).includes("compare");

  test("they end, nothing is written, and what was approved stays in use", async () => {
    const site = await outdated(files);
    const before = keptIn(site.folder);
    for (const [how, code] of lies) {
      // All files of it may have come, and been proven, before that shows.
      if (on === "codeload" && how === "swap-length") continue;
      always(site.github, { on, how });
      const requests = await requestsOf(site.github, async () => {
        const { results } = await syncSources(site.app, ["skills"], { repair });
        expect([how, results]).toEqual([how, [expect.objectContaining({ status: "error" })]]);
        expect(results).toMatchObject([{ error: { code: expect.stringMatching(code) } }]);
      });
      // Three tries of a question; a tarball that breaks is begun three times.
      expect(requests).toBeLessThanOrEqual(4 + 4 * 3);
      expect([how, keptIn(site.folder)]).toEqual([how, before]);
      await expectApproved(site);
    }
    await expectRecovery(site);
  });

  test("they end at the deadline of the sync, however many bytes still come", async () => {
    const site = await outdated(files);
    const before = keptIn(site.folder);
    for (const how of ["stall", "drip"] as const) {
      silence(site, { on, how });
      const { results } = await syncSources(site.app, ["skills"], { repair });
      if (isBound) expectBound(site, results, before);
      else {
        expect(results).toMatchObject([{ status: "error", error: { code: "upstream.timeout" } }]);
        expect(keptIn(site.folder)).toEqual(before);
      }
      await expectApproved(site);
    }
    site.github.misbehave(null);
    expect(await synced(site.app, "skills")).toMatchObject({ status: "ok", updated: 1, pin: site.next });
  });
});

/** It begins, and then nothing comes, or one byte after the other; soon the time is up: after so many milliseconds. */
function silence({ github, expire }: Site, fault: Fault, soon = 20): void {
  let isFirst = true;
  const onTaken = () => {
    for (let byte = 0; byte < 50; byte++) setImmediate(() => fault.how === "drip" && github.release());
    if (isFirst) setTimeout(expire, soon);
    isFirst = false;
  };
  always(github, noted(fault, onTaken));
}

/** IN-16: what was not read until then stays as it is; what is gone is gone, and the next sync goes on from there. */
function expectBound({ folder, next }: Site, results: readonly unknown[], before: ReturnType<typeof keptIn>): void {
  expect(results).toMatchObject([{ status: "partial", updated: 0, pin: next, findings: [{ code: "walk.bounds" }] }]);
  const { blobs, revisions, provenance, history, ledger } = keptIn(folder);
  expect(before).toMatchObject({ blobs, revisions, provenance, history, ledger });
}

describe("T7: tarballs that are none", () => {
  const codeload = (body: Uint8Array) => ({ on: "codeload", how: { status: 200, body } }) as const;

  test.each([
    ["of 100,000 entries", () => gzipSync(manyEntries(100_000), { level: 0 }), / more than \d+ entries/],
    ["of one file that is said to have 8 GiB", () => gzipSync(tarHead("x/y", 2 ** 33 - 1)), / more than \d+ bytes/],
    ["that are no gzip", () => Buffer.alloc(5000, "x"), / not gzip/],
    ["that end in the middle", () => gzipSync(manyEntries(3)).subarray(0, 60), / is damaged/],
  ])("%s", async (_name, make, message) => {
    const site = await outdated("many");
    const before = keptIn(site.folder);
    always(site.github, codeload(make()));
    expect(await notSynced(site.app, "skills")).toEqual({
      code: "upstream.invalid",
      message: expect.stringMatching(message),
    });
    expect(keptIn(site.folder)).toEqual(before);
    await expectApproved(site);
    await expectRecovery(site);
  });
});

test("T7: of a tarball that ends before it said, what was proven by then counts, and nothing else", async () => {
  const site = await outdated("many");
  const before = keptIn(site.folder);
  always(site.github, { on: "codeload", how: "swap-length" });
  const requests = await requestsOf(site.github, async () => {
    const [result] = (await syncSources(site.app, ["skills"])).results;
    if (result?.status === "error") expect(keptIn(site.folder)).toEqual(before);
    else expect(result).toMatchObject({ status: "ok", updated: 1, orphaned: 1, pin: site.next });
  });
  expect(requests).toBeLessThanOrEqual(4 + 3 * 3);
  expect(await wrongBytes(site.app, "skills", site.repository)).toEqual([]);
  await expectApproved(site);
});

function manyEntries(count: number): Buffer {
  const head = tarHead("skills-x/empty", 0);
  return Buffer.concat(Array.from({ length: count }, () => head));
}

describe("T7: memory", () => {
  test("floods without end are never held, whoever sends them", async () => {
    const site = await outdated("many");
    const held = () => process.memoryUsage().arrayBuffers;
    const [start, seen] = [held(), [] as number[]];
    const looking = setInterval(() => void seen.push(held() - start), 1);
    for (const [, on] of questions) {
      always(site.github, { on, how: "endless" });
      await syncSources(site.app, ["skills"]);
    }
    clearInterval(looking);
    expect(seen.length).toBeGreaterThan(3);
    // A listing of files may have 64 MiB; what is sent and not read yet is the fake's.
    expect(Math.max(...seen) / 2 ** 20).toBeLessThan(160);
  });
});

describe("T8: storms", () => {
  const reset = Date.UTC(2026, 0, 1, 0, 30) / 1000;
  const limited = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) };
  const storms: readonly (readonly [string, FaultKind, string, number])[] = [
    ["403", { status: 403 }, "source.refused", 1],
    ["403 by the rate limit", { status: 403, headers: limited }, "source.limited", 1],
    ["403 with a wait", { status: 403, headers: { "retry-after": "60" } }, "source.limited", 1],
    ["429", { status: 429 }, "source.limited", 1],
    ["500", { status: 500 }, "upstream.unreachable", 3],
    ["502", { status: 502, body: "<html>" }, "upstream.unreachable", 3],
    ["503 with a wait", { status: 503, headers: { "retry-after": "60" } }, "upstream.unreachable", 3],
    ["404", { status: 404 }, "source.missing", 1],
    ["451", { status: 451 }, "source.missing", 1],
    ["a move for good", { redirect: 301, to: "https://elsewhere.example/" }, "source.frozen", 1],
    ["another redirect", { redirect: 302, to: "https://elsewhere.example/" }, "upstream.invalid", 1],
  ];

  test("of every kind, again and again: a few calls each, nothing is orphaned, nothing moves", async () => {
    const site = await outdated("one");
    const before = keptIn(site.folder);
    for (const [name, how, code, calls] of storms) {
      always(site.github, { how });
      for (let sync = 0; sync < 5; sync++) {
        const requests = await requestsOf(site.github, async () => {
          expect([name, (await notSynced(site.app, "skills")).code]).toEqual([name, code]);
        });
        expect([name, requests]).toEqual([name, calls]);
      }
      expect([name, keptIn(site.folder)]).toEqual([name, before]);
      await expectApproved(site);
    }
    await expectRecovery(site);
  });

  test("of 304: to who asked for news it is none; to who never heard anything it is no answer", async () => {
    const site = await outdated("one");
    const before = keptIn(site.folder);
    always(site.github, { how: { status: 304 } });
    for (let sync = 0; sync < 5; sync++) {
      const requests = await requestsOf(site.github, async () => {
        expect(await synced(site.app, "skills")).toMatchObject({ status: "ok", updated: 0, orphaned: 0, requests: 2 });
      });
      expect(requests).toBe(2);
    }
    expect(keptIn(site.folder)).toEqual(before);
    const { results } = await syncSources(site.app, ["skills"], { repair: true });
    expect(results).toMatchObject([{ status: "error", error: { code: "upstream.invalid" } }]);
    expect(keptIn(site.folder)).toEqual(before);
    for (const on of ["raw", /\/git\/trees\//] as const) {
      always(site.github, { on, how: { status: 304 } });
      expect((await notSynced(site.app, "skills")).code).toBe("upstream.invalid");
      expect(keptIn(site.folder)).toEqual(before);
    }
    await expectRecovery(site);
  });

  test.each([
    ["one", /\/commits\//],
    ["one", /\/git\/trees\//],
    ["one", "raw"],
    ["few", "raw"],
    ["many", "codeload"],
  ] as const)("IN-11: %s: what fails twice and then comes has come (%s)", async (files, on) => {
    const site = await outdated(files);
    for (const how of [{ status: 502 }, "cut"] as const) site.github.next({ on, how });
    const usual = files === "few" ? 8 : 5;
    expect(await synced(site.app, "skills")).toMatchObject({ status: "ok", updated: 1, requests: usual + 2 });
    await expectApproved(site);
  });
});

describe("IN-11: the rate limit", () => {
  test("says until when; what would only be refused is not asked", async () => {
    const site = await outdated("one");
    const { github, app, folder } = site;
    const before = keptIn(folder);
    const reset = folder.clock.now() / 1000 + 1800;
    // One for the commit; word that the repository is unchanged costs nothing.
    github.limit(1, reset);
    const since = github.requests.length;
    expect(await notSynced(app, "skills")).toEqual({
      code: "source.limited",
      message: expect.stringContaining("until 2026-01-01T00:30:00.000Z (in 30 minutes)"),
    });
    expect(asked(github, since)).toEqual([
      "api /repos/acme/skills",
      expect.stringMatching(/^api .*\/commits\/heads\/main/),
    ]);
    expect(keptIn(folder)).toEqual(before);
    expect(await sourceIn(app, "skills")).toMatchObject({
      status: "error",
      error: expect.stringContaining("until 2026-01-01T00:30:00.000Z"),
    });
    await expectApproved(site);
    folder.clock.advance(1_800_000);
    github.limit(null);
    await expectRecovery(site);
  });

  test("a wait that was asked for goes before the end of the window; without either, a minute is said", async () => {
    const { github, app } = await outdated("one");
    const headers = { "retry-after": "90", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767232800" };
    always(github, { how: { status: 403, headers } });
    expect((await notSynced(app, "skills")).message).toContain("until 2026-01-01T00:01:30.000Z (in 2 minutes)");
    always(github, { how: { status: 429 } });
    expect((await notSynced(app, "skills")).message).toContain("does not say until when, wait a minute at least");
  });

  test.each([
    ["a file", "few", "raw", { status: 429 }, "source.limited"],
    ["a file", "few", "raw", "flip", "digest.mismatch"],
    ["the tarball", "many", "codeload", { status: 403, headers: { "retry-after": "9" } }, "source.limited"],
  ] as const)("is not taken for %s that failed: %s by %s, %o", async (_what, files, on, how, code) => {
    const site = await outdated(files);
    const before = keptIn(site.folder);
    site.github.next({ on, how });
    expect((await notSynced(site.app, "skills")).code).toBe(code);
    expect(keptIn(site.folder)).toEqual(before);
    await expectRecovery(site);
  });

  test.each([
    [{ status: 429 }, "source.limited"],
    ["flip", "digest.mismatch"],
  ] as const)("is not taken for a bound when others stall until the time is up: %o", async (how, code) => {
    const site = await outdated("few");
    const before = keptIn(site.folder);
    // Long enough for the one answer that comes to be read, however busy the machine is.
    silence(site, { on: "raw", how: "stall" }, 2000);
    site.github.next({ on: "raw", how });
    expect((await notSynced(site.app, "skills")).code).toBe(code);
    expect(keptIn(site.folder)).toEqual(before);
    await expectApproved(site);
    await expectRecovery(site);
  });
});
