import { decodeUtf8 } from "../skill/document.ts";

/** A file's bytes as text that says all of them. */
export interface ReadText {
  readonly text: string;
  /** Bytes that are not UTF-8: each is a character of its own, of a kind that UTF-8 cannot have. */
  readonly bad: number;
}

/** Text with more bad bytes than this, or more than one in ten, is no text. */
const mostBad = 4096;
/** A bad byte is this plus itself: a lone surrogate. Different bytes so never read alike. */
const badFrom = 0xdc00;

/**
 * UTF-8, or a text in which a byte here and there is not: one such byte in a script must not keep a person from reading
 * the rest, since a shell runs it all the same. A NUL is a character like any control. Undefined: it is not text.
 */
export function readText(bytes: Uint8Array): ReadText | undefined {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return { text, bad: 0 };
  const most = Math.min(mostBad, Math.floor(bytes.length / 10));
  const parts: string[] = [];
  let [at, good, bad] = [0, 0, 0];
  while (at < bytes.length) {
    const length = lengthAt(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (++bad > most) return undefined;
    parts.push(decodeUtf8(bytes.subarray(good, at)) ?? "", String.fromCharCode(badFrom + (bytes[at] ?? 0)));
    at++;
    good = at;
  }
  return { text: parts.join("") + (decodeUtf8(bytes.subarray(good)) ?? ""), bad };
}

/** How many bytes the character at a place has; 0 when there is none. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  return length > 0 && decodeUtf8(bytes.subarray(at, at + length)) !== undefined ? length : 0;
}

/** The byte that a character stands for, if it is a bad one. */
export function badByte(char: string): number | undefined {
  const code = char.charCodeAt(0) - badFrom;
  return char.length === 1 && code >= 0x80 && code <= 0xff ? code : undefined;
}

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
