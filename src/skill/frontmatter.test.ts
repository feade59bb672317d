import { describe, expect, test } from "vitest";
import { quoteBrokenValues } from "./frontmatter.ts";

describe("SK-4: the repair quotes what is broken and nothing else", () => {
  test.each([
    ["description: Use this: when needed", "description: 'Use this: when needed'"],
    ["a: it's: here", "a: 'it''s: here'"],
    ["a: one\n  two: three\nb: 1", "a: 'one\n  two: three'\nb: 1"],
    ["a: ends with:", "a: 'ends with:'"],
    ["a: x: y # 12", "a: 'x: y # 12'"],
    ["a: -x: y", "a: '-x: y'"],
    ["when to use: Use: this", "when to use: 'Use: this'"],
    ["a: **Bold** text", "a: '**Bold** text'"],
    ["a: `code` first", "a: '`code` first'"],
    ["a: @someone said", "a: '@someone said'"],
    ["a: {{name}}", "a: '{{name}}'"],
    ["a: [label] text", "a: '[label] text'"],
  ])("%j", (header, repaired) => {
    expect(quoteBrokenValues(header)?.header).toBe(repaired);
  });

  test.each([
    "a: plain",
    'a: "x: y"',
    "a: 'x: y'",
    "a: [x: y",
    "a: |\n  x: y",
    "a:\n  b: c",
    "# a: b: c",
    "a: b # c: d",
    "a: 12:30",
  ])("%j is left alone", (header) => {
    expect(quoteBrokenValues(header)).toBeUndefined();
  });
});
