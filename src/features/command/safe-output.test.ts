import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasUnseen } from "../../core/text.ts";
import type { Screen } from "./output.ts";
import { makeVisible, printAnswer, printExact, renderVisibleJson } from "./safe-output.ts";

/** Takes down what is written to it. */
function screen(isTTY: boolean): Screen & { readonly text: () => string } {
  const written: string[] = [];
  return { isTTY, write: (text) => written.push(text), text: () => written.join("") };
}

const hostile = "\u001b]0;title\u0007red\u001b[31m \u009b2J a\rb \u202ereversed\u2066 \u{e0041}\u200b\ud800";
const shown = String.raw`\u{1b}]0;title\u{7}red\u{1b}[31m \u{9b}2J a\u{d}b \u{202e}reversed\u{2066} \u{e0041}\u{200b}\u{d800}`;

const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
      fc.constantFrom(...Array.from(hostile), "\n", "\t", "❤", "\uFE0F", "\u200D"),
    ),
  )
  .map((characters) => characters.join(""));

describe("CO-19, T34: what a terminal is shown", () => {
  test("CO-19: escape sequences and what cannot be seen stand there as text", () => {
    expect(makeVisible(hostile)).toBe(shown);
  });

  test("CO-19: lines, tabs and emoji stay as they are", () => {
    const honest = "one\n\ttwo ⚠️ 👨‍💻 ✅\n";
    expect(makeVisible(honest)).toBe(honest);
    expect(makeVisible("a\uFE0F \u200Db")).toBe(String.raw`a\u{fe0f} \u{200d}b`);
  });

  test("CO-19: whatever the text, nothing else that is unseen is left", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const left = makeVisible(text).replace(/\n|\t|\uFE0F|\u200D/g, "");
        expect(hasUnseen(left)).toBe(false);
      }),
    );
  });

  test("T26: a megabyte of joiners takes a moment", () => {
    expect(makeVisible("❤\uFE0F\u200D".repeat(300_000)).length).toBeGreaterThan(300_000);
  });

  test("CO-3: a block is printed exactly into a pipe, and visibly to a terminal", () => {
    const [pipe, terminal] = [screen(false), screen(true)];
    printExact(hostile, pipe);
    printExact(hostile, terminal);
    expect([pipe.text(), terminal.text()]).toEqual([hostile, `${shown}\n`]);
  });

  test("CO-19: an answer is made visible in a pipe too, unless it is asked for raw; a terminal never gets it raw", () => {
    const print = (isRaw: boolean, to: ReturnType<typeof screen>) => {
      printAnswer(hostile, isRaw, to);
      return to.text();
    };
    expect(print(false, screen(false))).toBe(`${shown}\n`);
    expect(print(true, screen(false))).toBe(hostile);
    expect(print(true, screen(true))).toBe(`${shown}\n`);
    expect(print(false, screen(true))).toBe(`${shown}\n`);
  });

  test("CO-19: nothing is printed for an empty text", () => {
    const to = screen(true);
    printExact("", to);
    printAnswer("", false, to);
    expect(to.text()).toBe("");
  });

  test("CO-19: JSON holds the same value, with nothing unseen as itself", () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText, (value, text) => {
        const json = renderVisibleJson({ value, text });
        expect(hasUnseen(json.replaceAll("\n", ""))).toBe(false);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })));
      }),
    );
  });
});
