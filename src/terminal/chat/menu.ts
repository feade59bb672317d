import type { Completion, Completions } from "../../agent/agent.ts";
import { cellsIn, fit, type Line, line, pad, span } from "../line.ts";
import { type Editor } from "./editor.ts";

/** What a line can be completed with, while a person chooses. */
export interface Menu {
  /** Where in the text that begins which an item replaces. */
  readonly start: number;
  readonly items: readonly Completion[];
  /** Null: none is chosen yet. */
  readonly chosen: number | null;
}

const mostItems = 1000;

export interface Completed {
  readonly editor: Editor;
  readonly menu: Menu | null;
}

/** Tab on a line: the one item there is, or as much as all of them begin with and the menu of them. */
export function complete(editor: Editor, found: Completions): Completed {
  const menu = menuOf(editor, found);
  const [first, ...others] = menu?.items ?? [];
  if (menu === null || first === undefined) return { editor, menu: null };
  if (others.length === 0) return { editor: put(editor, menu.start, first.text), menu: null };
  const typed = editor.text.slice(menu.start, editor.at);
  const common = others.reduce((head, { text }) => commonHead(head, text), first.text);
  return { editor: common.startsWith(typed) ? put(editor, menu.start, common) : editor, menu };
}

/** The menu for what is typed by now; null when nothing fits any more. */
export function menuOf({ at }: Editor, { start, items }: Completions): Menu | null {
  if (items.length === 0 || start > at) return null;
  return { start, items: items.slice(0, mostItems), chosen: null };
}

export function choose(menu: Menu, by: -1 | 1): Menu {
  const { length } = menu.items;
  const from = menu.chosen ?? (by > 0 ? -1 : length);
  return { ...menu, chosen: (from + by + length) % length };
}

/** What was chosen before still is, wherever it stands now. */
export function chooseSame(menu: Menu | null, before: Menu): Menu | null {
  const chosen = before.chosen === null ? undefined : before.items[before.chosen];
  const at = menu?.items.findIndex(({ text }) => text === chosen?.text) ?? -1;
  return menu === null || at < 0 ? menu : { ...menu, chosen: at };
}

/** The line with the chosen item in it; undefined when none is chosen. */
export function take(editor: Editor, { start, items, chosen }: Menu): Editor | undefined {
  const item = chosen === null ? undefined : items[chosen];
  return item === undefined ? undefined : put(editor, start, item.text);
}

function put({ text, at }: Editor, start: number, completed: string): Editor {
  return { text: text.slice(0, start) + completed + text.slice(at), at: start + completed.length };
}

function commonHead(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  // Half a character is no beginning.
  return one.slice(0, length).replace(/[\ud800-\udbff]$/u, "");
}

/** Names and what is said of them: as many rows as fit, those around the chosen one. */
export function menuRows({ items, chosen }: Menu, columns: number, mostRows: number): Line[] {
  const room = Math.max(1, items.length > mostRows ? mostRows - 1 : mostRows);
  const top = Math.max(0, Math.min((chosen ?? 0) - Math.floor(room / 2), items.length - room));
  const seen = items.slice(top, top + room);
  const names = seen.map(({ text }) => line(text));
  const width = Math.min(Math.max(...names.map(cellsIn)), Math.max(12, Math.floor(columns / 2)));
  const rows = seen.map(({ text, about }, index) => {
    const isChosen = top + index === chosen;
    const name = pad(line(text, ...(isChosen ? (["reverse"] as const) : (["cyan"] as const))), width);
    return fit([span(isChosen ? "▸ " : "  ", "cyan"), ...name, span("  "), span(about, "dim")], columns);
  });
  const left = items.length - seen.length;
  return left === 0 || mostRows < 2 ? rows : [...rows, fit(line(`  … ${left} more`, "dim"), columns)];
}
