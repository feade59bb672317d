import { nfkc } from "../core/text.ts";
import { badByte, readText, splitLines } from "./read-text.ts";

/** A piece of a line. Everything in it can be seen: what cannot be stands as `\u{200b}` and is `hidden` (RV-4, T28). */
export interface Piece {
  readonly text: string;
  /** `changed`: the line it stands against has something else here. A line that stands against none marks nothing. */
  readonly mark: "same" | "changed";
  /**
   * It stands for what cannot be seen or is not what it looks like: a control, a bidi mark, an odd blank, a tab (`→`),
   * white space at the end of a line or that is all that changed (`·`), a run of it (`·×500`), a look-alike with its code (`і\u{456}`), or text that
   * was left out (`… 2,310 characters …`), a byte that is not UTF-8 (`\x{ff}`). The flag tells it from a text in which the very same is written.
   */
  readonly hidden: boolean;
}

/** One file as it is, line by line, none of it left out; null: it is not text. */
export interface VisibleFile {
  readonly path: string;
  readonly lines: readonly (readonly Piece[])[] | null;
}

/** All of a file. Neither a NUL nor a few bytes that are not UTF-8 keep it from being text: they are shown. */
export function visibleFile(path: string, bytes: Uint8Array): VisibleFile {
  const read = readText(bytes);
  if (read === undefined) return { path, lines: null };
  const { lines, endings } = splitLines(read.text);
  // A CR before every LF says nothing about any one line; one here and there does.
  return { path, lines: lines.map((line, at) => visibleLine(endings.mixed ? line + endings.crAt(at) : line)) };
}

export function visibleLine(line: string): readonly Piece[] {
  return showSegments([{ text: line, mark: "same" }]);
}

/** A line as one text, for where there are no pieces. */
export function visibleText(line: string): string {
  return visibleLine(line)
    .map(({ text }) => text)
    .join("");
}

/** A part of a line before it is made visible. */
export interface Segment {
  readonly text: string;
  readonly mark: Piece["mark"];
  /** Whatever is not ASCII is shown with its code. */
  readonly codes?: boolean;
}

/** Makes the parts of one line visible. They are looked at together: a word or a blank end may span several. */
export function showSegments(segments: readonly Segment[]): readonly Piece[] {
  const line = segments.map(({ text }) => text).join("");
  if (isPlain(line) && !segments.some(isBlankChange))
    return segments.filter(({ text }) => text !== "").map(({ text, mark }) => ({ text, mark, hidden: false }));
  const view = { end: trimmedLength(line), lookalikes: lookalikesIn(line) };
  const pieces: Piece[] = [];
  let at = 0;
  for (const segment of segments) {
    for (const piece of piecesOf(segment, at, view)) pieces.push(piece);
    at += segment.text.length;
  }
  return pieces;
}

/** Blanks that changed are nothing to see unless they are shown. */
function isBlankChange({ text, mark }: Segment): boolean {
  return mark === "changed" && withoutBlanks(text) === "";
}

/** More blanks than a table or an indentation has: text behind them is out of sight. */
const widestBlank = 40;
const wideBlank = " ".repeat(widestBlank + 1);

function isPlain(line: string): boolean {
  return /^[\x20-\x7e]*$/.test(line) && !line.endsWith(" ") && !line.includes(wideBlank);
}

/** By hand: a regular expression for blanks at the end starts anew at each run of them (T26). */
function trimmedLength(line: string): number {
  let end = line.length;
  while (end > 0 && " \t\r".includes(line.charAt(end - 1))) end--;
  return end;
}

interface View {
  /** Where the white space at the line's end begins. */
  readonly end: number;
  /** Where characters stand that look like others. */
  readonly lookalikes: ReadonlySet<number>;
}

/** More of the same unseen character than this are one piece with their number. */
const longestRun = 8;

function piecesOf({ text, mark, codes = false }: Segment, start: number, view: View): Piece[] {
  const pieces: Piece[] = [];
  const onlyBlanks = isBlankChange({ text, mark });
  let plain = "";
  const hide = (stand: string, count: number) => {
    if (plain !== "") pieces.push({ text: plain, mark, hidden: false });
    plain = "";
    if (count > longestRun) pieces.push({ text: `${stand}×${count}`, mark, hidden: true });
    else for (let each = 0; each < count; each++) pieces.push({ text: stand, mark, hidden: true });
  };
  for (const { char, at, count } of runsOf(text)) {
    const stand = standIn(char, start + at, codes, view);
    if (stand !== null) hide(stand, count);
    else if (char === " " && onlyBlanks) hide("·", count);
    else if (char === " ") {
      // One run may reach into the white space at the end.
      const inside = Math.min(count, Math.max(0, view.end - start - at));
      if (inside > widestBlank) hide("·", inside);
      else plain += " ".repeat(inside);
      if (count > inside) hide("·", count - inside);
    } else plain += char.repeat(count);
  }
  if (plain !== "") pieces.push({ text: plain, mark, hidden: false });
  return pieces;
}

function* runsOf(text: string): Generator<{ char: string; at: number; count: number }> {
  let at = 0;
  while (at < text.length) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    let end = at + char.length;
    while (text.startsWith(char, end)) end += char.length;
    yield { char, at, count: (end - at) / char.length };
    at = end;
  }
}

/**
 * Controls, bidi marks, zero-width and tag characters, variation selectors, fillers, lone surrogates, private use,
 * unassigned; line and paragraph separators; every space but the plain one; characters whose glyph is empty.
 */
const unseenClass = String.raw`\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\xa0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800\u{1d159}\ufffc`;
const unseen = new RegExp(`[${unseenClass}]`, "u");
const blanks = new RegExp(`[ ${unseenClass}]`, "gu");

/** What is left of a line when nothing that cannot be seen is in it, blanks included. */
export function withoutBlanks(line: string): string {
  return line.replace(blanks, "");
}

export function isBlank(char: string): boolean {
  return char === " " || (!/^[\x21-\x7e]$/.test(char) && unseen.test(char));
}

function standIn(char: string, at: number, codes: boolean, { lookalikes }: View): string | null {
  if (char >= " " && char <= "~") return null;
  if (char === "\t") return "→";
  const bad = badByte(char);
  if (bad !== undefined) return `\\x{${bad.toString(16)}}`;
  const code = `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  if (unseen.test(char)) return code;
  return codes || lookalikes.has(at) ? char + code : null;
}

/** Letters and digits that Unicode itself folds to ASCII: full-width, mathematical, circled, squared, Roman numerals. */
const dressed =
  /[\u2100-\u214f\u2160-\u217f\u24b6-\u24e9\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}\u{1f110}-\u{1f189}]/gu;
const words = /[\p{L}\p{M}]+/gu;
const latin = /\p{Script=Latin}/u;
/** Letters of scripts that have the shapes of Latin ones; of Greek only those, since Δx is mathematics. */
const foreign =
  /[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Georgian}\p{Script=Deseret}\p{Script=Gothic}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺϳαγικνορτυχϲ]/gu;

const none: ReadonlySet<number> = new Set();

function lookalikesIn(line: string): ReadonlySet<number> {
  if (/^[\0-\x7f]*$/.test(line)) return none;
  const found = new Set<number>();
  for (const { 0: char, index } of line.matchAll(dressed)) if (/^\(?[A-Za-z0-9]\)?$/.test(nfkc(char))) found.add(index);
  for (const { 0: word, index } of line.matchAll(words)) {
    if (!latin.test(word)) continue;
    for (const letter of word.matchAll(foreign)) found.add(index + letter.index);
  }
  return found;
}
