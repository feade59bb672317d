import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createProcesses } from "../../src/app/world/processes.ts";
import { createWorld } from "../../src/app/world/world.ts";
import type { Timer } from "../../src/core/world.ts";
import { shellTool } from "../../src/agent/tools/shell.ts";
import type { ToolContext, ToolInput } from "../../src/agent/tool.ts";
import { createCapabilities } from "../../src/scope/registry.ts";

const { processes, timer } = createWorld();
const signal = new AbortController().signal;
const capabilities = createCapabilities().view();

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "skillward-workspace-shell-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function run(input: ToolInput, context: Partial<ToolContext> = {}, by = processes): Promise<string> {
  return shellTool({ root, processes: by }).run(input, { id: "agent", argv: null, capabilities, signal, ...context });
}

describe("AG-7: shell", () => {
  it("runs in the root of the workspace, and says how it ended and what it printed", async () => {
    expect(await run({ command: "pwd; echo bad >&2; exit 3" })).toBe(
      `Exit code 3.\n\nStandard output:\n${root}\n\nStandard error:\nbad`,
    );
    expect(await run({ command: "cat" })).toBe("Exit code 0.\n\nIt printed nothing.");
  });

  it("SC-7: what a pattern let through is run as its words, without a shell", async () => {
    const argv = ["printf", "%s\n", "$(touch x)", "; touch y", "*"];
    const said = await run({ command: "touch z" }, { argv });
    expect(said).toBe("Exit code 0.\n\nStandard output:\n$(touch x)\n; touch y\n*");
    expect(["x", "y", "z"].filter((name) => existsSync(join(root, name)))).toEqual([]);
  });

  it("T45: a command sees the path to programs, and no secret", async () => {
    vi.stubEnv("SECRET", "hunter2");
    vi.stubEnv("ANTHROPIC_API_KEY", "sk-hunter2");
    try {
      const said = await run({ command: "env; echo $SECRET" });
      expect(said).toMatch(/^PATH=\//m);
      expect(said).not.toMatch(/hunter2|SECRET|API_KEY/);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("a command that hangs is ended in time, with all that it started", async () => {
    const limit = heldTimer(1000);
    const command = "sleep 600 & echo begun; echo $! > written; mv written pid; wait";
    const running = run({ command, timeout: 1 }, {}, createProcesses(limit.timer));
    await expect.poll(() => existsSync(join(root, "pid"))).toBe(true);
    limit.end();
    const said = await running;
    expect(said).toBe("Timeout: the command was ended after 1 s, with all that it started.\n\nStandard output:\nbegun");
    const pid = Number(readFileSync(join(root, "pid"), "utf8"));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("T26: of what prints without end the beginning and an end are shown, and that there was more", async () => {
    const said = await run({ command: "echo first; yes | head -c 104857600; echo last" });
    expect(said).toMatch(/^Exit code 0\.\n\nStandard output:\nfirst\ny\n/);
    expect(said).toMatch(/\[\d+ characters are left out here\]\n/);
    expect(said).toMatch(/\[it printed more than the 8388608 bytes that are kept: the rest is not known\]$/);
    expect(said.length).toBeLessThan(64 * 1024);
  });

  it("shows the end of a long output, and nothing that a terminal would act on", async () => {
    const said = await run({ command: "seq 1 100000; printf 'last\\033[2J\\n'" });
    expect(said).toMatch(/Standard output:\n1\n2\n/);
    expect(said).toMatch(/\n100000\nlast\[2J$/);
  });

  it("refuses what is no command, and waits no longer than it may", async () => {
    await expect(run({})).rejects.toThrow(/command is missing/);
    await expect(run({ command: "a\0b" })).rejects.toThrow(/NUL/);
    await expect(run({ command: "true", timeout: 601 })).rejects.toThrow(/from 1 to 600/);
    const { subject } = shellTool({ root, processes });
    expect([subject?.({ command: "git status" }), subject?.({})]).toEqual([
      { command: "git status" },
      { command: undefined },
    ]);
  });
});

/** A timer of which one deadline is over when the test says so. */
function heldTimer(deadline: number): { timer: Timer; end: () => void } {
  let end = () => {};
  const every: Timer["every"] = (milliseconds, act) => {
    if (milliseconds !== deadline) return timer.every(milliseconds, act);
    end = act;
    return { stop: () => {} };
  };
  return { timer: { ...timer, every }, end: () => end() };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
