import type { Line } from "../line.ts";
import type { Size } from "../terminal.ts";
import { type AskedText, rowsOf } from "./asked-text.ts";

/** Nobody reads more before they say yes. */
const mostRows = 2000;

interface Row {
  readonly row: Line;
  /** Of the text's lines. */
  readonly line: number;
}

/** What is in the window. */
export interface View {
  readonly rows: readonly Line[];
  readonly from: number;
  /** Behind the last one. */
  readonly to: number;
  readonly total: number;
  readonly isAll: boolean;
  /** There is more than anybody reads. */
  readonly isTooLong: boolean;
  /** Nothing is left to read once this is on the screen. */
  readonly isLast: boolean;
}

/** How far somebody has read: only what was on the screen counts, from the first row on and without a gap (T28). */
export class Reading {
  readonly #text: AskedText;
  #columns = 0;
  #rows: readonly Row[] = [];
  #isTooLong = false;
  /** Never behind what was seen: else there would be a gap. */
  #top = 0;
  /** So many rows were on the screen. */
  #seen = 0;

  constructor(text: AskedText) {
    this.#text = text;
  }

  get isRead(): boolean {
    return this.#columns > 0 && !this.#isTooLong && this.#seen >= this.#rows.length;
  }

  /** As much as fits; a row of it is kept free for where this is, unless that is all. */
  view({ columns, rows: room }: Size): View {
    this.#layOut(columns);
    const total = this.#rows.length;
    const isAll = total <= room && !this.#isTooLong;
    const height = isAll ? total : Math.min(total, Math.max(1, room - 1));
    const from = Math.min(this.#top, total - height);
    const to = from + height;
    const rows = this.#rows.slice(from, to).map(({ row }) => row);
    const isLast = !this.#isTooLong && Math.max(this.#seen, to) >= total;
    return { rows, from, to, total, isAll, isTooLong: this.#isTooLong, isLast };
  }

  /** It is on the screen. */
  show({ from, to }: View): void {
    this.#top = from;
    this.#seen = Math.max(this.#seen, to);
  }

  /** Never past what was on the screen: of several keys at once the second finds nothing new. */
  scroll({ from, to, total }: View, by: "row" | "page", way: -1 | 1): void {
    const height = to - from;
    const top = from + way * (by === "row" ? 1 : height);
    this.#top = Math.max(0, Math.min(top, this.#seen, total - height));
  }

  /** In a window of another width rows are other ones: a line counts as seen when all of it was. */
  #layOut(columns: number): void {
    if (columns === this.#columns) return;
    const [seenLines, topLine] = [this.#lineAt(this.#seen), this.#lineAt(this.#top)];
    const rows: Row[] = [];
    for (const [line, asked] of this.#text.lines.entries()) {
      if (rows.length > mostRows) break;
      for (const row of rowsOf(asked, columns)) rows.push({ row, line });
    }
    this.#isTooLong = !this.#text.isWhole || rows.length > mostRows;
    [this.#columns, this.#rows] = [columns, rows];
    this.#seen = this.#rowOf(seenLines);
    this.#top = Math.min(this.#rowOf(topLine), this.#seen);
  }

  #lineAt(row: number): number {
    return this.#rows[row]?.line ?? (this.#rows.at(-1)?.line ?? -1) + 1;
  }

  #rowOf(line: number): number {
    const row = this.#rows.findIndex((each) => each.line >= line);
    return row < 0 ? this.#rows.length : row;
  }
}
