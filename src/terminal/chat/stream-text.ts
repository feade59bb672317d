import type { Line } from "../line.ts";
import { linesIn, shown } from "./shown.ts";

/** What has come of an answer and is not yet a whole line. */
export interface Stream {
  readonly pending: string;
  /** Inside a fence of Markdown: code, and no headings. */
  readonly isCode: boolean;
}

export const noStream: Stream = { pending: "", isCode: false };

/** Without a line break nobody waits for longer than this, and no piece costs more than that to show. */
const longestLine = 4000;

/** Pure: the lines that are whole now, and what is left. */
export function hear({ pending, isCode }: Stream, text: string): { readonly lines: Line[]; readonly stream: Stream } {
  const whole = linesIn(pending + text);
  const pieces = cutLong(whole.pop() ?? "");
  const left = pieces.pop() ?? "";
  const lines: Line[] = [];
  let isInside = isCode;
  for (const each of [...whole, ...pieces]) {
    lines.push(dress(each, isInside));
    if (isFence(each)) isInside = !isInside;
  }
  return { lines, stream: { pending: left, isCode: isInside } };
}

/** What is left, as it stands on the screen meanwhile. */
export function pendingLine({ pending, isCode }: Stream): Line {
  // Half of a line break is none yet.
  return dress(pending.replace(/\r$/, ""), isCode);
}

/** Pieces of a line, of which the last one may go on. They end between words where they can, and never inside a character. */
export function cutLong(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > longestLine) {
    const blank = rest.lastIndexOf(" ", longestLine);
    const isPair = (rest.codePointAt(longestLine - 1) ?? 0) > 0xffff;
    const end = blank > 0 ? blank + 1 : longestLine - (isPair ? 1 : 0);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

function isFence(text: string): boolean {
  return /^ {0,3}(?:```|~~~)/.test(text);
}

/** A little of what Markdown means; every character stays where it was. */
function dress(text: string, isCode: boolean): Line {
  if (isFence(text)) return shown(text, "dim");
  if (isCode) return shown(text, "cyan");
  if (/^#{1,6} /.test(text)) return shown(text, "bold");
  const bullet = /^\s{0,20}(?:[-*+]|\d{1,3}[.)]) /.exec(text)?.[0];
  if (bullet === undefined) return shown(text);
  return [...shown(bullet, "cyan"), ...shown(text.slice(bullet.length))];
}
