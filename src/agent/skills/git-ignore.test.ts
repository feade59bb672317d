import { describe, expect, it } from "vitest";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
import { createIgnored, KnownIgnores, parseGitIgnore } from "./git-ignore.ts";

const isIgnored = (rules: Readonly<Record<string, string>>, path: string, exclude = "") =>
  createIgnored(
    new Map(Object.entries(rules).map(([folder, text]) => [folder, parseGitIgnore(text)])),
    parseGitIgnore(exclude),
  )(path);

describe("AG-1: what git ignores", () => {
  it.each([
    ["build", "a/build/SKILL.md", true],
    ["build/", "a/build/SKILL.md", true],
    ["/build", "build/SKILL.md", true],
    ["/build", "a/build/SKILL.md", false],
    ["a/build", "a/build/SKILL.md", true],
    ["a/build", "b/a/build/SKILL.md", false],
    ["**/tmp/*.md", "x/tmp/SKILL.md", true],
    ["a/**", "a/b/SKILL.md", true],
    ["a/**/c", "a/c/SKILL.md", true],
    ["a/**/c", "a/x/y/c/SKILL.md", true],
    ["*.md", "a/SKILL.md", true],
    ["S?ILL.md", "a/SKILL.md", true],
    ["SKILL.md/", "a/SKILL.md", false],
    ["# SKILL.md", "SKILL.md", false],
    ["\\#x", "#x/SKILL.md", true],
    ["build  \r", "build/SKILL.md", true],
    ["*\n!a", "a/SKILL.md", true],
    ["*.md\n!SKILL.md", "a/SKILL.md", false],
    ["build\n!build/SKILL.md", "build/SKILL.md", true],
    ["[ab]", "a/SKILL.md", false],
    ["", "a/SKILL.md", false],
  ])("%j: %s is ignored: %j", (rules, path, expected) => {
    expect(isIgnored({ "": rules }, path)).toBe(expected);
  });

  it("rules further in come last, and count from their own folder", () => {
    expect(isIgnored({ "": "*.md", a: "!SKILL.md" }, "a/SKILL.md")).toBe(false);
    expect(isIgnored({ a: "/x" }, "a/x/SKILL.md")).toBe(true);
    expect(isIgnored({ a: "/x" }, "x/SKILL.md")).toBe(false);
    expect(isIgnored({ "": "!SKILL.md" }, "a/SKILL.md", "*.md")).toBe(false);
    expect(isIgnored({}, "a/SKILL.md", "*.md")).toBe(true);
  });

  it("T26: hostile rules are bounded and slow forms are none", () => {
    expect(parseGitIgnore("a\n".repeat(20_000))).toHaveLength(500);
    expect(parseGitIgnore(`${"*a".repeat(100)}b\n${"x".repeat(5_000)}`)).toEqual([]);
  });
});

describe("AG-1: ignore files that are known", () => {
  it("one that was just written when a slow reading began is read again, though it looks the same", async () => {
    const clock = fixedClock(0);
    const disk = memoryFiles({ "/w/.gitignore": "a/\n" });
    const files = {
      ...disk,
      // A disk that cannot tell two writes within one tick apart.
      stamp: async () => ({ kind: "file" as const, size: 3, mark: "same", changedAt: 0 }),
      read: async (path: string, most: number) => {
        const bytes = await disk.read(path, most);
        clock.advance(60_000);
        return bytes;
      },
    };
    const ignores = new KnownIgnores({ files, clock }, "/w");
    expect((await ignores.ignored([""]))("a/x")).toBe(true);
    await disk.write("/w/.gitignore", Buffer.from("b/\n"));
    expect((await ignores.ignored([""]))("b/x")).toBe(true);
  });
});
