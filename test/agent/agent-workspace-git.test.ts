import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../src/app/world/world.ts";
import type { ToolInput } from "../../src/agent/tool.ts";
import { findGitFolder } from "../../src/agent/tools/protected-paths.ts";
import { createWorkspaceTools } from "../../src/agent/tools/workspace-tools.ts";
import { createCapabilities } from "../../src/scope/registry.ts";

const { files, processes } = createWorld();
const capabilities = createCapabilities().view();
const signal = new AbortController().signal;

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "skillward-workspace-git-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function run(name: string, input: ToolInput, argv: readonly string[] | null = null): Promise<string> {
  const tool = createWorkspaceTools({ root, files, processes, kept: [] }).find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.run(input, { id: "agent", argv, capabilities, signal });
}

const git = (...words: string[]) => run("shell", { command: "git" }, ["git", ...words]);

/** A configuration with which git runs a program of its author. */
const evil = () =>
  `[core]\n\trepositoryformatversion = 0\n\tworktree = ..\n\tfsmonitor = "touch ${root}/marker; false"\n[alias]\n\tst = "!touch ${root}/marker"\n`;

describe("T44: git in a workspace that somebody else made", () => {
  it("AG-7: a folder that is laid out as a repository is none, and nothing that it names is run", async () => {
    put("planted/HEAD", "ref: refs/heads/main\n");
    put("planted/config", evil());
    mkdirSync(join(root, "planted/objects"));
    mkdirSync(join(root, "planted/refs"));
    expect(await git("-C", "planted", "status")).toMatch(/^Exit code 128\.[^]*safe\.bareRepository/);
    await git("-C", "planted", "st");
    expect(existsSync(join(root, "marker"))).toBe(false);
  });

  it("AG-7: a plain repository works, and is not asked which program knows what changed", async () => {
    spawnSync("git", ["init", "--quiet", root]);
    put(".git/config", evil().replace("..", root));
    put("new.txt", "");
    expect(await git("status", "--short")).toBe("Exit code 0.\n\nStandard output:\n?? new.txt");
    expect(existsSync(join(root, "marker"))).toBe(false);
  });
});

describe("T33: hooks of a repository that is not called .git", () => {
  const hook = "part/hooks/pre-commit";
  const calls: readonly [string, ToolInput][] = [
    ["write", { path: hook, content: "x" }],
    ["replace", { path: hook, old: "old", new: "x" }],
    ["patch", { patch: `--- a/${hook}\n+++ b/${hook}\n@@ -1 +1 @@\n-old\n+x\n` }],
  ];

  it.each([["HEAD"], ["commondir"], ["objects/a", "refs/a"]])("AG-7: none is written beside %j", async (...beside) => {
    put(hook, "old\n");
    for (const name of beside) put(`part/${name}`, "");
    for (const [name, input] of calls)
      await expect(run(name, input)).rejects.toThrow(/is a hook of a git repository.*written with shell alone/);
    expect(readFileSync(join(root, hook), "utf8")).toBe("old\n");
  });

  it("other folders of that name are as any other, and what a person was asked about is theirs", async () => {
    for (const path of [hook, "refs/a", "part/objects/a", ".git/HEAD"]) put(path, "old\n");
    for (const [name, input] of calls) {
      put(hook, "old\n");
      await expect(run(name, input)).resolves.toContain(hook);
    }
    await expect(run("write", { path: ".git/hooks/x", content: "" })).resolves.toMatch(/^Wrote/);
    put("HEAD", "");
    await expect(run("write", { path: "hooks", content: "" })).resolves.toMatch(/^Wrote/);
  });
});

describe("T33: a .git that is no folder", () => {
  it.each([
    ["gitdir: meta\n", "meta"],
    ["gitdir: ./part/../part/meta\r\n", "part/meta"],
    [`gitdir: meta${"\n".repeat(10_000)}`, "meta"],
    ["gitdir: linked/meta", "real/meta"],
    ["gitdir: .", "."],
    ["gitdir: ../elsewhere/.git/worktrees/a\n", null],
    ["gitdir:", null],
    ["something else", null],
  ])("AG-7: %j names %j", async (text, folder) => {
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "linked"));
    put(".git", text);
    expect(await findGitFolder(files, root)).toBe(folder);
  });

  it("AG-7: by its full path, as a link, as a plain folder, and not at all", async () => {
    expect(await findGitFolder(files, root)).toBe(null);
    put(".git", `gitdir: ${root}/meta\n`);
    expect(await findGitFolder(files, root)).toBe("meta");
    rmSync(join(root, ".git"));
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, ".git"));
    expect(await findGitFolder(files, root)).toBe("real");
    rmSync(join(root, ".git"));
    mkdirSync(join(root, ".git"));
    expect(await findGitFolder(files, root)).toBe(null);
  });
});
