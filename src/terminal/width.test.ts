import { describe, expect, test } from "vitest";
import { cellsOf, headOf, visible } from "./width.ts";

describe("cells of a terminal", () => {
  test.each([
    ["", 0],
    ["abc", 3],
    ["é", 1],
    ["e\u0301", 1],
    ["日本", 4],
    ["한글", 4],
    ["ｗｉｄｅ", 8],
    ["🌧", 1],
    ["😀", 2],
    ["✅", 2],
    ["✓▲─…┊", 5],
    ["🇩🇪", 2],
    ["नमस्ते", 4],
    ["\u1112\u1161\u11ab", 2],
    ["\u1100\u1100\u1161", 4],
    ["שלום", 4],
    ["\u{20000}", 2],
  ])("%s takes %i", (text, cells) => {
    expect(cellsOf(text)).toBe(cells);
  });

  test("a head never takes more than it may, and a mark stays with its letter", () => {
    expect(headOf("日本語", 5)).toBe("日本");
    expect(headOf("日本語", 1)).toBe("");
    expect(headOf("e\u0301e\u0301", 1)).toBe("e\u0301");
    expect(headOf("plain", 2)).toBe("pl");
    expect(headOf("plain", -1)).toBe("");
  });
});

describe("T28: what may be written", () => {
  test.each([
    ["an escape sequence", "\u001b[2J", "\\u{1b}[2J"],
    ["a carriage return", "a\rb", "a\\u{d}b"],
    ["a line break", "a\nb", "a\\u{a}b"],
    ["an 8-bit control sequence", "\u009b2J", "\\u{9b}2J"],
    ["a bidi override", "a\u202eb", "a\\u{202e}b"],
    ["zero width", "a\u200bb", "a\\u{200b}b"],
    ["a tag character", "\u{e0041}", "\\u{e0041}"],
    ["half a surrogate pair", "\ud800", "\\u{d800}"],
    ["a code point without a meaning", "\u{2fffe}", "\\u{2fffe}"],
    ["a mark at the beginning, which would sit on ours", "\u0336name", "\\u{336}name"],
    ["a mark on no letter", "a (\u0336b", "a (\\u{336}b"],
  ])("%s is spelled", (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(visible(visible(text))).toBe(shown);
  });

  test("marks that are piled up do not reach other lines", () => {
    const shown = visible(`a${"\u0301".repeat(40)}b`);
    expect(shown).toBe(`a${"\u0301".repeat(4)}${"\\u{301}".repeat(36)}b`);
  });

  test("what people write stays as it is", () => {
    for (const text of ["naïve", "日本語", "हिन्दी", "עברית", "Tiếng Việt", "😀"]) expect(visible(text)).toBe(text);
  });
});
