import { describe, expect, it } from "vitest";
import { longestMatched, readPattern } from "./read-checks.ts";

describe("AG-9: patterns of cases", () => {
  it.each([
    String.raw`factor is \d{1,3}`,
    "^(?:yes|no)$",
    "a?b",
    String.raw`[a-z]{2,8}@[a-z]{2,8}`,
    String.raw`\u{1F600}`,
  ])("AG-9: %s is taken", (source) => expect(readPattern(source)).toBeInstanceOf(RegExp));

  it.each([
    ["a+", "no upper bound"],
    [".*", "no upper bound"],
    ["(a{1,9}){1,9}", "a repetition stands in a repetition"],
    [String.raw`(a)\1`, "refers back"],
    [String.raw`(?<x>a)\k<x>`, "refers back"],
    ["a{0,200}b{0,200}", "ways"],
    [`${"a?".repeat(30)}${"a".repeat(30)}`, "ways"],
    ["(a|a)".repeat(30), "ways"],
    ["a{9999999}", "ways"],
    ["(", "Unterminated"],
    ["", "expected"],
    ["a".repeat(501), "expected"],
  ])("T26: %s is refused", (source, why) => expect(readPattern(source)).toContain(why));

  it("T26: the dearest one that is taken comes to its end on the longest text", () => {
    const pattern = readPattern("(?:a{0,44}){1}a{0,44}b");
    if (typeof pattern === "string") throw new Error(pattern);
    expect(pattern.test("a".repeat(longestMatched))).toBe(false);
  });
});
