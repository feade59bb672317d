import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Line } from "../line.ts";
import { hear, noStream, pendingLine } from "./stream-text.ts";

function heard(pieces: readonly string[]): Line[] {
  let stream = noStream;
  const lines: Line[] = [];
  for (const piece of pieces) {
    const next = hear(stream, piece);
    lines.push(...next.lines);
    ({ stream } = next);
  }
  return [...lines, pendingLine(stream)];
}

const textOf = (lines: readonly Line[]) => lines.map((line) => line.map(({ text }) => text).join(""));

describe("an answer as it comes", () => {
  test("T34: an escape sequence in two pieces is as harmless as in one", () => {
    expect(textOf(heard(["a\u001b", "[31mb\u009b2J\n", "\u001b]0;title\u0007"]))).toEqual([
      "a\\u{1b}[31mb\\u{9b}2J",
      "\\u{1b}]0;title\\u{7}",
    ]);
  });

  test("how it is cut into pieces does not matter", () => {
    const text = fc.array(
      fc.constantFrom("a", "\n", "\r\n", "```", "# x", "- ", "😀", "\u001b[1m", "\t", "é", "\u0301", "⚠\uFE0F"),
    );
    fc.assert(
      fc.property(text, (parts) => {
        const whole = parts.join("");
        expect(heard(whole.split(""))).toEqual(heard([whole]));
      }),
    );
  });

  test("tabs are blanks, emoji are shown by their parts, line breaks are line breaks", () => {
    expect(textOf(heard(["a\tb\r\n⚠\uFE0F 👩\u200D💻 1\uFE0F\u20E3\n"]))).toEqual(["a   b", "⚠ 👩💻 1\u20E3", ""]);
  });

  test("headings, fences and bullets are seen as such, and inside code nothing is", () => {
    const looks = heard(["# a\n- b\n```\n# c\n```\n"]).map((line) => line.map(({ look }) => look.join()));
    expect(looks).toEqual([["bold"], ["cyan", ""], ["dim"], ["cyan"], ["dim"], [""]]);
  });

  test("a line without an end does not wait for it, and loses nothing", () => {
    const text = `${"word ".repeat(5000)}x${"😀".repeat(5000)}`;
    const lines = textOf(heard([text]));
    expect(lines.join("")).toBe(text);
    expect(lines[0]).toMatch(/ $/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(4001);
  });
});
