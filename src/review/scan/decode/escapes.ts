import type { Encoded } from "./encoded.ts";
import { isReadable } from "./readable.ts";

/** Escapes that stand for a character each, as they are written in strings, shells and addresses. */
const kinds = [
  {
    from: "escapes",
    sign: "\\",
    escape: /\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\}|[uU](?:0000)?([0-9a-fA-F]{4})|([01][0-7]{2}))/g,
  },
  { from: "percent", sign: "%", escape: /%(?:([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/g },
] as const;

/** So many on one line are a text; fewer are a blank here and a quote there. */
const fewest = 3;

/** From the first escape of a line to the last one, with the words they stand in. */
export function escapesIn(text: string): readonly Encoded[] {
  return kinds.flatMap(({ from, sign, escape }) => {
    if (!text.includes(sign)) return [];
    return linesOf(text.matchAll(escape), text).flatMap(({ first, last, count }) => {
      if (count < fewest) return [];
      const [start, end] = [wordStart(text, first), wordEnd(text, last)];
      const decoded = resolved(text.slice(start, end), escape, from === "percent");
      return isReadable(decoded) ? [{ from, start, end, text: decoded }] : [];
    });
  });
}

interface Line {
  readonly first: number;
  last: number;
  count: number;
}

function linesOf(found: Iterable<RegExpExecArray>, text: string): readonly Line[] {
  const lines: Line[] = [];
  let lineEnd = -1;
  for (const { index, 0: escape } of found) {
    if (index > lineEnd) {
      const next = text.indexOf("\n", index);
      lineEnd = next === -1 ? text.length : next;
      lines.push({ first: index, last: index + escape.length, count: 0 });
    }
    const line = lines.at(-1);
    if (line === undefined) continue;
    line.last = index + escape.length;
    // Only what could have been written as it is: a check mark or a colour of the terminal is escaped with good reason.
    if (/^[\x20-\x7e]$/.test(charOf(escape)) || escape.startsWith("%")) line.count++;
  }
  return lines;
}

function charOf(escape: string): string {
  const isOctal = /^\\[0-7]/.test(escape);
  const code = Number.parseInt(isOctal ? escape.slice(1) : escape.replace(/^(?:\\[xuU]\{?|%u?)/, ""), isOctal ? 8 : 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function resolved(stretch: string, escape: RegExp, isPercent: boolean): string {
  if (!isPercent) return stretch.replace(escape, charOf);
  return stretch
    .replace(/(?:%[0-9a-fA-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"))
    .replace(escape, charOf);
}

const longestWord = 200;

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < longestWord && isWord(text.charAt(start - 1))) start--;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at < longestWord && isWord(text.charAt(end))) end++;
  return end;
}

function isWord(char: string): boolean {
  return !/[\s"'`]/.test(char);
}
