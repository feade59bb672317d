import { describe, expect, test } from "vitest";
import { countCharacters, hasUnseen, nameKey, safeLine, safeName } from "./text.ts";

describe("SK-13: safe text", () => {
  test.each([
    ["line\nbreak\r\tand tab", "line break and tab"],
    ["bidi\u202Egnp.exe", "bidignp.exe"],
    ["zero\u200Bwidth\u2060\uFEFF", "zerowidth"],
    ["tag\u{E0041}\u{E0042}", "tag"],
    ["vs\uFE0F\u{E0100} filler\u3164", "vs filler"],
    ["\u001b[31mred\u001b[0m", "[31mred[0m"],
    ["  two   spaces  ", "two spaces"],
  ])("safeName(%j) is %j", (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });

  test("a name shows at most 64 characters, whole ones", () => {
    const shown = safeName("😀".repeat(100));
    expect(countCharacters(shown)).toBe(64);
    expect(shown.endsWith("😀…")).toBe(true);
  });

  test("names are compared after NFKC and case folding, without what cannot be seen", () => {
    expect(nameKey("Ｐｄｆ\u200B")).toBe(nameKey("PDF"));
    expect(nameKey("STRASSE")).toBe(nameKey("straße"));
    expect(nameKey("pdf")).not.toBe(nameKey("pdf2"));
  });

  test("an excerpt shows the unseen as escapes, cut to one line", () => {
    expect(safeLine("a\u202Eb\nc")).toBe("a\\u{202e}b\\u{a}c");
    expect(safeLine("x".repeat(1000), 10)).toBe(`${"x".repeat(9)}…`);
    expect(hasUnseen(safeLine("\u0000".repeat(500)))).toBe(false);
  });
});
