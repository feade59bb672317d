import fc from "fast-check";
import { expect, it } from "vitest";
import { foldText } from "./fold.ts";

it.each([
  ["what cannot be seen", "dis\u200breg\u2060ard \u{e0041}\u202ethis\u202c\ufe0f", "disregard this"],
  ["full-width letters", "\uff46\uff4f\uff52\uff47\uff45\uff54\uff1a", "forget:"],
  ["mathematical letters", "\u{1d41f}\u{1d428}\u{1d42b}\u{1d420}\u{1d41e}\u{1d42d}", "forget"],
  ["enclosed letters", "\u24d5\u24de\u24e1 \u{1f155}\u{1f175} \u24a1", "for FF f"],
  ["small capitals and ligatures", "\ua730\u1d0f\u0280 o\ufb00", "for off"],
  ["odd blanks", "a\u00a0b\u3000c\u2800d\u3164e", "a b c d e"],
  ["entities", "&#102;or &#x67;et &lt;b&gt; &amp;#110;ot &nbsp;", "for get <b> not  "],
  ["look-alikes in a word that mixes scripts", "f\u043erg\u0435t \u0430pple", "forget apple"],
  ["struck-out letters", "f\u0336o\u0336r\u0336", "for"],
  ["typographic quotes", "don\u2019t \u201csay\u201d \u2011x", 'don\'t "say" -x'],
  ["colours of a terminal", "a\x1b[8mb\x1b[0m\x9b2Kc\0d", "abcd"],
])("T27: %s read as a model reads them", (_what, raw, text) => {
  expect(foldText(raw)).toBe(text);
});

it.each([
  "Compute \u03b1, \u0394x and \u03bcs \u2122 \u2014 10 \u00b0C",
  "\u0418\u0441\u043f\u043e\u043b\u044c\u0437\u0443\u0439\u0442\u0435 API",
  "\u4f7f\u7528\u6b64\u6280\u80fd",
  "R&D; AT&T &unknown; &#xd800; &#0; f\u00fcr na\u00efve",
])("T27: leaves %j as it is", (raw) => {
  expect(foldText(raw)).toBe(raw);
});

it("T27: a word of one script stays in it, whatever its letters look like", () => {
  expect(foldText("\u0441\u043e\u0440\u043e\u043a")).toBe("\u0441\u043e\u0440\u043e\u043a");
});

it("T27: lines stay where they are, whatever ends them elsewhere", () => {
  const odd = ["a\rb", "c\u2028d", "e&#10;f", "g\u0085h", "i\vj\fk"];
  expect(foldText(odd.join("\r\n")).split("\n")).toEqual(["a b", "c d", "e f", "g h", "i j k"]);
});

it("T27: on any text the lines are those of the text", () => {
  const anyChar = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  const piece = fc.constantFrom(
    "&",
    "#105;",
    "\r",
    "\n",
    "\u2028",
    "\u200b",
    "\u0430",
    "a",
    "\ud835",
    "\udd5a",
    "\u0301",
    "\x1b[",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, anyChar), { maxLength: 24 }), (pieces) => {
      const raw = pieces.join("");
      expect(foldText(raw).split("\n").length).toBe(raw.split("\n").length);
    }),
  );
});

it.each(["\u0301", "&", "&#105;", "&amp;", "a\u0430", "\u{1d41f}", "\u200b", "\x1b[", "a\u0301"])(
  "T26: 256 KB of %j are folded",
  (unit) => {
    const raw = unit.repeat((256 * 1024) / unit.length);
    expect(foldText(raw).length).toBeLessThanOrEqual(raw.length);
  },
);
