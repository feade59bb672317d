import type { Completions } from "../../agent/agent.ts";
import type { Key } from "../keys.ts";
import { editRows } from "./edit-rows.ts";
import { edit, type Editor, emptyEditor, insert, isOnFirstLine, isOnLastLine, moveLine } from "./editor.ts";
import type { Frame } from "./live-area.ts";
import { choose, chooseSame, complete, type Menu, menuOf, menuRows, take } from "./menu.ts";

const mostMenuRows = 10;

/** The line a person types on, with its past and with what it can be completed with. */
export class Prompt {
  readonly #completions: (text: string) => Completions;
  readonly #past: PastLines;
  #editor: Editor = emptyEditor;
  #menu: Menu | null = null;

  constructor(completions: (text: string) => Completions, history: readonly string[] = []) {
    this.#completions = completions;
    this.#past = new PastLines(history);
  }

  get isEmpty(): boolean {
    return this.#editor.text === "";
  }

  get hasMenu(): boolean {
    return this.#menu !== null;
  }

  clear(): void {
    [this.#editor, this.#menu] = [emptyEditor, null];
    this.#past.rest();
  }

  /** What there is to choose from is not what it was. */
  refresh(): void {
    if (this.#menu !== null) this.#menu = chooseSame(menuOf(this.#editor, this.#found()), this.#menu);
  }

  /** Whether it is another line than the last one. */
  remember(text: string): boolean {
    return this.#past.add(text);
  }

  /** What was entered, if this key entered it. */
  press(key: Key): string | undefined {
    if (key.name === "tab") this.#onTab(1);
    else if (key.name === "shift-tab") this.#onTab(-1);
    else if (key.name === "enter") return this.#onEnter();
    else if (key.name === "escape") this.#menu = null;
    else if (key.name === "up" || key.name === "down") this.#onVertical(key.name === "up" ? -1 : 1);
    else this.#onEdit(key);
    return undefined;
  }

  /** While a turn runs: kept, and nothing is entered. */
  typeAhead(key: Key): void {
    this.#editor = edit(this.#editor, key) ?? this.#editor;
  }

  frame(columns: number, mostRows: number): Frame {
    const menuRoom = this.#menu === null ? 0 : Math.min(mostMenuRows, Math.max(1, Math.floor(mostRows / 2)));
    const { rows, cursor } = editRows(this.#editor, columns, Math.max(1, mostRows - menuRoom));
    const menu = this.#menu === null ? [] : menuRows(this.#menu, columns, menuRoom);
    return { rows: [...rows, ...menu], cursor };
  }

  #onTab(by: -1 | 1): void {
    if (this.#menu !== null) this.#menu = choose(this.#menu, by);
    else {
      const { editor, menu } = complete(this.#editor, this.#found());
      [this.#editor, this.#menu] = [editor, menu];
    }
  }

  #onEnter(): string | undefined {
    const taken = this.#menu === null ? undefined : take(this.#editor, this.#menu);
    this.#menu = null;
    if (taken !== undefined) {
      this.#editor = taken;
      return undefined;
    }
    const { text, at } = this.#editor;
    // A backslash before it makes it a line break.
    if (at > 0 && text[at - 1] === "\\") {
      this.#editor = insert({ text: text.slice(0, at - 1) + text.slice(at), at: at - 1 }, "\n");
      return undefined;
    }
    this.clear();
    return text;
  }

  #onVertical(by: -1 | 1): void {
    if (this.#menu !== null) this.#menu = choose(this.#menu, by);
    else if (by < 0 ? isOnFirstLine(this.#editor) : isOnLastLine(this.#editor)) {
      const text = this.#past.go(by, this.#editor.text);
      if (text !== undefined) this.#editor = { text, at: text.length };
    } else this.#editor = moveLine(this.#editor, by);
  }

  #onEdit(key: Key): void {
    this.#editor = edit(this.#editor, key) ?? this.#editor;
    // What is offered follows what is typed.
    if (this.#menu !== null) this.#menu = menuOf(this.#editor, this.#found());
  }

  #found(): Completions {
    return this.#completions(this.#editor.text.slice(0, this.#editor.at));
  }
}

const mostLines = 1000;

/** What was entered before, for going back to it. What stands in the editor meanwhile is not lost. */
export class PastLines {
  readonly #lines: string[] = [];
  /** Where in them the person is; at their end: in what is being typed. */
  #at = 0;
  #draft = "";

  constructor(lines: readonly string[] = []) {
    for (const line of lines.slice(-mostLines)) this.add(line);
  }

  /** Whether it is another one than the last. */
  add(line: string): boolean {
    const isNew = this.#lines.at(-1) !== line;
    if (isNew) this.#lines.push(line);
    if (this.#lines.length > mostLines) this.#lines.shift();
    this.#at = this.#lines.length;
    return isNew;
  }

  /** The line before, or after, the one where the person is; undefined when there is none. */
  go(by: -1 | 1, typed: string): string | undefined {
    const to = this.#at + by;
    if (to < 0 || to > this.#lines.length) return undefined;
    if (this.#at === this.#lines.length) this.#draft = typed;
    this.#at = to;
    return this.#lines[to] ?? this.#draft;
  }

  /** Back to what is being typed. */
  rest(): void {
    this.#at = this.#lines.length;
  }
}
