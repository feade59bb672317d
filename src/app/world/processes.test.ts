import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProcessOptions } from "../../core/world.ts";
import { childEnvironment } from "../config/config.ts";
import { createProcesses } from "./processes.ts";
import { createWorld } from "./world.ts";

const { processes } = createWorld();
let room = "";
beforeAll(() => {
  room = mkdtempSync(join(tmpdir(), "skillward-processes-"));
});
afterAll(() => rmSync(room, { recursive: true, force: true }));

/** Long enough that only a program that hangs meets it. */
const patient = 50_000;

function run(argv: readonly string[], options: Partial<ProcessOptions> = {}) {
  return processes.run(argv, { folder: room, milliseconds: patient, outputBytes: 1000, ...options });
}

/** Runs a text as a Node program. */
function node(code: string, options: Partial<ProcessOptions> = {}, args: readonly string[] = []) {
  return run([process.execPath, "-e", code, "--", ...args], options);
}

/** A process that has ended may wait for its parent to notice: that is not running. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

const byItself = { ended: "by itself", isCut: false, errors: "" };

describe("SC-7, SC-8: a program gets exactly its arguments", () => {
  test("none of them is expanded, split or run", async () => {
    const args = ["$(touch x)", "`touch x`", "; touch x", "*", "a  b", "", "$HOME", "\n", "é💥", "--", "'\""];
    const end = await node("process.stdout.write(JSON.stringify(process.argv.slice(1)))", {}, args);
    expect(end).toEqual({ ...byItself, code: 0, output: JSON.stringify(args) });
    expect(existsSync(join(room, "x"))).toBe(false);
  });

  test("it runs in its folder, and reads its input to the end", async () => {
    const code = "process.stdout.write(process.cwd() + require('fs').readFileSync(0, 'utf8'))";
    expect(await node(code, { input: " grüße" })).toMatchObject({ code: 0, output: `${room} grüße` });
    expect(await node(code)).toMatchObject({ code: 0, output: room });
  });

  test("its exit code and what it complains of are told", async () => {
    const end = await node("process.stderr.write('no'); process.exitCode = 3");
    expect(end).toEqual({ ...byItself, code: 3, output: "", errors: "no" });
  });

  test("input that nobody reads is no fault", async () => {
    expect(await node("process.exit(0)", { input: "x".repeat(1_000_000) })).toMatchObject({ code: 0 });
  });
});

describe("AG-7: the environment", () => {
  test("a few plain values by name, and nothing else", () => {
    const set = {
      HOME: "/home/a",
      LC_ALL: "C",
      LC_TOKEN: "secret",
      LANG: "",
      SHELL: "/bin/sh",
      API_KEY: "secret",
      SSH_AUTH_SOCK: "/s",
      NODE_OPTIONS: "--require x",
      LD_PRELOAD: "/x.so",
      PATH: "/usr/bin",
    };
    expect(childEnvironment(set)).toEqual({
      ...childEnvironment({}),
      HOME: "/home/a",
      LC_ALL: "C",
      PATH: "/usr/bin",
    });
  });

  test.each([
    ["/usr/bin:.:/bin::relative:./here:", "/usr/bin:/bin"],
    ["", "/usr/local/bin:/usr/bin:/bin"],
    [".", "/usr/local/bin:/usr/bin:/bin"],
  ])("T44: programs are looked for in absolute folders alone: %j", (PATH, searched) => {
    expect(childEnvironment({ PATH })).toMatchObject({ PATH: searched });
  });

  test("a child sees only that, whatever is set here", async () => {
    process.env["SKILLWARD_TEST_SECRET"] = "hunter2";
    const { output } = await node("process.stdout.write(JSON.stringify(process.env))", { outputBytes: 100_000 });
    delete process.env["SKILLWARD_TEST_SECRET"];
    expect(JSON.parse(output)).toEqual(childEnvironment());
  });

  test("T44: a program of the folder is not taken for one by name alone", async () => {
    writeFileSync(join(room, "skillward-planted"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
    await expect(run(["skillward-planted"])).rejects.toMatchObject({ code: "path.missing" });
  });
});

describe("what cannot be started", () => {
  test.each<[string, string[], Partial<ProcessOptions>, string]>([
    ["nothing", [], {}, "usage.invalid"],
    ["no program", ["", "x"], {}, "usage.invalid"],
    ["a NUL", ["echo", "a\0b"], {}, "usage.invalid"],
    ["a relative folder", ["echo"], { folder: "here" }, "usage.invalid"],
    ["no time", ["echo"], { milliseconds: Number.NaN }, "usage.invalid"],
    ["no bound", ["echo"], { outputBytes: Number.NaN }, "usage.invalid"],
    ["an unknown program", ["skillward-no-such-program"], {}, "path.missing"],
    ["a folder that is gone", ["echo"], { folder: "/no/such/folder" }, "path.missing"],
    ["a folder as a program", ["/"], {}, "disk.failed"],
    ["far too much", ["echo", "x".repeat(5_000_000)], {}, "usage.invalid"],
  ])("%s is refused", async (_what, argv, options, code) => {
    await expect(run(argv, options)).rejects.toMatchObject({ name: "AppError", code });
  });

  test("the name is shown without what a terminal would act on", async () => {
    await expect(run(["no\u001b[31m-such"])).rejects.toThrow("cannot start no\\u{1b}[31m-such");
  });
});

describe("bounds", () => {
  test("T41: of a flood the head is kept, and all of it is read", async () => {
    const code = "for (let i = 0; i < 200; i++) require('fs').writeSync(1, 'x'.repeat(10000)); console.error('done')";
    const end = await node(code, { outputBytes: 10 });
    expect(end).toMatchObject({ code: 0, output: "xxxxxxxxxx", errors: "done\n", isCut: true });
  });

  test("a cut leaves no half character; bytes that are none stay visible", async () => {
    expect(await node("process.stdout.write('aé')", { outputBytes: 2 })).toMatchObject({ output: "a", isCut: true });
    expect(await node("process.stdout.write('aé')", { outputBytes: 3 })).toMatchObject({ output: "aé", isCut: false });
    expect(await node("process.stdout.write(Buffer.from([97, 0xc3]))")).toMatchObject({ output: "a\ufffd" });
  });
});

/** A time limit that is over when the test says so: how fast a machine is decides nothing. */
function heldLimit() {
  const { timer } = createWorld();
  const milliseconds = 987_654;
  let over = () => {};
  const held = createProcesses({
    ...timer,
    every: (after, act) => {
      if (after === milliseconds) over = act;
      // Nobody gives up on a program here: either it is killed, or the test does not end.
      return after < 3000 ? timer.every(after, act) : { stop: () => {} };
    },
  });
  return {
    run: (code: string) => held.run([process.execPath, "-e", code], { folder: room, milliseconds, outputBytes: 1000 }),
    end: () => over(),
  };
}

/** A program that does not end when it is asked to, and writes its number down once it is ready not to. */
function stubborn(file: string): string {
  const place = JSON.stringify(join(room, file));
  // Renamed into its place, so that whoever sees it sees the number.
  const note = `fs.writeFileSync(${place} + ".tmp", String(process.pid)); fs.renameSync(${place} + ".tmp", ${place});`;
  return `const fs = require("fs"); process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); ${note}`;
}

/** Starts such a one, with or without our outputs, and goes on with `then` when that is ready. */
function parentOf(file: string, stdio: "inherit" | "ignore", then: string): string {
  return `
    const { spawn } = require("child_process");
    spawn(process.execPath, ["-e", ${JSON.stringify(stubborn(file))}], { stdio: ${JSON.stringify(stdio)} });
    setInterval(() => require("fs").existsSync(${JSON.stringify(join(room, file))}) && (${then}), 10);`;
}

async function ready(file: string): Promise<void> {
  await expect.poll(() => existsSync(join(room, file))).toBe(true);
}

async function gone(file: string): Promise<void> {
  const pid = Number(readFileSync(join(room, file), "utf8"));
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => isRunning(pid)).toBe(false);
}

describe("when it ends, so does all that it started", () => {
  test("a program that takes too long is ended, with what it started, even when that does not want to", async () => {
    const limit = heldLimit();
    const ending = limit.run(parentOf("slow", "inherit", "0"));
    await ready("slow");
    limit.end();
    expect(await ending).toMatchObject({ code: null, ended: "timeout" });
    await gone("slow");
  });

  test("a program that does not end when it is asked to is killed", async () => {
    const limit = heldLimit();
    const ending = limit.run(stubborn("stubborn"));
    await ready("stubborn");
    limit.end();
    expect(await ending).toMatchObject({ code: null, ended: "timeout" });
    await gone("stubborn");
  });

  test.each(["inherit", "ignore"] as const)("a grandchild neither stays nor keeps us waiting: %s", async (stdio) => {
    const end = await node(parentOf(`left-${stdio}`, stdio, "process.exit(0)"));
    expect(end).toMatchObject({ code: 0, ended: "by itself" });
    await gone(`left-${stdio}`);
  });

  test("cancelling ends it; what was cancelled before does not start", async () => {
    const cancel = new AbortController();
    const ending = node(parentOf("cancelled", "inherit", "0"), { signal: cancel.signal });
    await ready("cancelled");
    cancel.abort();
    expect(await ending).toMatchObject({ code: null, ended: "cancelled" });
    await gone("cancelled");
    const late = await run(["touch", "late"], { signal: cancel.signal });
    expect([late.ended, existsSync(join(room, "late"))]).toEqual(["cancelled", false]);
  });

  test("a program that ends when it is asked is still one that was ended", async () => {
    const cancel = new AbortController();
    const polite = "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log('up')";
    const ending = node(`${polite}; require('fs').writeFileSync('polite', '')`, { signal: cancel.signal });
    await ready("polite");
    cancel.abort();
    expect(await ending).toEqual({ ...byItself, code: null, output: "up\n", ended: "cancelled" });
  });

  test("a time limit beyond what timers count does not end at once", async () => {
    expect(await run(["echo", "up"], { milliseconds: 2 ** 40 })).toMatchObject({ code: 0, output: "up\n" });
  });

  test("a process that exits takes along what it runs", async () => {
    const before = process.listenerCount("exit");
    const cancel = new AbortController();
    const ending = node(stubborn("orphan"), { signal: cancel.signal });
    await ready("orphan");
    const added = process.listeners("exit").slice(before);
    expect(added).toHaveLength(1);
    for (const listener of added) listener.call(process, 0);
    expect(await ending).toMatchObject({ code: null, ended: "by itself" });
    await gone("orphan");
    expect(process.listenerCount("exit")).toBe(before);
  });
});
