import { linkSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ToolInput } from "../../src/agent/tool.ts";
import { decide } from "../../src/scope/gate.ts";
import { parsePattern } from "../../src/scope/tools/patterns.ts";
import { at, everything, judge, room, root, run, toolNamed, useWorkspace, written } from "./workspace-tools.ts";

useWorkspace();

describe("T33: nothing is reached that the gate did not judge", () => {
  const hunk = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-secret two\n+x\n`;
  const calls = (path: string): [string, ToolInput][] => [
    ["read", { path }],
    ["list", { path }],
    ["search", { path, text: "two" }],
    ["write", { path, content: "x" }],
    ["replace", { path, old: "two", new: "x" }],
    ["patch", { patch: hunk(path) }],
  ];

  const hostile: readonly [what: string, path: string, why: RegExp][] = [
    ["a link out", "out", /leads out of the workspace/],
    ["a way through a link out", "up/outside.txt", /leads out of the workspace/],
    ["something new behind a link out", "up/new/file", /leads out of the workspace/],
    ["dots", "../outside.txt", /leads out of the workspace/],
    ["dots further in", "src/../../outside.txt", /leads out of the workspace/],
    ["a folder with the same beginning", "../workspace2/x", /leads out of the workspace/],
    ["a home", "~/x", /starts elsewhere/],
    [
      "a link inside, to what always asks",
      "inner/config",
      /inner\/config is a link to \.git\/config; ask for \.git\/config itself/,
    ],
    ["something new behind it", "inner/hooks/pre-commit", /is a link to \.git\/hooks\/pre-commit; ask for/],
    ["a link inside to a file", "alias", /alias is a link to src\/a\.ts; ask for src\/a\.ts itself/],
    ["a link that leads nowhere", "dangling", /leads nowhere/],
    ["a NUL", "src/a.ts\0.md", /NUL|no path/],
    ["a very long path", "a/".repeat(5000), /longer than|no path/],
    ["a very long name", "a".repeat(300), /too long/],
  ];

  it("every tool refuses to go through links and out of the workspace, and says why", async () => {
    const before = everything();
    for (const [what, path, why] of hostile)
      for (const [name, input] of calls(path)) {
        const said = await run(name, input).catch(({ message }: Error) => `refused: ${message}`);
        expect([what, name, said]).toEqual([what, name, expect.stringMatching(/^refused: /)]);
        expect([what, name, said]).toEqual([what, name, expect.stringMatching(why)]);
      }
    expect([everything(), written]).toEqual([before, []]);
  });

  it("an absolute path outside is refused, and one inside is the same path", async () => {
    await expect(run("read", { path: join(room, "outside.txt") })).rejects.toThrow(/leads out/);
    await expect(run("read", { path: `${root}2/x` })).rejects.toThrow(/leads out/);
    expect(toolNamed("read").subject?.({ path: at("src/./a.ts") })).toEqual({ paths: ["src/a.ts"] });
    expect(toolNamed("list").subject?.({})).toEqual({ paths: ["."] });
  });

  it("a path that cannot be used is told as it was written, so that no pattern lets it through", () => {
    const grant = parsePattern("read(**)");
    if (grant === null) throw new Error("no pattern");
    const host = { catalogue: new Set(["read"]), word: () => "ask" as const };
    const verdict = (path: string) =>
      decide(host, null, [grant], { tool: "read", ...toolNamed("read").subject?.({ path }) }).verdict;
    expect(verdict("src/a.ts")).toBe("allow");
    for (const path of ["../x", "/etc/passwd", "~/x", "a\0b", "a/".repeat(5000)]) expect(verdict(path)).toBe("ask");
  });

  it("a hard link is written beside, not through", async () => {
    linkSync(join(room, "outside.txt"), at("hard"));
    await run("write", { path: "hard", content: "x" });
    expect(readFileSync(join(room, "outside.txt"), "utf8")).toBe("secret two\n");
  });
});

describe("AG-7: who is asked", () => {
  it("nobody before reading and plain writing, a person before commands, and always before what decides later runs", () => {
    for (const name of ["read", "list", "search"]) expect(judge(name, { path: ".git/config" })).toBe("allow");
    expect(judge("write", { path: "skills/a/SKILL.md", content: "" })).toBe("allow");
    for (const path of [
      ".git/hooks/pre-commit",
      "src/../.GIT/config",
      at("skillward.yaml"),
      ".github/workflows/x.yml",
    ]) {
      expect(judge("write", { path, content: "" })).toBe("ask");
      expect(judge("replace", { path, old: "a", new: "b" })).toBe("ask");
    }
    const hooked =
      "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-one\n+1\n--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n";
    expect(judge("patch", { patch: hooked })).toBe("ask");
    expect(judge("patch", { patch: hooked.slice(0, hooked.indexOf("--- /dev/null")) })).toBe("allow");
    expect(toolNamed("shell").policy?.({ tool: "shell" }, null)).toBe("ask");
  });
});
