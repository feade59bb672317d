import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fits, readGlob } from "./path-table.ts";

function isFit(pattern: string, path: string): boolean {
  const glob = readGlob(pattern);
  return glob !== null && fits(glob, path);
}

describe("path patterns (RT-2)", () => {
  it.each([
    ["*.tf", "a.tf", true],
    ["*.tf", "deep/er/a.tf", true],
    ["*.tf", "a.tf/b", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/b/c/a.ts", true],
    ["src/**", "src/b/c", true],
    ["src/", "src/b/c", true],
    ["/src/a", "x/src/a", true],
    ["./src/a", "src/a", true],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["a?c", "ac", false],
    ["{a,b{c,d}}.md", "bd.md", true],
    ["{a,b{c,d}}.md", "b.md", false],
    ["{a,}.md", ".md", true],
    ["{a", "{a", true],
    ["a.b", "axb", false],
    ["[a-z]+", "b", false],
    ["[a-z]+", "[A-Z]+", true],
    ["(a+)+$", "(a+)+$", true],
    ["*é*", "café.md", true],
    ["a*b*c", "aXbXbXc", true],
    ["a*b*c", "aXbXbX", false],
  ])("%s on %s: %s", (pattern, path, expected) => {
    expect(isFit(pattern, path)).toBe(expected);
  });

  it.each(["", "*", "**", "**/*", "?", "*.*", "///", "{*,a}", "a".repeat(257), "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"])(
    "%j says nothing of any file, or too much",
    (pattern) => {
      expect(readGlob(pattern)).toBeNull();
    },
  );

  it("fit as the regular expression that stands for them", () => {
    const piece = fc.constantFrom("a", "b", "*", "?", ".", "*a");
    const pattern = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => `a${pieces.join("")}`);
    const path = fc.string({ unit: fc.constantFrom("a", "b", "."), minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(pattern, path, (glob, name) => {
        const source = glob.replaceAll("**", "*").replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".");
        // A name that is only dots is not kept apart from its folder.
        fc.pre(glob !== "**" && name !== ".");
        expect(isFit(glob, name)).toBe(new RegExp(`^${source}$`).test(name));
      }),
      { numRuns: 2000, seed: 4 },
    );
  });
});
