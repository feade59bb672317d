import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readKeys } from "./ask-secret.ts";

const printable = fc.string({ unit: "grapheme" }).map((text) => text.replace(/\p{Cc}/gu, ""));

describe("keys at a terminal that repeats nothing", () => {
  test.each<[string, string, string]>([
    ["Enter ends the line", "secret\r", "secret"],
    ["what comes after it is not part of it", "secret\rmore", "secret"],
    ["backspace takes the last character", "secrett\u007f\r", "secret"],
    ["on an empty line it takes nothing", "\u007f\bsecret\r", "secret"],
    ["a character outside the basic plane is one", "pass🔑\u007fword\r", "password"],
    ["Ctrl-U begins again", "wrong\u0015secret\r", "secret"],
    ["arrows and Home are no text", "se\u001b[Dcr\u001bOHet\u001b[1;5C\r", "secret"],
    ["what a paste is wrapped in is no text", "\u001b[200~secret\u001b[201~\r", "secret"],
    ["Ctrl-D within a line does nothing", "sec\u0004ret\r", "secret"],
    ["a pasted line may end in CR LF", "secret\r\n", "secret"],
  ])("%s", (_what, raw, line) => {
    expect(readKeys(raw, 1)).toEqual({ lines: [line], ends: true });
  });

  test.each([
    ["Ctrl-C", "half\u0003more\r"],
    ["Ctrl-D on an empty line", "\u0004more\r"],
  ])("%s ends without a line", (_what, raw) => {
    expect(readKeys(raw, 1)).toEqual({ lines: [], ends: true });
  });

  test("whatever is typed is the line, in however many parts it comes", () => {
    fc.assert(
      fc.property(printable, printable, (first, second) => {
        const raw = `${first}\r${second}\r`;
        expect(readKeys(raw, 2)).toEqual({ lines: [first, second], ends: true });
        expect(readKeys(raw.slice(0, -1), 2)).toEqual({ lines: [first], ends: false });
      }),
    );
  });

  test("what is taken back leaves no trace", () => {
    fc.assert(
      fc.property(printable, printable, (kept, taken) => {
        const raw = `${kept}${taken}${"\u007f".repeat(Array.from(taken).length)}\r`;
        expect(readKeys(raw, 1).lines).toEqual([kept]);
      }),
    );
  });
});
