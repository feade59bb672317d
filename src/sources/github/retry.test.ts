import { describe, expect, test } from "vitest";
import { AppError, type ErrorCode } from "../../core/error.ts";
import { RateLimited } from "./rate-limit.ts";
import { retried } from "./retry.ts";

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
