import { decodeBase64 } from "./base64.ts";
import { contentOf, type Encoded, isReadable, joinedBy } from "./content.ts";

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

/** Bytes written as numbers: hex, binary, lists of character codes. */
export function numbersIn(text: string): readonly Encoded[] {
  return [...hexIn(text), ...spacedHexIn(text), ...binaryIn(text), ...codesIn(text)];
}

/** Only what reads as text is taken: a digest is hex as well. */
function hexIn(text: string): readonly Encoded[] {
  const runs = Array.from(
    text.matchAll(/(?<![0-9A-WYZa-wyz+/])[0-9a-fA-F]{16,}(?![0-9A-Za-z+/])/g),
    ({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
    }),
  );
  return joinedBy(text, runs, (between) => /^[ \t\r\n"'+\\]{1,12}$/.test(between)).flatMap(
    ({ start, end, joined }): Encoded[] => {
      const found = contentOf(Buffer.from(joined.slice(0, joined.length - (joined.length % 2)), "hex"));
      return found === undefined ? [] : [{ from: "hex", start, end, ...found }];
    },
  );
}

function spacedHexIn(text: string): readonly Encoded[] {
  const row = /(?:\b(?:0x)?[0-9a-fA-F]{2}[ \t,:;-]{1,3}){7,}(?:0x)?[0-9a-fA-F]{2}\b/g;
  return rowsIn(text, "hex", row, (found) => Buffer.from(found.replace(/0x|[^0-9a-fA-Fx]/g, ""), "hex"));
}

function binaryIn(text: string): readonly Encoded[] {
  return rowsIn(text, "binary", /(?:[01]{8}[ \t\n]?){6,}/g, (found) =>
    Uint8Array.from(found.match(/[01]{8}/g) ?? [], (bits) => Number.parseInt(bits, 2)),
  );
}

/** `String.fromCharCode(99, 117, …)`, `chr(99)+chr(117)`, `bytes([99, …])`: numbers that something makes letters of. */
function codesIn(text: string): readonly Encoded[] {
  if (!/\b(?:fromCharCode|fromCodePoint|chr|bytes|bytearray|char)\b/i.test(text)) return [];
  const row = /(?:\b\d{1,3}(?:[\s,+.()[\]]|chr|char){1,12}){7,}\d{1,3}\b/gi;
  return rowsIn(text, "character codes", row, (found) => {
    const codes = found.match(/\d{1,3}/g) ?? [];
    return codes.every((code) => Number(code) < 256) ? Uint8Array.from(codes, Number) : new Uint8Array();
  });
}

function rowsIn(text: string, from: string, row: RegExp, bytesOf: (found: string) => Uint8Array): readonly Encoded[] {
  return Array.from(text.matchAll(row), ({ index, 0: found }): Encoded => {
    const { bytes: _, ...content } = contentOf(bytesOf(found)) ?? {};
    return { from, start: index, end: index + found.length, ...content };
  });
}

/** Strings that code puts together, turns round or shifts before it uses them. */
export function stringsIn(text: string): readonly Encoded[] {
  const strings = Array.from(text.matchAll(/"[^"\n\\]{1,4000}"|'[^'\n\\]{1,4000}'/g), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  return [...piecesIn(text, strings), ...turnedIn(text, strings)];
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** `"aWdub3Jl" + "IGFsbA=="`, `"cu" + "rl"`, `["cu", "rl"].join("")`. */
function piecesIn(text: string, strings: readonly Stretch[]): readonly Encoded[] {
  const chains = [
    ...joinedBy(text, strings, (between) => /^\s{0,10}[+.&]?=?\s{0,10}$/.test(between)),
    ...joinedBy(text, strings, (between) => /^\s{0,10},\s{0,10}$/.test(between)).filter((chain) =>
      isListJoined(text, chain),
    ),
  ];
  return chains.flatMap(({ start, end, joined }): Encoded[] => {
    const pieces = joined.slice(1, -1).split(/""|''|"'|'"/);
    if (pieces.length < 2) return [];
    const whole = pieces.join("");
    if (/^[A-Za-z0-9+/_-]{12,}={0,2}$/.test(whole)) {
      const { bytes: _, ...found } = decodeBase64(whole) ?? {};
      if (found.text !== undefined || found.packed !== undefined)
        return [{ from: "base64 in pieces", start, end, ...found }];
    }
    return isBroken(pieces) && isReadable(whole) ? [{ from: "a string in pieces", start, end, text: whole }] : [];
  });
}

function isListJoined(text: string, { start, end }: Stretch): boolean {
  return (
    /^\s{0,4}\]\s{0,4}\.join\(\s{0,4}(?:''|"")/.test(text.slice(end, end + 24)) ||
    /(?:''|"")\.join\(\s{0,4}[[(]\s{0,4}$/.test(text.slice(Math.max(0, start - 24), start))
  );
}

/** Most pieces end inside a word: a long text is broken between them. */
function isBroken(pieces: readonly string[]): boolean {
  const inWord = pieces.filter((piece, at) => /\w$/.test(piece) && /^\w/.test(pieces[at + 1] ?? "")).length;
  return (
    pieces.every((piece) => piece.length <= 24) &&
    inWord * 2 > pieces.length - 1 &&
    !pieces.every((piece) => /^\w{3,}$/.test(piece))
  );
}

const turns = [
  { from: "rot13", sign: /rot_?13|n-za-m/i, turn: rot13 },
  { from: "reversed text", sign: /\[::-1\]|\brev\b|\.reverse\(|strrev|reversed\(/, turn: reverse },
] as const;

/** How far from the string the word stands that says what is done with it. */
const reach = 200;

function turnedIn(text: string, strings: readonly Stretch[]): readonly Encoded[] {
  return turns.flatMap(({ from, sign, turn }) => {
    if (!sign.test(text)) return [];
    return strings
      .filter(
        ({ start, end }) =>
          end - start >= 8 && sign.test(text.slice(Math.max(0, start - reach), start) + text.slice(end, end + reach)),
      )
      .map(({ start, end }) => ({ from, start, end, text: turn(text.slice(start + 1, end - 1)) }));
  });
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (char) => {
    const base = char <= "Z" ? 65 : 97;
    return String.fromCharCode(base + ((char.charCodeAt(0) - base + 13) % 26));
  });
}

function reverse(text: string): string {
  return Array.from(text).toReversed().join("");
}
