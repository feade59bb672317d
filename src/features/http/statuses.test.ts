import { describe, expect, test } from "vitest";
import { AppError, type ErrorCode } from "../../core/error.ts";
import { failureOf, isForTheLog, statuses, TooMany } from "./statuses.ts";

const codes = Object.keys(statuses) as ErrorCode[];

describe("SV-2: what a failure becomes", () => {
  test.each<[ErrorCode, number]>([
    ["auth.failed", 401],
    ["auth.forbidden", 403],
    ["model.refused", 403],
    ["host.refused", 421],
    ["record.missing", 404],
    ["usage.invalid", 400],
    ["budget.exceeded", 422],
    ["request.too-large", 413],
    ["request.too-many", 429],
    ["upstream.timeout", 504],
    ["upstream.refused", 502],
    ["egress.refused", 502],
    ["store.failed", 503],
  ])("SV-2: %s is %i", (code, status) => {
    expect(failureOf(new AppError(code, "why"))).toMatchObject({ code, status });
  });

  test("SV-2: every code is a failure, and none of them is a success or a redirect", () => {
    for (const code of codes) expect(failureOf(new AppError(code, "why")).status).toBeGreaterThanOrEqual(400);
  });

  test("SV-8: what nobody foresaw, and what names the machine, is said in fixed words and kept for the log", () => {
    const secret = "postgres://ann:secret@db /home/ann/keys.json";
    const hidden = codes.filter((code) => failureOf(new AppError(code, secret)).detail !== secret);
    expect(hidden).toEqual([
      "disk.failed",
      "config.invalid",
      "keys.unusable",
      "store.failed",
      "store.newer",
      "store.older",
      "store.rolled-back",
    ]);
    for (const error of [new Error(secret), new TypeError(secret), secret, undefined, { message: secret }]) {
      expect(failureOf(error)).toMatchObject({ code: "internal", status: 500 });
      expect(JSON.stringify(failureOf(error))).not.toContain("secret");
      expect(isForTheLog(error)).toBe(true);
    }
    expect(codes.filter((code) => isForTheLog(new AppError(code, "")))).toEqual(hidden);
  });

  test("SV-2: what passes by itself says when, and what does not pass tells clients not to ask again", () => {
    expect(failureOf(new AppError("store.failed", "")).headers).toEqual({ "retry-after": "1" });
    expect(failureOf(new TooMany("", 0.2)).headers).toEqual({ "retry-after": "1" });
    expect(failureOf(new TooMany("", 12.1)).headers).toEqual({ "retry-after": "13" });
    expect(failureOf(new AppError("upstream.refused", "")).headers).toEqual({ "x-should-retry": "false" });
    expect(failureOf(new AppError("auth.failed", "")).headers).toEqual({ "www-authenticate": "Bearer" });
  });
});
