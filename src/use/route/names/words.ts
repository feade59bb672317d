import { isPrintableAscii, nfkc } from "../../../base/text.ts";
import { classOf, gap, mark, unspaced } from "../index/characters.ts";

/** A word of a text as phrases are compared by: in no case, and with all its letters. */
export interface Word {
  readonly text: string;
  /** Where it stands, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** Part of a larger word together with the one before, as `agent` in `ssh-agent`. */
  readonly isJoined: boolean;
  /** Of a script that puts no spaces between words: one character, and less than a word. */
  readonly isUnspaced: boolean;
}

/** `-`, `_`, `.`, `/`, `@`, `&`, `:`. */
const joiners = new Set([0x2d, 0x5f, 0x2e, 0x2f, 0x40, 0x26, 0x3a]);

/** The words of a text in the order they stand in. Time grows with its length. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  for (let at = 0; at < text.length; ) {
    const kind = classAt(text, at);
    const end = kind === gap || kind === mark ? at : kind === unspaced ? endOfSign(text, at) : endOfWord(text, at);
    if (end > at) words.push(wordOf(text, at, end, kind === unspaced, words.at(-1)));
    at = Math.max(end, at + sizeAt(text, at));
  }
  return words;
}

/** In words: where they are not spaced, about two characters make one. */
export function weightOf(words: readonly Word[]): number {
  return words.reduce((weight, { isUnspaced }) => weight + (isUnspaced ? 0.5 : 1), 0);
}

function wordOf(text: string, from: number, to: number, isUnspaced: boolean, before: Word | undefined): Word {
  const isJoined = before !== undefined && !isUnspaced && !before.isUnspaced && isJoinedAt(text, from, before.to);
  return { text: folded(text.slice(from, to)), from, to, isJoined, isUnspaced };
}

function isJoinedAt(text: string, from: number, before: number): boolean {
  return from === before || (from === before + 1 && joiners.has(text.charCodeAt(before)));
}

function endOfSign(text: string, start: number): number {
  let at = start + sizeAt(text, start);
  while (at < text.length && classAt(text, at) === mark) at += sizeAt(text, at);
  return at;
}

/** Signs that some names end in belong to them: without theirs, `c++` and `c#` are `c`. */
function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && isOfWord(classAt(text, at))) at += sizeAt(text, at);
  const letters = at;
  while (at < letters + 2 && (text[at] === "+" || text[at] === "#")) at++;
  return at;
}

function isOfWord(kind: number): boolean {
  return kind !== gap && kind !== unspaced;
}

function classAt(text: string, at: number): number {
  return classOf(text.codePointAt(at) ?? 0);
}

function sizeAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function folded(word: string): string {
  // There and back folds what lower case alone keeps apart, as names are compared (see `nameKey` of base).
  return isPrintableAscii(word) ? word.toLowerCase() : nfkc(word).toLowerCase().toUpperCase().toLowerCase();
}
