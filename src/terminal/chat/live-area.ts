import { cellsIn, type Line, paint } from "../line.ts";
import type { Size } from "../terminal.ts";

/** Where the cursor stands in the area. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

export interface Frame {
  readonly rows: readonly Line[];
  /** Null: nobody types. It then waits, unseen, where the area begins. */
  readonly cursor: Cursor | null;
}

/**
 * How wide rows around the cursor should be. What terminals make of them when they have to be wrapped anew, and of the
 * cursor then, is not the same everywhere, and where the area begins would be a guess: with some room to spare none has
 * to be while somebody draws the window to another size.
 */
export function roomyColumns(columns: number): number {
  return columns < 40 ? columns : columns - Math.floor(columns / 10);
}

const [noWrap, wrap, hide, show] = ["\u001b[?7l", "\u001b[?7h", "\u001b[?25l", "\u001b[?25h"];
const eraseBelow = "\r\u001b[0m\u001b[J";

/**
 * The one writer to the terminal: rows at its lower end that are drawn again and again, and what is printed above them for
 * good. Everything is said relative to the cursor, so that it holds wherever on the screen that is.
 */
export class LiveArea {
  readonly #output: { write(text: string): unknown };
  readonly #hasColours: boolean;
  #frame: Frame = { rows: [], cursor: null };
  #shown: readonly string[] = [];
  /** In which row of the area the cursor is. */
  #row = 0;

  constructor(output: { write(text: string): unknown }, hasColours: boolean) {
    this.#output = output;
    this.#hasColours = hasColours;
  }

  open(): void {
    this.#output.write("\u001b[?2004h");
  }

  /** Somebody else had the terminal. What they wrote stands below where we were, so that nothing of it above is theirs. */
  openAgain(): void {
    this.open();
    this.#output.write(this.#wipe());
  }

  /** The area is gone; what was printed stays. */
  close(): void {
    this.#output.write(`${this.#wipe()}\u001b[?2004l${show}`);
  }

  /** Lines for good, and the area below them. Long lines are the terminal's to wrap, so that they can be copied whole. */
  update(printed: readonly Line[], frame: Frame): void {
    const above = printed.length === 0 ? "" : `${this.#wipe()}${this.#paintAll(printed).join("\r\n")}\r\n`;
    const written = above + this.#draw(frame);
    if (written !== "") this.#output.write(written);
  }

  /** The window has another size: terminals wrap what is on them anew, so that the area begins higher up than it did. */
  onResize({ columns }: Size): void {
    const { rows, cursor } = this.#frame;
    const above = rows.slice(0, this.#row).map((row) => Math.max(1, Math.ceil(cellsIn(row) / columns)));
    this.#row = above.reduce((sum, height) => sum + height, Math.floor((cursor?.column ?? 0) / columns));
    this.#output.write(this.#wipe());
  }

  clearScreen(): void {
    this.#output.write(`${this.#wipe()}\u001b[2J\u001b[H`);
  }

  #wipe(): string {
    const written = this.#goTo(0) + eraseBelow;
    this.#shown = [];
    return written;
  }

  /** Only from the first row on that is another one now. */
  #draw(frame: Frame): string {
    const rows = this.#paintAll(frame.rows);
    const first = rows.findIndex((row, index) => row !== this.#shown[index]);
    const from = first < 0 ? rows.length : first;
    const changed = from < rows.length || from < this.#shown.length ? this.#rewrite(rows, from) : "";
    const [now, before] = [frame.cursor, this.#frame.cursor];
    const isMoved = changed !== "" || now?.row !== before?.row || now?.column !== before?.column;
    this.#frame = frame;
    return isMoved ? changed + this.#place(frame.cursor) : "";
  }

  #rewrite(rows: readonly string[], from: number): string {
    const isNew = from > 0 && from === this.#shown.length;
    const start = isNew ? `${this.#goTo(from - 1)}\r\n` : this.#goTo(from);
    this.#shown = rows;
    this.#row = Math.max(from, rows.length - 1);
    // Where our idea of how wide something is, is not the terminal's, a row is cut and the others stay where they are.
    return `${start}${eraseBelow}${noWrap}${rows.slice(from).join("\r\n")}${wrap}`;
  }

  #place(cursor: Cursor | null): string {
    if (cursor === null) return `${hide}${this.#goTo(0)}\r`;
    const { row, column } = cursor;
    return `${this.#goTo(row)}\r${column > 0 ? `\u001b[${column}C` : ""}${show}`;
  }

  #goTo(row: number): string {
    const by = row - this.#row;
    this.#row = row;
    return by === 0 ? "" : by < 0 ? `\u001b[${-by}A` : `\u001b[${by}B`;
  }

  #paintAll(lines: readonly Line[]): string[] {
    return lines.map((line) => paint(line, this.#hasColours));
  }
}
