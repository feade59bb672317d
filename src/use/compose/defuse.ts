import { hasUnseen } from "../../base/text.ts";
import { markerStart } from "./markers.ts";

export interface Defused {
  readonly text: string;
  /** The lines, from 1, on which something was made visibly no marker; as often as there was something. */
  readonly lines: readonly number[];
}

const note = "not-a-marker ";

/**
 * CO-3, T30: text in which nothing reads like one of our markers, in whatever letters, blanks or unseen characters it
 * is spelt. A word is put into what does; all else stays as it is. One pass over the text (T26).
 */
export function defuse(text: string): Defused {
  const found = findMarkers(text);
  if (found.length === 0) return { text, lines: [] };
  const parts: string[] = [];
  const lines: number[] = [];
  let [done, line] = [0, 1];
  for (const at of found) {
    const before = text.slice(done, at);
    line += before.split("\n").length - 1;
    lines.push(line);
    parts.push(before, note);
    done = at;
  }
  return { text: parts.join("") + text.slice(done), lines };
}

/** Where the word of each marker starts, behind its brackets. */
function findMarkers(text: string): number[] {
  const found: number[] = [];
  let [matched, word] = [0, 0];
  for (let at = nextBracket(text, 0); at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const next = stepOf(matched, fold(char));
    if (matched === brackets && next > brackets) word = at;
    matched = next;
    if (matched === markerStart.length) {
      found.push(word);
      matched = 0;
    }
    at += char.length;
    if (matched === 0) at = nextBracket(text, at);
  }
  return found;
}

const bracket = /[[\uFF3B\uFE47\u2045\u27E6\u301A]/g;
/** How many brackets a marker starts with. */
const brackets = 2;

function nextBracket(text: string, from: number): number {
  bracket.lastIndex = from;
  return bracket.exec(text)?.index ?? text.length;
}

/** How much of a marker's start has been read after one more character. Of many brackets the last two count. */
function stepOf(matched: number, folded: string): number {
  if (folded === "") return matched;
  if (folded === "[[") return brackets;
  if (folded === "[") return matched === 1 || matched === brackets ? brackets : 1;
  return folded === markerStart.charAt(matched) ? matched + 1 : 0;
}

const blank = /[\s\p{M}]/u;

/** What a character is taken for; empty for those that are passed over. */
function fold(char: string): string {
  if (char <= "\x7e") return char <= " " ? "" : char.toLowerCase();
  if (hasUnseen(char) || blank.test(char)) return "";
  const plain = char.normalize("NFKC").toLowerCase();
  return lookAlikes.get(plain) ?? plain;
}

/** Letters of other scripts and signs that cannot be told from those of a marker, beyond what NFKC folds. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "[": "\u2045",
    "[[": "\u27e6\u301a",
    s: "\u0455\ua731",
    k: "\u043a\u03ba\u1d0b",
    i: "\u0456\u0131\u03b9\u026a",
    l: "\u04cf\u01c0\u029f",
    w: "\u051d\u0461\u1d21",
    a: "\u0430\u03b1\u0251\u1d00",
    r: "\u0433\u1d26\u0280",
    d: "\u0501\u1d05",
    ":": "\u2236\ua789\u02d0\u0589\u05c3",
  }).flatMap(([plain, others]) => Array.from(others, (other) => [other, plain] as const)),
);
