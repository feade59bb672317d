import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellsIn } from "../line.ts";
import { nothingHeld, readKeys } from "../keys.ts";
import { editRows } from "./edit-rows.ts";
import { chatKeyboard, edit, type Editor, emptyEditor, moveLine } from "./editor.ts";

/** With `|` where the cursor is. */
function typed(raw: string, from: Editor = emptyEditor): string {
  const { keys } = readKeys(nothingHeld, raw, chatKeyboard);
  return marked(keys.reduce((editor, key) => edit(editor, key) ?? editor, from));
}

const marked = ({ text, at }: Editor) => `${text.slice(0, at)}|${text.slice(at)}`;

describe("the line editor", () => {
  test.each([
    ["insert", "ac\u001b[Db", "ab|c"],
    ["backspace", "ab\u007f", "a|"],
    ["delete", "abc\u0001\u001b[3~", "|bc"],
    ["home and end", "bc\u001b[Ha\u001b[Fd", "abcd|"],
    ["Ctrl-K", "abc\u001b[D\u000b", "ab|"],
    ["Ctrl-K at the end of a line", "a\u001b\rb\u0001\u001b[D\u000b", "a|b"],
    ["Ctrl-U", "abc\u001b[D\u0015", "|c"],
    ["Ctrl-W takes all up to a blank", "ab c-d \u0017", "ab |"],
    ["word moves stop at what is no letter", "ab c-d\u001bb\u001b[1;5Dx", "ab xc-d".replace("x", "x|")],
    ["word to the right", "ab cd\u0001\u001bf", "ab| cd"],
    ["Alt-Enter", "a\u001b\rb", "a\nb|"],
    ["a character of two halves is one", "a😀\u007f", "a|"],
    ["a letter with its marks is one", "xe\u0301\u001b[D", "x|e\u0301"],
    ["a paste keeps its lines", "\u001b[200~a\r\n\tb\u001b[201~", "a\n\tb|"],
  ])("AG-10: %s", (_what, raw, wanted) => {
    expect(typed(raw)).toBe(wanted);
  });

  test("up and down in a text of several lines keep the column where they can", () => {
    const text = "abcd\nx\nefgh";
    expect(marked(moveLine({ text, at: 3 }, 1))).toBe("abcd\nx|\nefgh");
    expect(marked(moveLine({ text, at: 9 }, -1))).toBe("abcd\nx|\nefgh");
    expect(marked(moveLine({ text: "😀😀\nab", at: 6 }, -1))).toBe("😀|😀\nab");
  });

  test("whatever is typed, the cursor stands between two characters, and every row fits with the cursor in it", () => {
    const key = fc.constantFrom(
      "a",
      " ",
      "日",
      "😀",
      "e\u0301",
      "\u001b[D",
      "\u001b[C",
      "\u007f",
      "\u001b[3~",
      "\u0017",
      "\u001b\r",
      "\u001bb",
      "\u001bf",
      "\u0001",
      "\u0005",
      "\u000b",
      "\u001b[200~\u001b[31m\u200d\u001b[201~",
    );
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), fc.integer({ min: 4, max: 30 }), (raw, columns) => {
        const { keys } = readKeys(nothingHeld, raw.join(""), chatKeyboard);
        const editor = keys.reduce((before, each) => edit(before, each) ?? before, emptyEditor);
        expect(editor.text.slice(0, editor.at).isWellFormed()).toBe(true);
        const { rows, cursor } = editRows(editor, columns, 6);
        expect(rows.length).toBeLessThanOrEqual(6);
        for (const row of rows) expect(cellsIn(row)).toBeLessThanOrEqual(columns);
        expect(rows[cursor?.row ?? -1]).toBeDefined();
        expect(cursor?.column).toBeLessThan(columns);
      }),
    );
  });
});

describe("what is being typed, in rows", () => {
  const textOf = (editor: Editor, columns: number, most = 20) => {
    const { rows, cursor } = editRows(editor, columns, most);
    return { rows: rows.map((row) => row.map(({ text }) => text).join("")), cursor };
  };

  test("line breaks have a mark, wrapped rows are set in", () => {
    expect(textOf({ text: "abcdef\nx", at: 8 }, 6)).toEqual({
      rows: ["› abcd", "  ef", "… x"],
      cursor: { row: 2, column: 3 },
    });
  });

  test("after a full row the cursor is on the next one", () => {
    expect(textOf({ text: "abcd", at: 4 }, 6)).toEqual({ rows: ["› abcd", "  "], cursor: { row: 1, column: 2 } });
    expect(textOf({ text: "abc日", at: 4 }, 6)).toEqual({ rows: ["› abc", "  日"], cursor: { row: 1, column: 4 } });
  });

  test("T34: what cannot be seen stands there by its number, and the cursor after it", () => {
    expect(textOf({ text: "a\u001bb", at: 2 }, 40)).toEqual({ rows: ["› a\\u{1b}b"], cursor: { row: 0, column: 9 } });
  });

  test("of very much only what is around the cursor is shown", () => {
    const text = Array.from({ length: 50 }, (_, index) => `line ${index}`).join("\n");
    expect(textOf({ text, at: 0 }, 40, 3).rows).toEqual(["› line 0", "… line 1", "… line 2"]);
    expect(textOf({ text, at: text.length }, 40, 3).rows).toEqual(["… line 47", "… line 48", "… line 49"]);
  });
});
