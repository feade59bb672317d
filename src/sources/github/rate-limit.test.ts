import { describe, expect, test } from "vitest";
import { at, clientOf, type Scripted, scriptGitHub } from "../../../test/support/github-client.ts";
import { AppError, type ErrorCode } from "../../core/error.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { RateLimited, resetOf, retried } from "./rate-limit.ts";

const start = Date.UTC(2026, 0, 1);
const seconds = start / 1000;
const facts = { id: 7, full_name: "acme/skills", owner: { id: 3 }, default_branch: "main" };
const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

async function client(answer: (count: number) => Scripted, hasToken = false) {
  const scripted = await scriptGitHub((_path, count) => answer(count));
  const clock = fixedClock(start);
  const token = hasToken ? { secret, isFor: ({ name }: { name: string }) => name === "skills" } : null;
  return { ...scripted, ...clientOf([scripted.hosts], { clock, token }), clock, repository: at(scripted.hosts) };
}

async function limitOf(asked: Promise<unknown>): Promise<RateLimited> {
  const error: unknown = await asked.catch((reason: unknown) => reason);
  if (error instanceof RateLimited) return error;
  throw new Error("not limited", { cause: error });
}

describe("IN-11: a rate limit ends everything, and says until when", () => {
  const reset = { "x-ratelimit-reset": String(seconds + 600) };
  test.each<[string, Scripted, number | null]>([
    ["429 alone", { status: 429 }, null],
    ["429 with retry-after", { status: 429, headers: { "retry-after": "90" } }, start + 90_000],
    ["403 with none left", { status: 403, headers: { "x-ratelimit-remaining": "0", ...reset } }, start + 600_000],
    ["403 with retry-after", { status: 403, headers: { "retry-after": "30", ...reset } }, start + 30_000],
    ["403 that says so", { status: 403, body: { message: "You have exceeded a secondary rate limit." } }, null],
  ])("%s", async (_name, answer, resetAt) => {
    const { github, repository, server, pauses } = await client(() => answer);
    const limited = await limitOf(github.facts(repository, null));
    expect(limited).toMatchObject({ code: "source.limited", resetAt });
    expect(limited.message).toContain("--token-env");
    if (resetAt !== null) expect(limited.message).toContain(new Date(resetAt).toISOString());
    expect([server.requests.length, pauses.length]).toEqual([1, 0]);
  });

  test("in words", async () => {
    const { github, repository } = await client(() => ({ status: 429, headers: { "retry-after": "90" } }), true);
    const { message } = await limitOf(github.facts(repository, null));
    expect(message).toMatch(
      /^127\.0\.0\.1:\d+ allows no more requests until 2026-01-01T00:01:30\.000Z \(in 2 minutes\): try again then$/,
    );
  });

  test("403 with some left is no limit", async () => {
    const { github, repository } = await client(() => ({ status: 403, headers: { "x-ratelimit-remaining": "10" } }));
    await expect(github.facts(repository, null)).rejects.toMatchObject({ code: "source.refused" });
  });

  test("on raw and codeload as well", async () => {
    const { github, repository, server } = await client(() => ({ status: 429 }));
    await limitOf(github.file(repository, "a".repeat(40), "x", 9));
    await limitOf(github.tarball(repository, "a".repeat(40)));
    expect(server.requests).toHaveLength(2);
  });

  test("a reset that cannot be is not believed", () => {
    for (const said of ["9".repeat(12), "9".repeat(40), "-1", "1e3", "soon", ""])
      expect(resetOf({ "x-ratelimit-reset": said }, start)).toBeNull();
    expect(resetOf({ "retry-after": "999999999999" }, start)).toBeNull();
    expect(resetOf({ "retry-after": ["60", "1"] }, start)).toBe(start + 60_000);
  });
});

describe("IN-11: what is known to be refused is not asked", () => {
  const last = { body: facts, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(seconds + 600) } };

  test("until the reset, and only of the API", async () => {
    const { github, repository, server, clock } = await client(() => last);
    await github.facts(repository, null);
    expect(github.spent).toMatchObject({ requests: 1, apiRequests: 1, left: 0 });
    expect(await limitOf(github.facts(repository, null))).toMatchObject({ resetAt: start + 600_000 });
    await limitOf(github.tree(repository, "a".repeat(40)));
    expect(server.requests).toHaveLength(1);
    await github.file(repository, "a".repeat(40), "x", 999);
    clock.advance(600_000);
    await github.facts(repository, null);
    expect(server.requests).toHaveLength(3);
    expect(github.spent).toMatchObject({ requests: 3, apiRequests: 2 });
  });

  test("for a minute where the reset is not said", async () => {
    const { github, repository, server, clock } = await client(() => ({ status: 429 }));
    await limitOf(github.facts(repository, null));
    clock.advance(59_999);
    await limitOf(github.facts(repository, null));
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    await limitOf(github.facts(repository, null));
    expect(server.requests).toHaveLength(2);
  });

  test("with the token and without it are two limits", async () => {
    const { github, repository, hosts, server } = await client((count) => (count === 1 ? last : { body: facts }), true);
    await github.facts(at(hosts, "other/child"), null).catch(() => {});
    await github.facts(repository, null);
    await limitOf(github.facts(at(hosts, "other/child"), null));
    expect(server.requests).toHaveLength(2);
  });

  test("word that nothing changed is free with a token", async () => {
    for (const hasToken of [true, false]) {
      const { github, repository } = await client(() => ({ status: 304 }), hasToken);
      expect(await github.facts(repository, '"1"')).toBe("unchanged");
      expect(github.spent).toMatchObject({ requests: 1, apiRequests: hasToken ? 0 : 1 });
    }
  });
});

/** Tries what always fails, with luck that is always the same. */
async function tryIt(error: Error, luck = 255) {
  const pauses: number[] = [];
  let tries = 0;
  const timer = { after: async (pause: number) => void pauses.push(pause), every: () => ({ stop() {} }) };
  const random = { bytes: (count: number) => new Uint8Array(count).fill(luck) };
  const attempt = async () => {
    tries++;
    throw error;
  };
  await expect(retried({ timer, random, signal: undefined }, attempt)).rejects.toBe(error);
  return { tries, pauses };
}

describe("IN-11: retries", () => {
  test("pauses grow, and all of each is luck", async () => {
    const unreachable = new AppError("upstream.unreachable", "x");
    expect(await tryIt(unreachable, 255)).toEqual({ tries: 3, pauses: [250, 500] });
    expect(await tryIt(unreachable, 0)).toEqual({ tries: 3, pauses: [0, 0] });
    expect(await tryIt(new AppError("upstream.timeout", "x"))).toMatchObject({ tries: 3 });
  });

  test.each<ErrorCode>(["upstream.invalid", "digest.mismatch", "source.missing", "source.refused", "egress.refused"])(
    "%s is said at once",
    async (code) => {
      expect(await tryIt(new AppError(code, "x"))).toEqual({ tries: 1, pauses: [] });
    },
  );

  test("so are a rate limit and a mistake of ours", async () => {
    const limited = new RateLimited("here", null, { now: 0, hasToken: false });
    expect(await tryIt(limited)).toMatchObject({ tries: 1 });
    expect(await tryIt(new TypeError("x"))).toMatchObject({ tries: 1 });
  });

  test("nothing is tried once the signal is aborted, not even for the first time", async () => {
    const stop = new AbortController();
    const timer = { after: () => new Promise<void>(() => {}), every: () => ({ stop() {} }) };
    const random = { bytes: (count: number) => new Uint8Array(count) };
    let tries = 0;
    const attempt = async () => {
      tries++;
      stop.abort(new Error("over"));
      throw new AppError("upstream.timeout", "x");
    };
    await expect(retried({ timer, random, signal: stop.signal }, attempt)).rejects.toThrow("over");
    await expect(retried({ timer, random, signal: stop.signal }, attempt)).rejects.toThrow("over");
    expect(tries).toBe(1);
  });
});
