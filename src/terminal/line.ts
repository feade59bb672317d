import { isPrintableAscii } from "../core/text.ts";
import { cellsOf, headOf, visible, printable } from "./width.ts";

export type Look = "bold" | "dim" | "underline" | "reverse" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

/** Text of one look. Made by `span` only, so that nothing of it is raw. */
export interface Span {
  readonly text: string;
  readonly look: readonly Look[];
  /** It is one sign and is not torn at the edge where there is another way. */
  readonly isWhole?: boolean;
}

/** One line of the screen. */
export type Line = readonly Span[];

export function span(text: string, ...look: readonly Look[]): Span {
  return { text: visible(text), look };
}

export function line(text: string, ...look: readonly Look[]): Line {
  return [span(text, ...look)];
}

export function cellsIn(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + cellsOf(text), 0);
}

/** At most so many cells; what is left out is told by an ellipsis. */
export function fit(spans: Line, columns: number): Line {
  return cellsIn(spans) <= columns ? spans : [...headIn(spans, columns - 1), span(columns > 0 ? "…" : "")];
}

function headIn(spans: Line, columns: number): Line {
  const kept: Span[] = [];
  let left = columns;
  for (const { text, look } of spans) {
    const head = headOf(text, left);
    kept.push({ text: head, look });
    if (head.length < text.length) break;
    left -= cellsOf(head);
  }
  return kept;
}

/** Exactly so many cells. */
export function pad(spans: Line, columns: number, ...look: readonly Look[]): Line {
  const fitting = fit(spans, columns);
  const missing = columns - cellsIn(fitting);
  return missing <= 0 ? fitting : [...fitting, span(" ".repeat(missing), ...look)];
}

/** One to the left and one to the right; the left one is cut first. */
export function spread(left: Line, right: Line, columns: number, ...look: readonly Look[]): Line {
  const end = fit(right, columns);
  return [...pad(left, columns - cellsIn(end), ...look), ...end];
}

/** A line across, with words in it. */
export function rule(title: string, columns: number, ...look: readonly Look[]): Line {
  const start = title === "" ? "" : `── ${visible(title)} `;
  const head = fit(line(start, ...look), columns);
  return [...head, span("─".repeat(Math.max(0, columns - cellsIn(head))), "dim")];
}

/** All of it, on as many lines as it takes: nothing stands where nobody looks (T27). */
export function wrap(spans: Line, columns: number): Line[] {
  const room = Math.max(2, columns);
  const lines: Line[] = [];
  let [current, left]: [Span[], number] = [[], room];
  for (const { text, look, isWhole = false } of spans) {
    if (isWhole && left < room && cellsOf(text) > left) {
      lines.push(current);
      [current, left] = [[], room];
    }
    for (let rest = text; rest !== ""; ) {
      const head = headOf(rest, left);
      if (head !== "") current.push({ text: head, look });
      rest = rest.slice(head.length);
      left -= cellsOf(head);
      if (rest === "") break;
      lines.push(current);
      [current, left] = [[], room];
    }
  }
  return [...lines, current];
}

/** How many lines `wrap` makes, without making them where that is plain. */
export function heightOf(spans: Line, columns: number): number {
  if (!spans.every(({ text, isWhole }) => isWhole !== true && isPrintableAscii(text)))
    return wrap(spans, columns).length;
  return Math.max(1, Math.ceil(cellsIn(spans) / Math.max(2, columns)));
}

/** Wrapped between words, behind a lead; the lines after the first have another one, of the same width. */
export function hang(lead: Line, follow: Line, spans: Line, columns: number): Line[] {
  const lines = wrapWords(spans, columns - cellsIn(lead));
  return lines.map((each, index) => (index === 0 ? lead : follow).concat(each));
}

export function prose(text: string, columns: number, ...look: readonly Look[]): Line[] {
  return wrapWords(line(text, ...look), columns);
}

/** For sentences. Only a blank at the end of a line can be left out; a word that is too long is cut. */
function wrapWords(spans: Line, columns: number): Line[] {
  const room = Math.max(2, columns);
  const lines: Line[] = [];
  let [current, left]: [Span[], number] = [[], room];
  for (const { text, look } of wordsIn(spans)) {
    const bare = text.endsWith(" ") ? text.slice(0, -1) : text;
    if (cellsOf(bare) > left && current.length > 0) {
      lines.push(current);
      [current, left] = [[], room];
    }
    const [first = [], ...rest] = wrap([{ text: bare, look }], left);
    for (const each of first) append(current, each);
    for (const each of rest) {
      lines.push(current);
      current = [...each];
    }
    left = room - cellsIn(current);
    if (bare === text || left === 0) continue;
    append(current, { text: " ", look });
    left -= 1;
  }
  return [...lines, current];
}

/** What looks the same is one span again. */
function append(spans: Span[], { text, look }: Span): void {
  const last = spans.at(-1);
  if (last?.look === look) spans[spans.length - 1] = { text: last.text + text, look };
  else spans.push({ text, look });
}

function wordsIn(spans: Line): Span[] {
  return spans.flatMap(({ text, look }) => text.split(/(?<= )/).map((word) => ({ text: word, look })));
}

const codes: Readonly<Record<Look, number>> = {
  bold: 1,
  dim: 2,
  underline: 4,
  reverse: 7,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
};
const firstColour = 30;

/** A line as it is written to a terminal. */
export function paint(spans: Line, hasColours: boolean): string {
  const text = spans.map((each) => paintSpan(each, hasColours)).join("");
  return text === "" ? "" : `${text}\u001b[0m`;
}

/** The last gate: whatever made the span, nothing that a terminal would act on passes (T28). */
function paintSpan({ text, look }: Span, hasColours: boolean): string {
  if (text === "") return "";
  const wanted = look.map((each) => codes[each]).filter((code) => hasColours || code < firstColour);
  return `\u001b[${[0, ...wanted].join(";")}m${printable(text)}`;
}
