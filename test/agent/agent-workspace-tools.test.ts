import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import type { ToolInput } from "../../src/agent/tool.ts";
import { at, context, everything, files, put, run, toolNamed, useWorkspace, written } from "./workspace-tools.ts";

useWorkspace();

describe("AG-7: read", () => {
  it("gives lines with their numbers, from where and as many as asked", async () => {
    expect(await run("read", { path: "src/a.ts" })).toBe("1\tone\n2\ttwo\n3\tthree");
    expect(await run("read", { path: at("src/../src/a.ts"), from: 2, lines: 1 })).toBe(
      '2\ttwo\n[lines 2 to 2 of 3 are shown; go on with "from": 3]',
    );
    await expect(run("read", { path: "src/a.ts", from: 4 })).rejects.toThrow(/has 3 lines/);
    await expect(run("read", { path: "src/a.ts", lines: 0 })).rejects.toThrow(/whole number/);
  });

  it("says what was cut and how to go on, and stays below what an answer may have", async () => {
    put("long", `${"x".repeat(100)}\n`.repeat(5000));
    put("wide", `${"é".repeat(100_000)}\n${"y".repeat(64 * 1024)}\n`.repeat(3));
    expect(await run("read", { path: "long" })).toMatch(
      /\n\[lines 1 to 2000 of 5000 are shown; go on with "from": 2001\]$/,
    );
    const wide = await run("read", { path: "wide" });
    expect(Buffer.byteLength(wide)).toBeLessThan(256 * 1024);
    expect(wide).toMatch(/\[line 1 is cut: 65536 of its 100000 characters are shown\]\n\[lines 1 to 2 of 6 are shown/);
    put("empty", "");
    put("windows", "a\r\n");
    expect(await run("read", { path: "empty" })).toBe("[the file is empty]");
    expect(await run("read", { path: "windows" })).toContain("[lines of this file end with CRLF]");
  });

  it("shows nothing of what is no text, no file, or far too large", async () => {
    put("binary", Buffer.from([0x61, 0, 0x62]));
    put("latin", Buffer.from([0x61, 0xe9, 0x62]));
    put("huge", "");
    truncateSync(at("huge"), 2 ** 30);
    spawnSync("mkfifo", [at("pipe")]);
    await expect(run("read", { path: "binary" })).rejects.toThrow("binary is no text: it is binary, or not UTF-8");
    await expect(run("read", { path: "latin" })).rejects.toThrow(/no text/);
    await expect(run("read", { path: "huge" })).rejects.toThrow(/has 1073741824 bytes/);
    await expect(run("read", { path: "pipe" })).rejects.toThrow(/neither a file nor a folder/);
    await expect(run("read", { path: "src" })).rejects.toThrow(/is a folder/);
    await expect(run("read", { path: "src/none" })).rejects.toThrow(/there is no src\/none/);
    await expect(run("read", { path: "src/a.ts/b" })).rejects.toThrow(/src\/a\.ts is no folder/);
  });
});

describe("AG-7: list", () => {
  it("names what is there, and what links are", async () => {
    spawnSync("mkfifo", [at("pipe")]);
    expect((await run("list", {})).split("\n")).toEqual([
      ".git/ (what is in it is not shown)",
      "alias (a link to src/a.ts)",
      "dangling (a link that leads nowhere)",
      "inner (a link to .git)",
      "node_modules/ (what is in it is not shown)",
      "out (a link that leads out of the workspace)",
      "pipe (neither file nor folder)",
      "src/",
      "up (a link that leads out of the workspace)",
    ]);
    expect(await run("list", { depth: 16 })).toMatch(/\nsrc\/a\.ts$/);
    expect(await run("list", { path: "node_modules/x" })).toBe("node_modules/x/index.js");
    await expect(run("list", { path: "src/a.ts" })).rejects.toThrow(/is no folder/);
  });

  it("is bounded, and names cannot break out of their line", async () => {
    put("many/evil\n[nothing more]\u001b[2J", "");
    for (let number = 0; number < 1001; number++) writeFileSync(at(`many/${number}`), "");
    const rows = (await run("list", { path: "many" })).split("\n");
    expect(rows).toHaveLength(1001);
    expect(rows.at(-1)).toMatch(/there is more: 1000 names/);
    rmSync(at("many"), { recursive: true });
    put("many/evil\n[nothing more]\u001b[2J", "");
    expect(await run("list", { path: "many" })).toBe("many/evil\\u{a}[nothing more]\\u{1b}[2J");
    mkdirSync(at("bare"));
    expect(await run("list", { path: "bare" })).toBe("[the folder is empty]");
  });
});

describe("AG-7: search", () => {
  it("finds lines by text and by pattern, in the files that a glob names", async () => {
    put("docs/b.md", "a line with two (2)\r\nend\r\n");
    expect((await run("search", { text: "two" })).split("\n")).toEqual([
      "docs/b.md:1: a line with two (2)",
      "src/a.ts:2: two",
      "[2 lines found in 2 files]",
      expect.stringContaining("folders named .git (1)"),
    ]);
    expect(await run("search", { text: "two", glob: "*.ts" })).toMatch(
      /^src\/a\.ts:2: two\n\[1 line found in 1 file\]/,
    );
    expect(await run("search", { text: "two", glob: "docs/**/*.ts" })).toMatch(/^\[no line found in 0 files\]/);
    expect(await run("search", { pattern: "^t.*e$|\\(\\d\\)$", path: "docs" })).toMatch(/^docs\/b\.md:1: /);
    expect(await run("search", { pattern: "^t\\w+e", path: "src/a.ts" })).toMatch(/^src\/a\.ts:3: three/);
  });

  it("says what was not looked at, and never follows a link", async () => {
    put("binary", Buffer.from("two\0"));
    put("large", "two ".repeat(300_000));
    const found = await run("search", { text: "two" });
    expect(found).not.toContain("secret");
    expect(found).not.toContain("index.js");
    for (const what of [
      "links (5)",
      "folders named node_modules (1)",
      "binary, or not UTF-8 (1)",
      "files over 1048576 bytes (1)",
    ])
      expect(found).toContain(what);
    put("lines", "two\n".repeat(300));
    expect((await run("search", { text: "two", path: "lines" })).split("\n")).toHaveLength(202);
    expect(await run("search", { text: "two", path: "lines" })).toMatch(/ended after 200 lines were found/);
  });

  it("T26: ends when it has read enough, and says so", async () => {
    for (let number = 0; number < 70; number++) {
      put(`many/${number}`, "");
      truncateSync(at(`many/${number}`), 1024 * 1024);
    }
    expect(await run("search", { text: "two", path: "many" })).toMatch(/ended after 64 files and 67108864 bytes/);
  });

  it("T26: a pattern that would go on for ever is done, or ends with a word", async () => {
    put("slow", `${"a".repeat(500_000)}!\n`);
    expect(await run("search", { pattern: "(a+)+$", path: "slow" })).toMatch(/^\[no line found in 1 file\]$/);
    await expect(run("search", { pattern: "(a)\\1" })).rejects.toThrow(/refers back to a group/);
    await expect(run("search", { pattern: "a", text: "b" })).rejects.toThrow(/either text or pattern/);
    await expect(run("search", { text: "a\nb" })).rejects.toThrow(/line break/);
    await expect(run("search", { text: "a", glob: "{a,b}" })).rejects.toThrow(/glob cannot be used/);
  });
});

describe("AG-7: write and replace", () => {
  it("writes whole files, makes folders, and keeps what may run", async () => {
    put("run.sh", "old");
    chmodSync(at("run.sh"), 0o775);
    expect(await run("write", { path: "run.sh", content: "new" })).toBe(
      "Wrote run.sh: 3 bytes. It replaces what was there.",
    );
    expect([readFileSync(at("run.sh"), "utf8"), lstatSync(at("run.sh")).mode & 0o777]).toEqual(["new", 0o775]);
    expect(await run("write", { path: "x/y/z", content: "" })).toBe("Wrote x/y/z: 0 bytes. It is new.");
    expect(readFileSync(at("x/y/z"), "utf8")).toBe("");
    expect(written).toEqual([at("run.sh"), at("x/y/z")]);
  });

  it("replaces exactly one occurrence, unless all are meant", async () => {
    put("b", "\ufeffa $& b\nb\r\n");
    expect(await run("replace", { path: "b", old: "a", new: "$&$1" })).toBe("Replaced it in b, line 1.");
    expect(readFileSync(at("b"), "utf8")).toBe("\ufeff$&$1 $& b\nb\r\n");
    await expect(run("replace", { path: "b", old: "b", new: "c" })).rejects.toThrow(
      /occurs 2 times in b \(lines 1, 2\)/,
    );
    await expect(run("replace", { path: "b", old: "z", new: "c" })).rejects.toThrow(/does not occur/);
    await expect(run("replace", { path: "b", old: "b\n\n", new: "c" })).rejects.toThrow(/CRLF/);
    await expect(run("replace", { path: "b", old: "", new: "c" })).rejects.toThrow(/old is empty/);
    await expect(run("replace", { path: "none", old: "b", new: "c" })).rejects.toThrow(/there is no none/);
    expect(await run("replace", { path: "b", old: "b", new: "", all: true })).toMatch(/2 occurrences in b, lines 1, 2/);
    expect(readFileSync(at("b"), "utf8")).toBe("\ufeff$&$1 $& \n\r\n");
  });

  it("T26: nothing is built that has no room, and half a character is not written", async () => {
    put("b", "a".repeat(100_000));
    const before = everything();
    await expect(run("replace", { path: "b", old: "a", new: "b".repeat(1000), all: true })).rejects.toThrow(
      /more than/,
    );
    await expect(run("write", { path: "c", content: "\ud800" })).rejects.toThrow(/lone surrogate/);
    await expect(run("write", { path: "src", content: "" })).rejects.toThrow(/is a folder/);
    expect([everything(), written]).toEqual([before, []]);
  });

  it("AG-4: says what became of a skill, after it was written, and only then", async () => {
    const seen: string[] = [];
    const onSkillWritten = async (path: string) => {
      seen.push(`${path}: ${existsSync(path) ? readFileSync(path, "utf8") : "gone"}`);
      return "Skills were loaded again.";
    };
    const told = (name: string, input: ToolInput) => toolNamed(name, { onSkillWritten }).run(input, context);
    expect(await told("write", { path: "s/SKILL.md", content: "x\n" })).toMatch(/\nSkills were loaded again\.$/);
    expect(await told("replace", { path: "s/SKILL.md", old: "x", new: "y" })).toMatch(/\nSkills were loaded again\.$/);
    await told("write", { path: "s/skill.md", content: "" });
    await told("write", { path: "s/SKILL.md.txt", content: "" });
    await expect(told("replace", { path: "s/SKILL.md", old: "x", new: "z" })).rejects.toThrow(/does not occur/);
    expect(await told("patch", { patch: "--- a/s/SKILL.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n" })).toMatch(/again\.$/);
    expect(seen).toEqual([`${at("s/SKILL.md")}: x\n`, `${at("s/SKILL.md")}: y\n`, `${at("s/SKILL.md")}: gone`]);
    const failing = async () => Promise.reject(new Error("no"));
    const answer = await toolNamed("write", { onSkillWritten: failing }).run(
      { path: "SKILL.md", content: "" },
      context,
    );
    expect(answer).toMatch(/^Wrote SKILL\.md.*\nSkills were not loaded again: no$/);
  });
});

describe("AG-7: patch", () => {
  const change = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n";

  it("changes, makes and takes away files in one call", async () => {
    put("gone", "x\n");
    const patch = `${change}--- /dev/null\n+++ b/deep/new\n@@ -0,0 +1 @@\n+n\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`;
    expect(toolNamed("patch").subject?.({ patch })).toEqual({ paths: ["src/a.ts", "deep/new", "gone"] });
    expect(await run("patch", { patch })).toBe("Changed src/a.ts.\nMade deep/new.\nTook away gone.");
    expect([
      readFileSync(at("src/a.ts"), "utf8"),
      readFileSync(at("deep/new"), "utf8"),
      existsSync(at("gone")),
    ]).toEqual(["one\nzwei\nthree\n", "n\n", false]);
    expect(written).toEqual([at("src/a.ts"), at("deep/new"), at("gone")]);
  });

  const unfit: readonly [what: string, second: string][] = [
    ["a second file that does not fit", "--- a/run\n+++ b/run\n@@ -1 +1 @@\n-no\n+yes\n"],
    ["a second file that is not there", "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-no\n+yes\n"],
    ["a new file that is there", "--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+n\n"],
    ["a new file that is a link", "--- /dev/null\n+++ b/dangling\n@@ -0,0 +1 @@\n+n\n"],
    ["a file that goes, but not all of it", "--- a/run\n+++ /dev/null\n@@ -1 +0,0 @@\n-first\n"],
    ["a path that leads out", "--- /dev/null\n+++ b/../new\n@@ -0,0 +1 @@\n+n\n"],
    ["a path through a link", "--- /dev/null\n+++ b/up/new\n@@ -0,0 +1 @@\n+n\n"],
    ["the same file again", change],
    ["something in the same file", "--- /dev/null\n+++ b/src/a.ts/b\n@@ -0,0 +1 @@\n+n\n"],
    ["what is no patch", "and so on\n"],
  ];

  it("T33: with one part that cannot be done nothing is written", async () => {
    put("run", "first\nsecond\n");
    const before = everything();
    for (const [what, second] of unfit) {
      const said = await run("patch", { patch: change + second }).catch(({ name }: Error) => name);
      expect([what, said]).toEqual([what, "AppError"]);
    }
    expect([everything(), written]).toEqual([before, []]);
  });

  it("says which files were written before the disk failed", async () => {
    const broken = {
      ...files,
      write: async (path: string, bytes: Parameters<typeof files.write>[1]) =>
        path.endsWith("new") ? Promise.reject(new Error("the disk is full")) : files.write(path, bytes),
    };
    const patch = `${change}--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n`;
    const answer = toolNamed("patch", { files: broken }).run({ patch }, context);
    await expect(answer).resolves.toMatch(/^The disk failed at new: the disk is full\..*\nChanged src\/a\.ts\.$/);
  });
});
