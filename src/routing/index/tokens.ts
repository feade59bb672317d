import { type Hash, mixed } from "./hash.ts";
import { stem } from "./stem.ts";

/** What a character is to the tokeniser. */
export const gap = 1;
const lower = 2;
const upper = 3;
const digit = 4;
/** Belongs to the letter before it. */
export const mark = 5;
/** Of a script that puts no spaces between words. */
export const unspaced = 6;

/** Zero is not yet known: what a character is gets looked up at its first use, since asking Unicode takes long. */
const classes = new Uint8Array(0x11_0000);

export function classOf(codePoint: number): number {
  const known = classes[codePoint] ?? gap;
  if (known !== 0) return known;
  const found = look(String.fromCodePoint(codePoint));
  classes[codePoint] = found;
  return found;
}

const inWords = /[\p{L}\p{N}\p{M}]/u;
const unspacedScript =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Scripts whose vowels are marks, and are written in the row of the letters. */
const marksAreLetters = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

function look(character: string): number {
  if (!inWords.test(character)) return gap;
  if (/\p{N}/u.test(character)) return digit;
  if (/\p{M}/u.test(character) && !marksAreLetters.test(character)) return mark;
  if (unspacedScript.test(character)) return unspaced;
  return /\p{Lu}/u.test(character) ? upper : lower;
}

/** A longer word is cut: nobody asks for it. */
const longestWord = 64;

/** The letters of one token while it is made: strings would be most of what reading a text costs. */
export class Letters {
  readonly units = new Uint16Array(2 * longestWord);
  length = 0;

  append(unit: number): void {
    if (this.length < this.units.length) this.units[this.length++] = unit;
  }

  appendText(text: string): void {
    for (let at = 0; at < text.length; at++) this.append(text.charCodeAt(at));
  }

  /** The letter at a place counted from the end: 1 is the last one. */
  fromEnd(place: number): number {
    return this.units[this.length - place] ?? 0;
  }

  hash(into: Hash): void {
    let low = 0x811c9dc5;
    let high = 0x9747b28c;
    for (let at = 0; at < this.length; at++) {
      const unit = this.units[at] ?? 0;
      low = Math.imul(low ^ unit, 0x01000193);
      high = Math.imul(high ^ unit, 0x5bd1e995);
      high ^= high >>> 13;
    }
    into.low = mixed(low);
    into.high = mixed(high ^ this.length);
  }

  toString(): string {
    return String.fromCharCode(...this.units.subarray(0, this.length));
  }
}

/** Another number means other tokens: an index of the former ones is stale. */
export const tokeniserVersion = 1;

/** Takes a token, good until the next one comes, and where in the text the word is that it was made of. */
export type TakeToken = (token: Letters, from: number, to: number) => void;

const token = new Letters();
/** The words of a compound without what parts them. */
const joined = new Letters();

/**
 * The tokens of a text, the same for documents and queries: words without their case and English endings, what a
 * compound word is made of beside the word itself, pairs of characters where words are not spaced.
 */
export function readTokens(text: string, take: TakeToken): void {
  let at = 0;
  while (at < text.length) {
    const kind = classAt(text, at);
    if (kind === gap || kind === mark) at += sizeAt(text, at);
    else if (kind === unspaced) at = readUnspaced(text, at, take);
    else at = readCompound(text, at, take);
  }
}

function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return classOf(unit < 0xd800 || unit > 0xdbff ? unit : (text.codePointAt(at) ?? 0));
}

function sizeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Every two neighbours of a run; one that stands alone is a token by itself. Returns where the run ends. */
function readUnspaced(text: string, start: number, take: TakeToken): number {
  let before = -1;
  let at = start;
  while (at < text.length && classAt(text, at) === unspaced) {
    const end = at + sizeAt(text, at);
    if (before !== -1) takeCharacters(text, before, end, take);
    before = at;
    at = end;
  }
  if (before === start) takeCharacters(text, start, at, take);
  return at;
}

function takeCharacters(text: string, from: number, to: number, take: TakeToken): void {
  token.length = 0;
  if (to - from === 2 && isCommon(text.charCodeAt(from)) && isCommon(text.charCodeAt(from + 1)))
    for (let at = from; at < to; at++) token.append(text.charCodeAt(at));
  else token.appendText(text.slice(from, to).normalize("NFKC"));
  take(token, from, to);
}

/** Han characters, most of what is written without spaces: their normal form is what they are. */
function isCommon(unit: number): boolean {
  return unit >= 0x4e00 && unit <= 0x9fff;
}

/** Words that are joined by single signs, as in `node.js`, `read-only` and `a/b`. Returns where they end. */
function readCompound(text: string, start: number, take: TakeToken): number {
  joined.length = 0;
  let end = readWord(text, start, take);
  let words = 1;
  while (isJoiner(text.charCodeAt(end)) && isWordStart(text, end + 1)) {
    end = readWord(text, end + 1, take);
    words++;
  }
  // "e-mail" is asked for as "email" too, "set-up" as "setup".
  if (words === 2 && end - start <= longestJoined) {
    stem(joined);
    take(joined, start, end);
  }
  return end;
}

const longestJoined = 30;

/** `-`, `_`, `.`, `+`, `#`, `/`. */
function isJoiner(unit: number): boolean {
  return unit === 0x2d || unit === 0x5f || unit === 0x2e || unit === 0x2b || unit === 0x23 || unit === 0x2f;
}

/** `'` and `’`. */
function isApostrophe(unit: number): boolean {
  return unit === 0x27 || unit === 0x2019;
}

function isWordStart(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const kind = classAt(text, at);
  return kind === lower || kind === upper || kind === digit;
}

const onlyLower = 1 << lower;

/** Takes one word and the parts it is made of. Returns where it ends. */
function readWord(text: string, start: number, take: TakeToken): number {
  let at = start;
  let isPlain = true;
  let kinds = 0;
  for (; at < text.length; at += sizeAt(text, at)) {
    const kind = classAt(text, at);
    if (kind === unspaced) break;
    if (kind === gap && !(isApostrophe(text.charCodeAt(at)) && isWordStart(text, at + 1))) break;
    kinds |= 1 << kind;
    isPlain &&= kind !== gap && text.charCodeAt(at) < 0x80;
  }
  const cut = Math.min(at, start + longestWord);
  const written = isPlain ? text : normalised(text.slice(start, cut));
  const piece = isPlain ? { text, from: start, to: cut } : { text: written, from: 0, to: written.length };
  takeWord(piece, { kinds, start, end: at, of: text }, take);
  return at;
}

interface Piece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

interface Place {
  readonly kinds: number;
  readonly start: number;
  readonly end: number;
  readonly of: string;
}

function takeWord(piece: Piece, { kinds, start, end, of }: Place, take: TakeToken): void {
  fill(token, piece);
  if (joined.length < longestJoined) for (let at = 0; at < token.length; at++) joined.append(token.units[at] ?? 0);
  if (!appendSigns(of, end)) stem(token);
  take(token, start, end);
  if (kinds !== onlyLower && piece.to - piece.from > 3) takeParts(piece, start, end, take);
}

function fill(letters: Letters, { text, from, to }: Piece): void {
  letters.length = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) {
      // There and back folds what lower case alone keeps apart: ß and ss, the two lowercase sigmas.
      letters.appendText(text.slice(at, to).toLowerCase().toUpperCase().toLowerCase());
      return;
    }
    letters.append(unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit);
  }
}

/** Languages whose names end in signs: without them, they are letters. */
function appendSigns(text: string, end: number): boolean {
  if (token.length !== 1) return false;
  const letter = token.units[0];
  const isPlusPlus = letter === 0x63 && text.startsWith("++", end);
  const isSharp = (letter === 0x63 || letter === 0x66) && text.charCodeAt(end) === 0x23 && !isWordStart(text, end + 1);
  if (isPlusPlus) token.appendText("++");
  else if (isSharp) token.append(0x23);
  return isPlusPlus || isSharp;
}

/** Compatible forms are one, accents and apostrophes are left out: "it's" is "it", "don't" is "dont". */
function normalised(word: string): string {
  const bare = word.replace(/['’](?:s|re|ve|ll|d|m)$/i, "").replace(/['’]/g, "");
  return bare
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFKC");
}

/** The parts of `camelCase`, `HTMLParser` and `base64`; nothing when there is only one. A single letter is no part. */
function takeParts({ text, from, to }: Piece, start: number, end: number, take: TakeToken): void {
  let first = from;
  for (let at = from + 1; at <= to; at++) {
    if (at < to && !isBoundary(text, at, to)) continue;
    if (at - first > 1 && at - first < to - from) {
      fill(token, { text, from: first, to: at });
      stem(token);
      take(token, start, end);
    }
    first = at;
  }
}

function isBoundary(text: string, at: number, to: number): boolean {
  const before = classOf(text.charCodeAt(at - 1));
  const here = classOf(text.charCodeAt(at));
  if (here === mark) return false;
  if ((before === digit) !== (here === digit)) return true;
  if (here !== upper) return false;
  return before === lower || (at + 1 < to && classOf(text.charCodeAt(at + 1)) === lower);
}
