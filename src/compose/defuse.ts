import { canonicalJson, type Plain } from "../core/canonical.ts";
import { hasUnseen } from "../core/text.ts";
import { createHmac } from "node:crypto";

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

/**
 * The grammar of a block (CO-3). Every marker is a line of its own and carries the block's boundary; `defuse` sees to
 * it that nothing else in a block reads like one.
 */
const markerStart = "[[skillward:";

export interface Markers {
  readonly boundary: string;
  readonly begin: string;
  readonly end: string;
  /** Keyed as well: a body can forge no section. Numbers start at 1. */
  readonly section: (number: number) => string;
}

export function markersOf(boundary: string): Markers {
  return {
    boundary,
    begin: `${markerStart}begin ${boundary}]]`,
    end: `${markerStart}end ${boundary}]]`,
    section: (number) => `${markerStart}skill ${boundary} ${number}]]`,
  };
}

/** Changes with what is rendered and how: the same things have the same bytes only under the same version. */
const renderVersion = 1;

/**
 * The boundary of a block: 128 bits of a keyed hash over everything that makes it up, so that nobody without the key
 * can predict it, and what is in the block cannot contain it. The same set has the same boundary on every node.
 */
export function createBoundary(key: Uint8Array, of: readonly Plain[], texts: readonly string[]): string {
  const hash = createHmac("sha256", key).update(canonicalJson([renderVersion, ...of]));
  return unusedBoundary(hash.digest("hex").slice(0, 32), texts);
}

/** `base`, or with the first counter that makes it occur in none of the texts. */
export function unusedBoundary(base: string, texts: readonly string[]): string {
  const taken = new Set(texts.flatMap((text) => (text.includes(base) ? spellingsIn(text, base) : [])));
  let boundary = base;
  for (let counter = 1; taken.has(boundary); counter++) boundary = `${base}-${counter}`;
  return boundary;
}

/** All that occurs of `base`, `base-1`, `base-12` … in one pass: asking for each counter anew would be quadratic (T26). */
function spellingsIn(text: string, base: string): string[] {
  return [...text.matchAll(new RegExp(`${base}(?:-\\d{1,9})?`, "g"))].flatMap(([seen]) =>
    Array.from({ length: seen.length - base.length + 1 }, (_, more) => seen.slice(0, base.length + more)),
  );
}
