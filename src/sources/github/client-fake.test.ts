import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { at, clientOf, hostsOf } from "../../../test/support/github-client.ts";
import { read } from "../../../test/support/loopback.ts";
import { laterRefusal } from "../../../test/support/refusal.ts";
import { AppError } from "../../core/error.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { startGitHub } from "../../testing/github/github.ts";
import type { FakeGitHub } from "../../testing/github/script.ts";
import { blobId } from "../git/git.ts";

const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
const start = Date.UTC(2026, 0, 1);

let fake: FakeGitHub;
beforeAll(async () => {
  fake = await startGitHub();
});
afterAll(() => fake.close());
afterEach(() => {
  fake.misbehave(null);
  fake.limit(null);
});

async function pushed(name: string, options: Parameters<FakeGitHub["repository"]>[1] = {}) {
  const remote = await fake.repository(name, options);
  const commit = await remote.push({ "a/SKILL.md": "one", "a/ü #%.txt": "odd name" });
  return { remote, commit, repository: at(hostsOf(fake), name) };
}

function client(options: Parameters<typeof clientOf>[1] = {}) {
  return clientOf([hostsOf(fake)], options);
}

describe("IN-7: bytes are asked for by commit", () => {
  test("a file with any name, and all of them in a tarball; what comes is counted", async () => {
    const { repository, commit } = await pushed("acme/bytes");
    const { github } = client();
    expect(Buffer.from(await github.file(repository, commit, "a/ü #%.txt", 99)).toString()).toBe("odd name");
    expect(github.spent).toEqual({ requests: 1, apiRequests: 0, bytes: 8, left: null });
    const tarball = await read(await github.tarball(repository, commit));
    expect(tarball.subarray(0, 2).toString("hex")).toBe("1f8b");
    expect(github.spent).toMatchObject({ requests: 2, apiRequests: 0, bytes: 8 + tarball.length });
    expect(fake.requests.slice(-2).map(({ path }) => path)).toEqual([
      `/acme/bytes/${commit}/a/%C3%BC%20%23%25.txt`,
      `/acme/bytes/tar.gz/${commit}`,
    ]);
  });

  test("T2: no file is asked for whose path leads elsewhere", async () => {
    const { repository, commit } = await pushed("acme/paths");
    const { github } = client();
    const before = fake.requests.length;
    for (const path of ["../../../../other/x", "a/../../x", "%2e%2e/x", "a\\b", "", "a//b"])
      expect(await laterRefusal(() => github.file(repository, commit, path, 99))).toMatch(/^egress\.refused /);
    expect([fake.requests.length, github.spent.requests]).toEqual([before, 0]);
  });

  test("who stops reading a tarball ends it, and who reads a broken one is told", async () => {
    const { remote, repository } = await pushed("acme/broken");
    const noise = createHash("shake256", { outputLength: 300_000 }).update("x").digest();
    const commit = await remote.push({ noise });
    const { github } = client();
    fake.next({ on: "codeload", how: "endless" });
    const endless = await github.tarball(repository, commit);
    for await (const _ of endless) break;
    expect(endless.destroyed).toBe(true);
    fake.next({ on: "codeload", how: "cut" });
    const cut = await github.tarball(repository, commit);
    await expect(read(cut)).rejects.toMatchObject({ code: "upstream.unreachable" });
  });

  test("the signal ends what is under way", async () => {
    const { repository, commit } = await pushed("acme/stalls");
    const stop = new AbortController();
    const { github } = client({ signal: stop.signal });
    fake.misbehave({ rate: 1, random: () => 0, faults: [{ how: "stall" }] });
    const asked = [github.facts(repository, null), github.file(repository, commit, "a/SKILL.md", 99)];
    const tarball = read(await github.tarball(repository, commit));
    stop.abort(new Error("time is up"));
    for (const each of [...asked, tarball]) await expect(each).rejects.toThrow("time is up");
  });
});

describe("T7, T13: bodies that misbehave", () => {
  test.each(["endless", "bomb"] as const)("%s ends at the cap, asked for once", async (how) => {
    const { repository, commit } = await pushed(`acme/${how}`);
    const { github } = client();
    const before = fake.requests.length;
    fake.misbehave({ rate: 1, random: () => 0, faults: [{ how }] });
    expect(await laterRefusal(() => github.facts(repository, null))).toMatch(/^upstream\.invalid /);
    expect(await laterRefusal(() => github.file(repository, commit, "a/SKILL.md", 99))).toMatch(/^upstream\.invalid /);
    expect(fake.requests).toHaveLength(before + 2);
    expect(github.spent.bytes).toBeLessThan(4 * 2 ** 20);
  });

  test.each(["cut", "swap-length"] as const)("%s is tried again", async (how) => {
    const { repository, commit } = await pushed(`acme/${how}`);
    const { github } = client();
    fake.next({ on: "api", how });
    fake.next({ on: "raw", how });
    expect(await github.facts(repository, null)).toMatchObject({ facts: { defaultBranch: "main" } });
    expect(Buffer.from(await github.file(repository, commit, "a/SKILL.md", 99)).toString()).toBe("one");
    expect(github.spent.requests).toBe(4);
  });

  test("a flipped byte of a file is handed on, and found out by its hash", async () => {
    const { remote, repository, commit } = await pushed("acme/flip");
    const { github } = client();
    remote.tamper("a/SKILL.md");
    const bytes = await github.file(repository, commit, "a/SKILL.md", 99);
    expect(blobId(bytes)).not.toBe(blobId(Buffer.from("one")));
    expect(github.spent.requests).toBe(1);
  });

  test("a page for people is no answer", async () => {
    const { repository, commit } = await pushed("acme/page");
    const { github } = client();
    fake.next({ on: "api", how: "not-json" });
    const ask = () => github.commit(repository, { kind: "commit", id: commit }, null);
    expect(await laterRefusal(ask)).toMatch(/^upstream\.invalid .*not JSON/);
  });
});

describe("T9: what each service sees of the token", () => {
  test("each service of the repository it is for, and no service of another", async () => {
    const mine = await pushed("acme/private", { private: { token: secret } });
    const other = await pushed("other/child");
    const { github } = client({ token: { secret, isFor: ({ owner }) => owner === "acme" } });
    const before = fake.requests.length;
    for (const { repository, commit } of [mine, other]) {
      await github.facts(repository, null);
      await github.file(repository, commit, "a/SKILL.md", 99);
      await read(await github.tarball(repository, commit));
    }
    const seen = fake.requests.slice(before).map(({ service, headers }) => [service, headers["authorization"] ?? null]);
    expect(seen).toEqual([
      ["api", `Bearer ${secret}`],
      ["raw", `Bearer ${secret}`],
      ["codeload", `Bearer ${secret}`],
      ["api", null],
      ["raw", null],
      ["codeload", null],
    ]);
    expect(fake.requests.map(({ path }) => path).join()).not.toContain("ghp_");
  });

  test("a private repository looks like none without it, and like none with one of no rights", async () => {
    const { repository } = await pushed("acme/hidden", {
      private: { token: secret, others: ["ghp_of_somebody_else"] },
    });
    expect(await laterRefusal(() => client().github.facts(repository, null))).toMatch(
      /^source\.missing .*private ones are answered like missing ones/,
    );
    const weak = client({ token: { secret: "ghp_of_somebody_else", isFor: () => true } }).github;
    expect(await laterRefusal(() => weak.facts(repository, null))).toMatch(/^source\.missing .*the right to read it/);
    const wrong = client({ token: { secret: "ghp_of_nobody_at_all", isFor: () => true } }).github;
    expect(await laterRefusal(() => wrong.facts(repository, null))).toMatch(/^source\.refused .*not accept the token/);
  });
});

describe("T8: storms", () => {
  test.each([
    [403, { "retry-after": "60" }, "source.limited", 1],
    [403, { "x-ratelimit-remaining": "0" }, "source.limited", 1],
    [429, {}, "source.limited", 1],
    [403, {}, "source.refused", 20],
    [500, {}, "upstream.unreachable", 60],
    [503, {}, "upstream.unreachable", 60],
    [304, {}, "upstream.invalid", 20],
  ] as const)("%i %j: twenty questions are so many requests", async (status, headers, code, most) => {
    const { repository } = await pushed("acme/storm");
    const { github } = client();
    fake.misbehave({ rate: 1, random: () => 0, faults: [{ how: { status, headers } }] });
    const before = fake.requests.length;
    for (let count = 0; count < 20; count++) {
      const error: unknown = await github.branches(repository).catch((reason: unknown) => reason);
      expect(error instanceof AppError ? error.code : error).toBe(code);
    }
    expect(fake.requests.length - before).toBe(most);
  });

  test("IN-11: the limit that is reached is not asked at again until its reset", async () => {
    const { repository } = await pushed("acme/quota");
    const clock = fixedClock(start);
    const { github } = client({ clock });
    fake.limit(2, start / 1000 + 1800);
    await github.facts(repository, null);
    expect(github.spent.left).toBe(1);
    await github.facts(repository, null);
    const before = fake.requests.length;
    for (let count = 0; count < 5; count++)
      expect(await laterRefusal(() => github.facts(repository, null))).toMatch(
        /^source\.limited .*until 2026-01-01T00:30:00\.000Z \(in 30 minutes\)/,
      );
    expect(fake.requests).toHaveLength(before);
    clock.advance(1_800_000);
    fake.limit(null);
    expect(await github.facts(repository, null)).toMatchObject({ facts: { defaultBranch: "main" } });
  });

  test("two answers in three broken: all is had all the same", async () => {
    const { repository, commit } = await pushed("acme/luck");
    const { github } = client();
    const before = fake.requests.length;
    for (let count = 0; count < 5; count++) {
      fake.next({ on: "raw", how: { status: 502 } });
      fake.next({ on: "raw", how: "cut" });
      expect(Buffer.from(await github.file(repository, commit, "a/SKILL.md", 99)).toString()).toBe("one");
    }
    expect(fake.requests.length - before).toBe(15);
  });
});
