import type { Terminal } from "../../src/terminal/terminal.ts";
import { cellsOf } from "../../src/terminal/width.ts";
import { terminalEnds } from "./terminal-ends.ts";

interface Cell {
  readonly text: string;
  readonly look: string;
}

/** Everything that may be written apart from text; anything else is a fault. */
// oxlint-disable-next-line no-control-regex
const sequence = /^\u001b\[(\?1049[hl]|\?25[hl]|\?7[hl]|\?2004[hl]|2J|2K|\d+;\d+H|\d+(?:;\d+)*m)/;

/** A terminal's screen, as far as a review writes to it. It throws at whatever is not a known sequence or printable. */
class VirtualScreen {
  readonly modes = new Map<string, boolean>();
  columns: number;
  rows: number;
  #cells: Cell[][] = [];
  #at = { row: 0, column: 0 };
  #look = "0";

  constructor(columns: number, rows: number) {
    [this.columns, this.rows] = [columns, rows];
    this.resize(columns, rows);
  }

  /** What is on a terminal after it got another size is nobody's to rely on. */
  resize(columns: number, rows: number): void {
    [this.columns, this.rows] = [columns, rows];
    this.#cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ({ text: "¤", look: "0" })));
  }

  write(text: string): void {
    for (let rest = text; rest !== ""; ) {
      const known = sequence.exec(rest);
      if (known !== null) this.#act(known[1] ?? "");
      const taken = known?.[0] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
      if (known === null) this.#put(taken);
      rest = rest.slice(taken.length);
    }
  }

  lines(): string[] {
    return this.#cells.map((row) =>
      row
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    );
  }

  text(): string {
    return this.lines().join("\n");
  }

  /** The parts of a line that have exactly this look. */
  looking(look: string): string[] {
    return this.#cells.flatMap((row) =>
      row
        .map((cell) => (cell.look === look ? cell.text : "\n"))
        .join("")
        .split("\n")
        .filter((part) => part !== ""),
    );
  }

  #act(code: string): void {
    if (code.startsWith("?")) this.modes.set(code.slice(1, -1), code.endsWith("h"));
    else if (code === "2J") this.#cells = this.#cells.map((row) => row.map(() => blank));
    else if (code === "2K") this.#cells[this.#at.row] = Array.from({ length: this.columns }, () => blank);
    else if (code.endsWith("m")) this.#look = code.slice(0, -1);
    else {
      const [row = 1, column = 1] = code.slice(0, -1).split(";").map(Number);
      if (row > this.rows || column > this.columns) throw new Error(`row ${row} is not on the screen`);
      this.#at = { row: row - 1, column: column - 1 };
    }
  }

  #put(character: string): void {
    if (/[^\P{C}]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(character))
      throw new Error(`not printable: ${JSON.stringify(character)}`);
    const { row, column } = this.#at;
    const cells = this.#cells[row];
    const width = cellsOf(character);
    if (cells === undefined || column + width > this.columns)
      throw new Error(`past the edge of row ${row + 1}: ${character}`);
    const before = cells[column - 1];
    if (width === 0 && before !== undefined) cells[column - 1] = { ...before, text: before.text + character };
    else cells[column] = { text: character, look: this.#look };
    if (width === 2) cells[column + 1] = { text: "", look: this.#look };
    this.#at = { row, column: column + width };
  }
}

const blank: Cell = { text: " ", look: "0" };

/** A person at a terminal: keys in, the screen out. Nothing waits for a clock. */
export function virtualTerminal({ columns = 100, rows = 30, colours = true } = {}) {
  const screen = new VirtualScreen(columns, rows);
  const { input, output, raw, written, listeners, listening } = terminalEnds(columns, rows, (text) =>
    screen.write(text),
  );
  const patience: (() => void)[] = [];
  const terminal: Terminal = {
    input,
    output,
    colours,
    timer: { after: () => new Promise((resolve) => patience.push(resolve)) },
    ...listening,
  };
  return {
    terminal,
    screen,
    raw,
    written,
    listeners,
    /** Each argument is one chunk; everything that follows from it has happened when this returns. */
    type: async (...chunks: readonly (string | Uint8Array)[]) => {
      await settle();
      for (const chunk of chunks) {
        input.write(chunk);
        await settle();
      }
    },
    /** Nothing more comes for a while. */
    pause: async () => {
      for (const resolve of patience.splice(0)) resolve();
      await settle();
    },
    resize: async (to: { columns: number; rows: number }) => {
      screen.resize(to.columns, to.rows);
      Object.assign(output, to);
      for (const listener of listeners.resize) listener();
      await settle();
    },
    interrupt: async () => {
      for (const listener of listeners.interrupt) listener();
      await settle();
    },
    /** The process was stopped, and goes on. */
    goOn: async () => {
      for (const listener of listeners.continued) listener();
      await settle();
    },
    hangUp: () => input.end(),
  };
}

/** Lets everything happen that is already on its way. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await new Promise((done) => setImmediate(done));
}
