import { describe, expect, it } from "vitest";
import { createIgnored, parseGitIgnore } from "./git-ignore.ts";

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
