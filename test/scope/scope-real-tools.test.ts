import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createProcesses } from "../../src/app/world/processes.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { fixedClock } from "../../src/testing/fixed-clock.ts";
import { type ExecutorOptions, executorTool } from "../../src/agent/tools/executor.ts";
import { specKitTool } from "../../src/agent/tools/spec-kit.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { createCapabilities } from "../../src/scope/registry.ts";
import { bundleChild, endChildrenAfterEach, startChild } from "../support/bundle.ts";
import type { HostOrder } from "./program-host.child.ts";

const { files, processes, timer } = createWorld();
const host = bundleChild("test/scope/program-host.child.ts");
endChildrenAfterEach();
const signal = new AbortController().signal;
const context = { id: "agent", argv: null, capabilities: createCapabilities().view(), signal };

let room = "";
const at = (name: string) => join(room, name);
beforeEach(() => {
  room = mkdtempSync(join(tmpdir(), "skillward-real-tools-"));
  mkdirSync(at("workspace"));
});
afterEach(() => rmSync(room, { recursive: true, force: true }));

/** Long enough that only a program that hangs meets it. */
const patient = 50_000;

/** An executor of the host: a Node program of this text. */
function executorOf(code: string, args: readonly string[] = [], options: Partial<ExecutorOptions> = {}) {
  writeFileSync(at("executor.cjs"), code);
  return executorTool({
    argv: [process.execPath, at("executor.cjs"), ...args],
    folder: at("workspace"),
    processes,
    milliseconds: patient,
    outputBytes: 10_000,
    ...options,
  });
}

const outputOf = (text: string) => text.split("Standard output:\n")[1] ?? "";

describe("SC-8: opencode-executor runs the host's program", () => {
  const hostile = [
    "$(touch x)",
    "`touch x`",
    "; touch x",
    "& touch x",
    "| touch x",
    "> x",
    "\n touch x\n",
    "'; touch x; '",
    '"; touch x; "',
    "$HOME ~ * ? [a] {a,b} !! \\",
    "{input}",
    "%PATH% ^ é 💥",
  ];

  test.each(hostile)("with exactly its arguments, and no shell in between: %j", async (instruction) => {
    const echo = "process.stdout.write(JSON.stringify(process.argv.slice(2)))";
    const text = await executorOf(echo, ["run", "{input}", "$(touch y)"]).run({ instruction }, context);
    expect(JSON.parse(outputOf(text))).toEqual(["run", instruction, "$(touch y)"]);
    expect(readdirSync(at("workspace"))).toEqual([]);
  });

  test.each(hostile)("with exactly the text on its standard input: %j", async (instruction) => {
    const echo = "process.stdout.write(JSON.stringify(require('fs').readFileSync(0, 'utf8')))";
    expect(JSON.parse(outputOf(await executorOf(echo).run({ instruction }, context)))).toBe(instruction);
    expect(readdirSync(at("workspace"))).toEqual([]);
  });

  test("AG-7: none of our secrets are in its environment", async () => {
    process.env["SKILLWARD_API_KEY"] = "hunter2-key";
    process.env["OPENAI_API_KEY"] = "hunter2-model";
    process.env["LC_SECRET"] = "hunter2-carried";
    try {
      const text = await executorOf("console.log(JSON.stringify(process.env))").run({ instruction: "env" }, context);
      expect(text).not.toContain("hunter2");
      expect(JSON.parse(outputOf(text))).toHaveProperty("PATH");
    } finally {
      for (const name of ["SKILLWARD_API_KEY", "OPENAI_API_KEY", "LC_SECRET"]) delete process.env[name];
    }
  });

  test("T41: a flood of output is cut", async () => {
    const flood = "for (let i = 0; i < 100; i++) require('fs').writeSync(1, 'x'.repeat(100000))";
    const text = await executorOf(flood, [], { outputBytes: 50 }).run({ instruction: "flood" }, context);
    expect(outputOf(text)).toMatch(/^x{50}\n\nThere was more output/);
  });

  test("one that fails is an error with its reason", async () => {
    const failing = executorOf("console.error('no \u001b[31mtests'); process.exit(4)");
    await expect(failing.run({ instruction: "x" }, context)).rejects.toThrow(
      "exited with code 4. It said: no [31mtests",
    );
    const missing = executorOf("", [], { argv: [at("nothing"), "{input}"] });
    await expect(missing.run({ instruction: "x" }, context)).rejects.toMatchObject({ code: "path.missing" });
  });
});

/**
 * Starts another one that does not end when it is asked, which writes its number down once it is there. Should nobody
 * end them, they end by themselves.
 */
const tree = `
  const { spawn } = require("child_process");
  const leaf = 'process.on("SIGTERM", () => {}); setTimeout(() => {}, 120_000); const fs = require("fs");'
    + 'fs.writeFileSync("pid.tmp", String(process.pid)); fs.renameSync("pid.tmp", "pid")';
  spawn(process.execPath, ["-e", leaf], { stdio: "inherit" });
  setTimeout(() => {}, 120_000);`;

const pidFile = () => at("workspace/pid");

/** A process that has ended may wait for its parent to notice: that is not running. */
function isLeafRunning(): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${readFileSync(pidFile(), "utf8")}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("the whole tree ends", () => {
  test("when the time is over", async () => {
    let isOver = () => {};
    // The limit is over when the test says so: how fast a machine is decides nothing.
    const held = createProcesses({
      ...timer,
      every: (after, act) => {
        if (after !== patient) return timer.every(after, act);
        isOver = act;
        return { stop: () => {} };
      },
    });
    const running = executorOf(tree, [], { processes: held }).run({ instruction: "x" }, context);
    await expect.poll(() => existsSync(pidFile())).toBe(true);
    expect(isLeafRunning()).toBe(true);
    isOver();
    await expect(running).rejects.toMatchObject({ code: "upstream.timeout" });
    await expect.poll(isLeafRunning).toBe(false);
  });

  test("when the call is cancelled", async () => {
    const cancel = new AbortController();
    const running = executorOf(tree).run({ instruction: "x" }, { ...context, signal: cancel.signal });
    await expect.poll(() => existsSync(pidFile())).toBe(true);
    cancel.abort();
    await expect(running).rejects.toThrow("the call was cancelled");
    await expect.poll(isLeafRunning).toBe(false);
  });
});

/** A host in a process of its own that runs the tree. */
async function startHost(hears: HostOrder["hears"]) {
  writeFileSync(at("tree.cjs"), tree);
  const order: HostOrder = { folder: at("workspace"), argv: [process.execPath, at("tree.cjs")], hears };
  const started = startChild(host(), order);
  await expect.poll(() => existsSync(pidFile()), { timeout: 10_000 }).toBe(true);
  expect(isLeafRunning()).toBe(true);
  return started;
}

describe.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("a host that gets %s", (sent) => {
  test("T41: takes along what it runs, and ends by that signal", async () => {
    const started = await startHost(null);
    started.kill(sent);
    expect(await started.ended).toBe(sent);
    await expect.poll(isLeafRunning).toBe(false);
  });

  test("and sees to it by itself is not ended, what it runs is, and nobody listens any more", async () => {
    const started = await startHost(sent);
    started.kill(sent);
    expect(await started.hear()).toBe("heard");
    expect(await started.hear()).toEqual([0, 0, 0, 0]);
    expect(await started.ended).toBe(0);
    await expect.poll(isLeafRunning).toBe(false);
  });
});

const good = "## Goal\nLog in.\n\n## Acceptance criteria\n1. A wrong password is refused.\n- [ ] A right one is not.\n";

function specKitSaying(reply: string, folder = "workspace/specs") {
  const model = scriptedModel({ rules: [{ reply }] });
  return specKitTool({ model: () => model, files, folder: `${room}/${folder}`, clock: fixedClock() });
}

/** Everything below the room, so that nothing can appear anywhere else unnoticed. */
const everything = () => readdirSync(room, { recursive: true, encoding: "utf8" }).toSorted();

describe("SC-8: specKit writes a specification with the configured model", () => {
  test("the file is there as a whole, with its criteria; the next one does not replace it", async () => {
    const task = { task: "People log in", title: "Log in" };
    const text = await specKitSaying(good).run(task, context);
    expect(text).toContain(
      "specs/log-in.md\n\nAcceptance criteria:\n1. A wrong password is refused.\n2. A right one is not.",
    );
    expect(readFileSync(at("workspace/specs/log-in.md"), "utf8")).toContain(good);
    await specKitSaying(good.replace("Log in.", "Another.")).run(task, context);
    expect(readFileSync(at("workspace/specs/log-in.md"), "utf8")).toContain("Log in.");
    expect(everything()).toEqual([
      "workspace",
      "workspace/specs",
      "workspace/specs/log-in-2.md",
      "workspace/specs/log-in.md",
    ]);
  });

  test.each(["../../x", "/x", "..", "a/../../../x", "x\u001b[2J", "‥/x"])(
    "a title leads nowhere else: %j",
    async (title) => {
      await specKitSaying(good).run({ task: "x", title }, context);
      const made = everything().filter((path) => !["workspace", "workspace/specs"].includes(path));
      expect(made).toEqual([expect.stringMatching(/^workspace\/specs\/[a-z0-9-]{1,60}\.md$/)]);
    },
  );

  test("T34: what a terminal would act on does not get into the file", async () => {
    await specKitSaying(`\u001b]0;owned\u0007${good}\u001b[2J\u202e`).run({ task: "x" }, context);
    expect(readFileSync(at("workspace/specs/x.md"), "utf8")).toMatch(/^[\n\x20-\x7e]+$/);
  });

  test.each([
    ["no criteria", "## Goal\nNothing more."],
    ["no items", "## Acceptance criteria\nIt works."],
    ["too much", good + "x".repeat(70_000)],
    ["nothing", "\u200b"],
  ])("nothing is written for an answer with %s", async (_what, reply) => {
    await expect(specKitSaying(reply).run({ task: "x" }, context)).rejects.toThrow("no specification was written");
    expect(everything()).toEqual(["workspace"]);
  });

  test.each(["", "/", "/.", "//./"])(
    "T24: nothing is written through a link in the place of the folder%s",
    async (end) => {
      mkdirSync(at("elsewhere"));
      symlinkSync(at("elsewhere"), at("workspace/specs"));
      const through = specKitSaying(good, `workspace/specs${end}`).run({ task: "x" }, context);
      await expect(through).rejects.toMatchObject({ code: "path.wrong-kind" });
      expect(readdirSync(at("elsewhere"))).toEqual([]);
    },
  );

  test("the path that it tells is from the folder above, where an executor finds it", async () => {
    const said = await specKitSaying(good, "workspace/specs/").run({ task: "x" }, context);
    const [, specification = ""] = /is in (.+)/.exec(said) ?? [];
    const reads = "process.stdout.write(require('fs').readFileSync(process.argv[2].split('in the file ')[1], 'utf8'))";
    const text = await executorOf(reads, ["{input}"]).run({ instruction: "build", specification }, context);
    expect(outputOf(text)).toContain("A wrong password is refused.");
  });

  test.each(["there", "not there"])("T24: nothing is written through a link to what is %s", async (what) => {
    mkdirSync(at("workspace/specs"));
    if (what === "there") writeFileSync(at("target"), "kept");
    symlinkSync(at("target"), at("workspace/specs/x.md"));
    await expect(specKitSaying(good).run({ task: "x" }, context)).rejects.toThrow("x.md is a link");
    expect(readdirSync(at("workspace/specs"))).toEqual(["x.md"]);
    expect(lstatSync(at("workspace/specs/x.md")).isSymbolicLink()).toBe(true);
    expect(existsSync(at("target")) && readFileSync(at("target"), "utf8")).toBe(what === "there" && "kept");
  });
});
