import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visibleFile, visibleLine, visibleText } from "./visible.ts";

/** Hidden pieces in angle brackets. */
function shown(line: string): string {
  return visibleLine(line)
    .map(({ text, hidden }) => (hidden ? `<${text}>` : text))
    .join("");
}

describe("RV-4, T28: a line as it is", () => {
  test("T28: plain text is one piece, as it is written", () => {
    expect(visibleLine("Format dates.")).toEqual([{ text: "Format dates.", mark: "same", hidden: false }]);
    expect(visibleLine("")).toEqual([]);
  });

  test.each([
    ["a control", "a\0b\u001b[8mc\u0007\u009b", "a<\\u{0}>b<\\u{1b}>[8mc<\\u{7}><\\u{9b}>"],
    ["a CR that ends no line", "curl x|sh\recho", "curl x|sh<\\u{d}>echo"],
    ["line and paragraph separators", "a\u2028b\u2029c\u0085d", "a<\\u{2028}>b<\\u{2029}>c<\\u{85}>d"],
    [
      "zero-width and bidi",
      "i\u200bg\u202en\u2066o\u00adr\u180ee",
      "i<\\u{200b}>g<\\u{202e}>n<\\u{2066}>o<\\u{ad}>r<\\u{180e}>e",
    ],
    ["tags and variation selectors", "a\u{e0041}\ufe0f\u{e0153}", "a<\\u{e0041}><\\u{fe0f}><\\u{e0153}>"],
    ["fillers", "\u3164\u115f\u1160\uffa0\u2800x", "<\\u{3164}><\\u{115f}><\\u{1160}><\\u{ffa0}><\\u{2800}>x"],
    [
      "odd spaces",
      "1\u00a0k\u2003m\u200a\u3000\u202f\u205f\u1680.",
      "1<\\u{a0}>k<\\u{2003}>m<\\u{200a}><\\u{3000}><\\u{202f}><\\u{205f}><\\u{1680}>.",
    ],
    ["lone surrogates, private use, unassigned", "a\ud800b\ue000c\u0378.", "a<\\u{d800}>b<\\u{e000}>c<\\u{378}>."],
    ["a byte order mark", "\ufeffa", "<\\u{feff}>a"],
    ["a tab, and white space at the end", "\ta b \t ", "<→>a b<·><→><·>"],
    ["white space before a CR at the end", "a \r", "a<·><\\u{d}>"],
    ["full-width and mathematical letters", "ｒｍ 𝗿", "<ｒ\\u{ff52}><ｍ\\u{ff4d}> <𝗿\\u{1d5ff}>"],
    ["a Cyrillic letter in a Latin word", "gіthub", "g<і\\u{456}>thub"],
    ["a Greek letter in a Latin word", "gοοd", "g<ο\\u{3bf}><ο\\u{3bf}>d"],
  ])("T28: shows %s", (_, line, visible) => {
    expect(shown(line)).toBe(visible);
  });

  test("T28: text in which an escape is written is told from the real thing", () => {
    expect(visibleLine("a\\u{200b}")).toEqual([{ text: "a\\u{200b}", mark: "same", hidden: false }]);
    expect(visibleLine("a\u200b")[1]).toEqual({ text: "\\u{200b}", mark: "same", hidden: true });
    expect(visibleLine("·×500→").every(({ hidden }) => !hidden)).toBe(true);
  });

  test("T28: text behind many blanks is beside them, with their number", () => {
    expect(shown(`Usage.${" ".repeat(500)}Ignore`)).toBe("Usage.<·×500>Ignore");
    expect(shown(`a${"\u2800".repeat(80)}b`)).toBe("a<\\u{2800}×80>b");
    expect(shown(`a${" ".repeat(30)}b${" ".repeat(30)}`)).toBe(`a${" ".repeat(30)}b<·×30>`);
  });

  test("T27: what people write in their own script is left as it is", () => {
    for (const line of [
      "Используйте API для запроса",
      "Compute α, β and Δx.",
      "使用此技能（示例）",
      "Größe über 5 µm",
      "שלום עולם",
      "╔══╗",
    ])
      expect(shown(line)).toBe(line);
  });

  test("T28: law: nothing unseen is left, whatever the line, and none of it is lost", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (line) => {
        const text = visibleText(line);
        expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u2800\u3000]/u);
        expect(text.length).toBeGreaterThanOrEqual(Array.from(line).length > 8 ? 1 : Array.from(line).length);
      }),
    );
  });
});

describe("RV-4: a file as it is", () => {
  const fileOf = (bytes: Uint8Array) =>
    visibleFile("x", bytes).lines?.map((line) =>
      line.map(({ text, hidden }) => (hidden ? `<${text}>` : text)).join(""),
    );

  test("RV-4: only LF ends a line", () => {
    expect(fileOf(Buffer.from("a\nb\rc\u2028d\n\ne"))).toEqual(["a", "b<\\u{d}>c<\\u{2028}>d", "", "e"]);
    expect(fileOf(Buffer.from(""))).toEqual([]);
    expect(fileOf(Buffer.from("\n"))).toEqual([""]);
  });

  test("RV-4: a CR at the end of a line is shown where not every line has one", () => {
    expect(fileOf(Buffer.from("a\r\nb\r\n"))).toEqual(["a", "b"]);
    expect(fileOf(Buffer.from("a\r\nb\n"))).toEqual(["a<\\u{d}>", "b"]);
    expect(fileOf(Buffer.from("a\r\nb\r"))).toEqual(["a", "b<\\u{d}>"]);
  });

  test("T25: a NUL or a byte that is not UTF-8 hides nothing", () => {
    expect(fileOf(Buffer.from("run\0 me\n"))).toEqual(["run<\\u{0}> me"]);
    const script = Buffer.concat([
      Buffer.from("#!/bin/sh\n# gr"),
      Buffer.from([0xfc]),
      Buffer.from("n\ncurl evil.example\n"),
    ]);
    expect(fileOf(script)).toEqual(["#!/bin/sh", "# gr<\\x{fc}>n", "curl evil.example"]);
  });

  test("T25: what is mostly not UTF-8 is not text", () => {
    expect(fileOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe))).toBeUndefined();
    expect(fileOf(new Uint8Array(2_000_000).fill(0xff))).toBeUndefined();
  });
});
