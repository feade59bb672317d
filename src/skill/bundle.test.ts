import { describe, expect, test } from "vitest";
import { createBundle } from "./bundle.ts";

const bundleOf = (...paths: string[]) =>
  createBundle(
    "demo",
    paths.map((path) => [path, Buffer.from(path)]),
  );
const outcome = (...paths: string[]) => {
  const { files, findings } = bundleOf(...paths);
  return { kept: files.map(({ path }) => path), codes: findings.map(({ code }) => code) };
};

describe("T23, SK-11: paths that could mischief are left out with a finding, the rest is kept", () => {
  test.each([
    "../x",
    "a/../x",
    "a/..",
    "./a",
    "/etc/passwd",
    "a//b",
    "a/",
    "C:/x",
    "c:x",
    "a\\b",
    "..\\x",
    "a\0b",
    "a\nb",
    "a\u0085b",
    "dir./x",
    "x.",
    "x ",
    "a/ /b",
    "\ud800",
    "",
    "x".repeat(1025),
  ])("%j", (path) => {
    expect(outcome("SKILL.md", path)).toEqual({ kept: ["SKILL.md"], codes: ["path.unsafe"] });
  });

  test.each([
    [["SKILL.md", "skill.md"], ["SKILL.md"]],
    [["SKILL.MD", "SKILL.md"], ["SKILL.md"]],
    [["Scope.yaml", "scope.yaml"], ["scope.yaml"]],
    [["a", "a"], ["a"]],
    [["a", "a/b"], ["a"]],
    [["a/É", "a/E\u0301"], ["a/E\u0301"]],
    [["Scripts/a", "scripts/b"], ["Scripts/a"]],
    [["STRASSE", "straße"], ["STRASSE"]],
  ])("twins %j: the first in byte order stays, or the one that has a meaning", (paths, kept) => {
    expect(outcome(...paths)).toEqual({ kept, codes: ["path.twin"] });
  });

  test.each(["..a", "a..b/c", "...x", ".hidden", "Ünï.md", "a b/c d.md", "con", "ab:c"])("%j is fine", (path) => {
    expect(outcome(path)).toEqual({ kept: [path], codes: [] });
  });
});

describe("SK-12: the bundle digest", () => {
  test("does not depend on the order files come in, and depends on every path", () => {
    expect(bundleOf("SKILL.md", "b").digest).toBe(bundleOf("b", "SKILL.md").digest);
    expect(bundleOf("SKILL.md", "b").digest).not.toBe(bundleOf("SKILL.md").digest);
  });

  test("is absent when not all was read: a part would pass for the whole", () => {
    const files = [["SKILL.md", Buffer.from("")]] as const;
    expect(createBundle("demo", files, { complete: false }).digest).toBeNull();
    expect(bundleOf("a").digest).toBeNull();
  });
});

test("a SKILL.md below the skill is a file of it", () => {
  expect(outcome("SKILL.md", "sub/SKILL.md")).toEqual({ kept: ["SKILL.md", "sub/SKILL.md"], codes: ["bundle.nested"] });
});
