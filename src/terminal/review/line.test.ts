import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { block, createBody, fileLine, lineAbove, rowsWhere, windowOf } from "./body.ts";
import { cellsIn, fit, hang, heightOf, line, type Line, pad, prose, rule, span, spread, wrap } from "../line.ts";

const text = (spans: Line) => spans.map((each) => each.text).join("");
const texts = fc.array(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 5 });
const columns = fc.integer({ min: 2, max: 60 });

describe("lines", () => {
  test("what does not fit is told by an ellipsis", () => {
    expect(text(fit([span("one "), span("two")], 6))).toBe("one t…");
    expect(text(fit(line("日本語"), 4))).toBe("日…");
    expect(text(fit(line("fits"), 4))).toBe("fits");
  });

  test("pad, spread and rule are exactly as wide as they should be", () => {
    expect(text(pad(line("日"), 5))).toBe("日   ");
    expect(text(spread(line("a long left side"), line("right"), 12))).toBe("a long…right");
    expect(text(rule("title", 12))).toBe("── title ───");
  });

  test("a wrapped line has all of its text, whatever it is", () => {
    fc.assert(
      fc.property(texts, columns, (parts, room) => {
        const spans = parts.map((part, index) => ({ ...span(part), isWhole: index % 2 === 1 }));
        const lines = wrap(spans, room);
        expect(lines.map(text).join("")).toBe(text(spans));
        expect(Math.max(...lines.map(cellsIn))).toBeLessThanOrEqual(room);
        expect(heightOf(spans, room)).toBe(lines.length);
      }),
    );
  });

  test("a sign for something unseen is not torn, unless it is wider than the line", () => {
    const sign = { ...span("\\u{200b}", "reverse"), isWhole: true };
    expect(wrap([span("ab"), sign, sign], 10).map(text)).toEqual(["ab\\u{200b}", "\\u{200b}"]);
    expect(wrap([span("ab"), sign], 6).map(text)).toEqual(["ab", "\\u{200", "b}"]);
  });

  test("words are kept whole where they can be; only blanks at the end of a line are left out", () => {
    expect(prose("one two three", 7).map(text)).toEqual(["one two", "three"]);
    expect(prose("a verylongword b", 6).map(text)).toEqual(["a ", "verylo", "ngword", "b"]);
    expect(prose("https://long/, b", 6).map(text)).toEqual(["https:", "//long", "/, b"]);
    expect(hang(line("- "), line("  "), line("one two"), 6).map(text)).toEqual(["- one ", "  two"]);
    fc.assert(
      fc.property(texts, columns, (parts, room) => {
        const lines = prose(parts.join(" "), room);
        expect(Math.max(...lines.map(cellsIn))).toBeLessThanOrEqual(room);
        expect(lines.map(text).join("").replaceAll(" ", "")).toBe(text(line(parts.join(" "))).replaceAll(" ", ""));
      }),
    );
  });
});

describe("a body", () => {
  const body = createBody([
    block([line("a"), line("b")]),
    fileLine(line("1 "), line("  "), line("xxxxyyyyz"), 4, true),
    block([line("c")], { finding: 7 }),
  ]);

  test("is seen through a window of any place and size", () => {
    const all = ["a", "b", "1 xxxx", "  yyyy", "  z", "c"];
    expect(body.height).toBe(all.length);
    for (let top = 0; top <= all.length; top++)
      for (let count = 0; count <= all.length + 1; count++)
        expect(windowOf(body, top, count).map(text)).toEqual(all.slice(top, top + count));
  });

  test("knows where its stops and findings are", () => {
    expect(rowsWhere(body, ({ isStop }) => isStop === true)).toEqual([2]);
    expect(rowsWhere(body, ({ finding }) => finding === 7)).toEqual([5]);
    expect(lineAbove(body, 5)).toBe(2);
  });
});
