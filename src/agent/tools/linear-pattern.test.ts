import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LinearPattern } from "./linear-pattern.ts";
import { compilePattern } from "./pattern-program.ts";

function patternOf(source: string): LinearPattern {
  const program = compilePattern(source);
  if (typeof program === "string") throw new Error(`${source}: ${program}`);
  return new LinearPattern(program);
}

function isIn(source: string, line: string): boolean {
  return patternOf(source).find(line, { left: 1e9 }) >= 0;
}

describe("AG-7: search finds what the engine's own regular expressions find", () => {
  const atom = fc.constantFrom(
    "a",
    "b",
    "é",
    ".",
    "[ab]",
    "[^a]",
    "[a-c_]",
    "\\d",
    "\\w",
    "\\s",
    "\\.",
    "\\u0062",
    "\\p{L}",
  );
  const edge = fc.constantFrom("^", "$", "\\b", "\\B");
  const times = fc.constantFrom("", "", "", "*", "+", "?", "*?", "{2}", "{0,2}", "{1,}", "{0}");
  const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(atom, times).map(([one, many]) => one + many),
      edge,
      fc.tuple(tie("pattern"), times).map(([inside, many]) => `(${inside})${many}`),
      fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `(?:${one}|${other})`),
    ),
    pattern: fc.array(tie("part"), { maxLength: 3 }).map((parts) => parts.join("")),
  }));
  // Without pairs: between the halves of one the engine itself sees an edge.
  const line = fc.string({ unit: fc.constantFrom("a", "b", "c", "1", "_", " ", ".", "é"), maxLength: 12 });

  it("whatever the pattern and the line", () => {
    fc.assert(
      fc.property(pattern, line, (source, text) => {
        expect([source, text, isIn(source, text)]).toEqual([source, text, new RegExp(source, "u").test(text)]);
      }),
      { numRuns: 1000, seed: 11 },
    );
  });

  it.each([
    ["^.$", "😀", true],
    ["foo\\(", "call foo(1)", true],
    ["{", "if (a) {", true],
    ["a{b", "a{b", true],
    ["[\\-\\]x]", "]", true],
    ['\\"a\\"', 'say "a"', true],
    ["a\\-b\\_", "a-b_", true],
    ["(?<year>\\d{4})-", "on 2024-01", true],
    ["^import .* from", 'import { a } from "b"', true],
    ["\\bget\\w+\\(", "forget(", false],
  ])("%j in %j: %s", (source, text, found) => {
    expect(isIn(source, text)).toBe(found);
  });

  it.each([
    "(a)\\1",
    "\\k<a>",
    "(?=a)",
    "(?<!a)b",
    "(?i)a",
    "(a",
    "a)",
    "[a",
    "*",
    "a{3,1}",
    "\\c",
    "[b-a]",
    "a".repeat(513),
  ])("%j is refused, with a reason", (source) => {
    expect(compilePattern(source)).toBeTypeOf("string");
  });
});

describe("T26: no pattern is slow", () => {
  it.each(["(a+)+$", "(a|a)*b", "(a?){25}a{25}", "(a|aa)+$", "(.*)*x", "(?:(?:a*)*)*b", "((a{0,4}){0,4}){0,4}b"])(
    "%s takes work in proportion to the text",
    (source) => {
      const spent = (length: number) => {
        const effort = { left: 1e9 };
        patternOf(source).find(`${"a".repeat(length)}!`, effort);
        return 1e9 - effort.left;
      };
      expect(spent(200_000)).toBeLessThanOrEqual(2 * spent(100_000) + 1000);
    },
  );

  it("short lines cost no more than one long line", () => {
    const [pattern, effort] = [patternOf("(foo|bar)\\w*\\($"), { left: 100_000 }];
    for (let line = 0; line < 10_000; line++) expect(pattern.find("baz();", effort)).toBe(-1);
    expect(effort.left).toBeGreaterThan(30_000);
  });

  it("repetitions of repetitions are counted before they are written out", () => {
    expect(compilePattern("((((a{999}){999}){999}){999}){999}")).toMatch(/too many/);
  });

  it("stops when the effort is spent, also within a line", () => {
    const effort = { left: 10_000 };
    const letters = Array.from({ length: 50_000 }, (_, at) => String.fromCodePoint(0x4e00 + (at % 20_000))).join("");
    expect(patternOf("[^x]{300}y").find(letters, effort)).toBe(-1);
    expect(effort.left).toBeLessThan(0);
    expect(effort.left).toBeGreaterThan(-10_000);
  });
});
