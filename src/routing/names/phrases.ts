import { countCharacters, isPrintableAscii, nfkc } from "../../core/text.ts";
import { Foremost } from "../foremost.ts";
import { classOf, gap, mark, unspaced } from "../index/tokens.ts";
import { byTrust, plainName, type ShelfEntry } from "../shelf.ts";

/** What a phrase stands for. */
interface Meaning {
  readonly entry: ShelfEntry;
}

/** A phrase that stands in a text: the words of the text from `from` on and before `to`. */
export interface StandingPhrase<Meant> {
  readonly meant: readonly Meant[];
  readonly from: number;
  readonly to: number;
}

/** Longer ones are sentences, and nobody repeats a sentence word for word. */
export const mostWords = 16;
const mostCharacters = 200;
/** So many entries are known by one phrase, the most trusted: a phrase that everybody claims says nothing. */
const mostMeanings = 1000;

/** Phrases that a text is held against all at once: what that costs grows with the text, not with how many there are. */
export class Phrases<Meant extends Meaning> {
  readonly #byWords = new Foremost<Meant>((a, b) => byTrust(a.entry, b.entry), mostMeanings);
  /** How many words the phrases have that begin with this one. */
  readonly #lengths = new Map<string, number[]>();

  add(phrase: string, meant: Meant): void {
    const words = textsOf(phrase);
    const [first] = words;
    if (first === undefined) return;
    if (this.#byWords.add(words.length === 1 ? first : words.join(" "), meant)) return;
    const lengths = this.#lengths.get(first);
    if (lengths === undefined) this.#lengths.set(first, [words.length]);
    else if (!lengths.includes(words.length)) lengths.push(words.length);
  }

  /** Those that stand in a text on the boundaries of its words: `ssh` stands neither in `sshd` nor in `ssh-agent`. */
  standingIn(words: readonly Word[]): readonly StandingPhrase<Meant>[] {
    return words.flatMap((_, from) => this.#startingAt(words, from));
  }

  #startingAt(words: readonly Word[], from: number): readonly StandingPhrase<Meant>[] {
    const first = words[from];
    const lengths = first === undefined || first.isJoined ? undefined : this.#lengths.get(first.text);
    return (lengths ?? []).flatMap((length) => {
      const to = from + length;
      if (to > words.length || words[to]?.isJoined === true) return [];
      const meant = this.#byWords.get(textOf(words, from, to));
      return meant === undefined ? [] : [{ meant, from, to }];
    });
  }
}

/** Whether it can be found in any text at all. */
export function canStand(phrase: string): boolean {
  return textsOf(phrase).length > 0;
}

/** Its words; none when it is too long. */
function textsOf(phrase: string): readonly string[] {
  if (phrase.length > mostCharacters && countCharacters(phrase) > mostCharacters) return [];
  if (plainName.test(phrase)) {
    const texts = phrase.split("-").filter((word) => word !== "");
    return texts.length > mostWords ? [] : texts;
  }
  const words = wordsOf(phrase);
  return weightOf(words) > mostWords ? [] : words.map(({ text }) => text);
}

function textOf(words: readonly Word[], from: number, to: number): string {
  let text = words[from]?.text ?? "";
  for (let at = from + 1; at < to; at++) text += ` ${words[at]?.text ?? ""}`;
  return text;
}

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
