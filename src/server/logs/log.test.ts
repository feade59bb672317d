import { describe, expect, test } from "vitest";
import { AppError } from "../../core/error.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { createLog } from "./log.ts";

function written(act: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  act(createLog({ write: (line) => void lines.push(line) }, fixedClock()));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("SV-8: the log", () => {
  test("SV-8: has one JSON object on each line, without the machine's name", () => {
    const line = {
      request: "r",
      method: "GET",
      route: "GET /healthz",
      status: 200,
      ms: 3,
      principal: null,
      in: 0,
      out: 9,
    };
    expect(written((log) => log.request({ ...line, configuration: "mine" }))).toEqual([
      { level: "info", time: "2026-01-01T00:00:00.000Z", msg: "request", ...line, configuration: "mine" },
    ]);
    expect(written((log) => log.note("listening", { port: 1 }))).toMatchObject([
      { level: "info", msg: "listening", port: 1 },
    ]);
    expect(written((log) => log.warn("store away"))).toMatchObject([{ level: "warn", msg: "store away" }]);
  });

  test("SV-8: of an error that nobody foresaw only the kind and the place, since its message can quote a prompt", () => {
    const prompt = "my secret prompt\n    at secret (secret:1:1)";
    const [line] = written((log) => log.failure("r", new TypeError(prompt, { cause: new Error(prompt) })));
    expect(JSON.stringify(line)).not.toContain("secret");
    expect(line).toMatchObject({ level: "error", request: "r", error: "TypeError", cause: { error: "Error" } });
    expect(line?.["at"]).toContainEqual(expect.stringMatching(/^at .*log\.test\.ts/));
  });

  test("SV-8: of our own errors the message, in one line", () => {
    const error = new AppError("store.failed", "the disk\nis full", {
      cause: Object.assign(new Error("x"), { code: "ENOSPC" }),
    });
    expect(written((log) => log.failure("r", error))).toMatchObject([
      { code: "store.failed", message: "the disk\\u{a}is full", cause: { error: "Error", code: "ENOSPC" } },
    ]);
    expect(written((log) => log.failure("r", "thrown"))).toMatchObject([{ error: "string" }]);
  });
});

describe("SV-8: the log at a terminal", () => {
  function seen(act: (log: ReturnType<typeof createLog>) => void): string[] {
    const lines: string[] = [];
    act(
      createLog({ isTTY: true, write: (line) => void lines.push(line.replace(/^\d\d:\d\d:\d\d /, "")) }, fixedClock()),
    );
    return lines;
  }
  const line = { request: "r", method: "GET", route: "GET /x", ms: 3, principal: null, in: 0, out: 9 };

  test("SV-8: has no line of requests but those that could not be answered", () => {
    for (const status of [200, 304, 401, 404, 499]) expect(seen((log) => log.request({ ...line, status }))).toEqual([]);
    const failed = { ...line, status: 503, code: "store.failed", prompt: "secret" };
    expect(seen((log) => log.request(failed))).toEqual(["GET /x answered 503 (store.failed), request r\n"]);
  });

  test("SV-8: says what is about the server in one short line, and nothing that a prompt may have put there", () => {
    const fields = { code: "store.failed", message: "it cannot\nbe reached" };
    expect(seen((log) => log.warn("store away", fields))).toEqual([
      "store away: code store.failed, it cannot\\u{a}be reached\n",
    ]);
    expect(seen((log) => log.note("sync", { source: "team", created: 1 }))).toEqual(["sync: source team, created 1\n"]);
    const [unforeseen = ""] = seen((log) => log.failure("r", new TypeError("my secret prompt\n    at secret")));
    expect(unforeseen).toMatch(/^failure in r: TypeError at .*log\.test\.ts/);
    expect(unforeseen).not.toContain("secret");
    const known = new AppError("disk.failed", "the disk is full");
    expect(seen((log) => log.failure("r", known))).toEqual(["failure in r: the disk is full\n"]);
  });
});
