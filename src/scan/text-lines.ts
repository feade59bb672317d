/** A text by its lines. Only LF ends a line, with a CR before it or without; a CR anywhere else stays in its line. */
export interface TextLines {
  /** Without their ends. */
  readonly lines: readonly string[];
  readonly endings: Endings;
}

/** How each line ends. */
export class Endings {
  readonly crlf: number;
  readonly lf: number;
  readonly #ends: readonly string[];

  constructor(ends: readonly string[]) {
    this.#ends = ends;
    this.crlf = ends.filter((end) => end === "\r\n").length;
    this.lf = ends.filter((end) => end === "\n").length;
  }

  get mixed(): boolean {
    return this.crlf > 0 && this.lf > 0;
  }

  /** The last line ends in a newline; so does a text without lines. */
  get closed(): boolean {
    return this.#ends.at(-1) !== "";
  }

  endAt(line: number): string {
    return this.#ends[line] ?? "";
  }

  crAt(line: number): string {
    return this.endAt(line) === "\r\n" ? "\r" : "";
  }
}

export function splitLines(text: string): TextLines {
  const parts = text.split("\n");
  // What no newline follows has no end: a CR there is part of the line.
  const last = parts.pop() ?? "";
  const lines = parts.map((part) => (part.endsWith("\r") ? part.slice(0, -1) : part));
  const ends = parts.map((part) => (part.endsWith("\r") ? "\r\n" : "\n"));
  if (last === "") return { lines, endings: new Endings(ends) };
  return { lines: [...lines, last], endings: new Endings([...ends, ""]) };
}
