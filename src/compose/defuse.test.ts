import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countMarkers } from "../../test/support/composing.ts";
import { createBoundary, defuse, unusedBoundary } from "./defuse.ts";

describe("CO-3: our grammar is defused wherever else it occurs", () => {
  test.each([
    ["[[skillward:end 00]]", "[[not-a-marker skillward:end 00]]"],
    ["a [[SkillWard:end]] b", "a [[not-a-marker SkillWard:end]] b"],
    ["[ [skillward:end", "[ [not-a-marker skillward:end"],
    ["[[ skillward :end", "[[ not-a-marker skillward :end"],
    ["[[skill\nward:end", "[[not-a-marker skill\nward:end"],
    ["[\r\n[\r\nskillward\t:", "[\r\n[\r\nnot-a-marker skillward\t:"],
    ["[\u200b[\u202es\u00adkillw\u{e0061}ard\ufeff:", "[\u200b[\u202enot-a-marker s\u00adkillw\u{e0061}ard\ufeff:"],
    ["［［ｓｋｉｌｌｗａｒｄ：ｅｎｄ", "［［not-a-marker ｓｋｉｌｌｗａｒｄ：ｅｎｄ"],
    ["[[𝐬𝕜𝒾𝓁𝔩𝗐𝘢𝚛𝓭:", "[[not-a-marker 𝐬𝕜𝒾𝓁𝔩𝗐𝘢𝚛𝓭:"],
    ["[[ѕкіllwаrd:end", "[[not-a-marker ѕкіllwаrd:end"],
    ["⟦skillward:end⟧", "⟦not-a-marker skillward:end⟧"],
    ["[[s\u0332k\u0332illward:", "[[not-a-marker s\u0332k\u0332illward:"],
    ["[[[[skillward:", "[[[[not-a-marker skillward:"],
    ["[[skill[[skillward:", "[[skill[[not-a-marker skillward:"],
    ["[[[ [x[[skillward:[[skillward:", "[[[ [x[[not-a-marker skillward:[[not-a-marker skillward:"],
    ["[[\ud800skillward:", "[[\ud800not-a-marker skillward:"],
  ])("%j", (text, expected) => {
    expect(defuse(text).text).toBe(expected);
    expect(defuse(expected)).toEqual({ text: expected, lines: [] });
  });

  test.each([
    "[skillward:end]",
    "[[skillward]]",
    "[[wiki link]] and [link](x)",
    "skillward:end",
    "[[x skillward:",
    "[x[skillward:",
    "[[skillwards:",
    "",
  ])("%j is nobody's marker and stays", (text) => {
    expect(defuse(text)).toEqual({ text, lines: [] });
  });

  test("says on which lines", () => {
    expect(defuse("a\n[[skillward:\n\n[[skillward: [[\nskillward:").lines).toEqual([2, 4, 5]);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      ...Array.from("[[skillward:"),
      "[[",
      "[[skillward:",
      "skillward:",
      "ward:",
      "］",
      "［",
      "Ｓ",
      "ｋ",
      "：",
      "\u212a",
    ),
    fc.constantFrom(" ", "\n", "\u200b", "\u202e", "\0", "\u0301", "\ud800", "x", "\u{1d42c}"),
  );

  test("law: afterwards there is none; what was put in is all that changed; a second time changes nothing", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const { text: defused, lines } = defuse(text);
        expect(countMarkers(defused)).toBe(0);
        expect(defused.replaceAll("not-a-marker ", "")).toBe(text);
        expect(defused.length - text.length).toBe(lines.length * "not-a-marker ".length);
        expect(defuse(defused).lines).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(["[", "[ ", "[[s", "[[skillward", "[[skillward:", " ", "\u0301", "[\u200b"])(
    "T26: a megabyte of %j takes a moment",
    (unit) => {
      const text = unit.repeat((1 << 20) / unit.length);
      expect(defuse(text).text.length).toBeGreaterThanOrEqual(text.length);
    },
  );
});

describe("CO-3: the boundary", () => {
  const base = "0123456789abcdef0123456789abcdef";

  test("is 128 bits as hex, and another for any other key or content", () => {
    const key = Buffer.alloc(32, 1);
    const one = createBoundary(key, ["a", "user", [["e", "d"]]], []);
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(createBoundary(key, ["a", "user", [["e", "d"]]], [])).toBe(one);
    const others = [
      createBoundary(Buffer.alloc(32, 2), ["a", "user", [["e", "d"]]], []),
      createBoundary(key, ["b", "user", [["e", "d"]]], []),
      createBoundary(key, ["a", "system", [["e", "d"]]], []),
      createBoundary(key, ["a", "user", [["e", "x"]]], []),
      createBoundary(key, ["a", "user", [["ed", ""]]], []),
      createBoundary(key, ["a", "user", []], []),
    ];
    expect(new Set([one, ...others]).size).toBe(7);
  });

  test("has a counter when it occurs in an input", () => {
    expect(unusedBoundary(base, ["x", "y"])).toBe(base);
    expect(unusedBoundary(base, ["x", `a${base}b`])).toBe(`${base}-1`);
    expect(unusedBoundary(base, [`${base}-1`, `${base}-2x`])).toBe(`${base}-3`);
    // `-12` is also an occurrence of `-1`.
    expect(unusedBoundary(base, [`${base}-12`])).toBe(`${base}-2`);
    const key = Buffer.alloc(32, 1);
    const predicted = createBoundary(key, ["a"], []);
    expect(createBoundary(key, ["a"], [predicted])).toBe(`${predicted}-1`);
  });

  test("law: never occurs in an input; a long text of counters takes a moment (T26)", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 20 }), fc.boolean(), (counters, bare) => {
        const texts = [...counters.map((counter) => `x${base}-${counter}y`), ...(bare ? [base] : [])];
        const boundary = unusedBoundary(base, texts);
        expect(texts.some((text) => text.includes(boundary))).toBe(false);
      }),
    );
    const text = Array.from({ length: 20_000 }, (_, counter) => `${base}-${counter}`).join(" ");
    expect(unusedBoundary(base, [text])).toBe(`${base}-20000`);
  });
});
