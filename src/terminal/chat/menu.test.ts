import { describe, expect, test } from "vitest";
import type { Completion } from "../../agent/agent.ts";
import { cellsIn } from "../line.ts";
import { choose, chooseSame, complete, type Menu, menuRows, take } from "./menu.ts";

const item = (text: string): Completion => ({ text, about: `about ${text}` });
const line = (text: string) => ({ text, at: text.length });

describe("AG-6: Tab", () => {
  test("one item is put in, in the middle of a line too", () => {
    const found = { start: 0, items: [item("/route")] };
    expect(complete({ text: "/ro x", at: 3 }, found)).toEqual({ editor: { text: "/route x", at: 6 }, menu: null });
  });

  test("several: as much as they have in common, and the menu", () => {
    const { editor, menu } = complete(line("/s"), { start: 0, items: [item("/skills:a"), item("/skills:b")] });
    expect(editor.text).toBe("/skills:");
    expect(menu?.items).toHaveLength(2);
  });

  test("what all begin with does not take away what was typed in another case", () => {
    const { editor } = complete(line("/SK"), { start: 0, items: [item("/skills"), item("/skip")] });
    expect(editor.text).toBe("/SK");
  });

  test("nothing for nothing", () => {
    expect(complete(line("text"), { start: 4, items: [] })).toEqual({ editor: line("text"), menu: null });
  });

  test("what was chosen stays chosen when the items change, and is not when it is gone", () => {
    const menu = (...texts: readonly string[]): Menu => ({ start: 0, items: texts.map(item), chosen: null });
    const before = choose(menu("/a", "/b"), -1);
    expect(chooseSame(menu("/a", "/aa", "/b"), before)?.chosen).toBe(2);
    expect(chooseSame(menu("/a"), before)?.chosen).toBe(null);
    expect(chooseSame(menu("/a"), menu("/a"))?.chosen).toBe(null);
    expect(chooseSame(null, before)).toBe(null);
  });

  test("goes around in both directions, and Enter takes what is chosen", () => {
    const menu: Menu = { start: 0, items: [item("/a"), item("/b")], chosen: null };
    expect(choose(menu, -1).chosen).toBe(1);
    expect(choose(choose(choose(menu, 1), 1), 1).chosen).toBe(0);
    expect(take(line("/"), menu)).toBeUndefined();
    expect(take(line("/"), choose(menu, -1))?.text).toBe("/b");
  });

  test("the rows fit the screen, whatever the names are, and what is left out is counted", () => {
    const items = Array.from({ length: 30 }, (_, index) => item(`/日本${index}\u001b[31m${"x".repeat(index * 3)}`));
    for (const columns of [20, 200])
      for (const chosen of [null, 0, 15, 29]) {
        const rows = menuRows({ start: 0, items, chosen }, columns, 8);
        expect(rows).toHaveLength(8);
        for (const row of rows) expect(cellsIn(row)).toBeLessThanOrEqual(columns);
        expect(rows.at(-1)?.[0]?.text).toBe("  … 23 more");
        if (chosen !== null) expect(rows.filter(([mark]) => mark?.text === "▸ ")).toHaveLength(1);
      }
  });
});
