import type { Letters } from "./tokens.ts";

const shortest = 4;
const [a, d, e, g, i, l, n, o, s, u, x, y, z] = codesOf("adegilnosuxyz");
const [c, h] = codesOf("ch");

function codesOf(letters: string): readonly number[] {
  return Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** Makes one word of the forms that a word takes in English; a word that is not all of a to z stays as it is. */
export function stem(word: Letters): void {
  if (word.length < shortest || !isPlain(word)) return;
  cutPlural(word);
  cutEnding(word);
  if (word.length >= shortest && word.fromEnd(1) === e) word.length--;
  if (word.length >= shortest && word.fromEnd(1) === y) setLast(word, i);
}

function isPlain({ units, length }: Letters): boolean {
  for (let at = 0; at < length; at++) {
    const unit = units[at] ?? 0;
    if (unit < 0x61 || unit > 0x7a) return false;
  }
  return true;
}

/** "files" is "file", "queries" is "query", "boxes" is "box"; "class", "status" and "analysis" are none. */
function cutPlural(word: Letters): void {
  const before = word.fromEnd(2);
  if (word.fromEnd(1) !== s || before === s || before === u || before === i) return;
  if (before !== e) word.length -= 1;
  else if (word.fromEnd(3) === i && word.length > shortest) {
    word.length -= 2;
    setLast(word, y);
  } else word.length -= isHissing(word) ? 2 : 1;
}

/** Whether an "es" stands after what cannot be followed by a mere "s". */
function isHissing(word: Letters): boolean {
  const last = word.fromEnd(3);
  const before = word.fromEnd(4);
  if (last === x || last === z) return true;
  return (last === s && before === s) || (last === h && (before === s || before === c));
}

/** "running" is "run", "indexed" is "index"; "need" and "thing" stay. */
function cutEnding(word: Letters): void {
  if (word.length > 5 && word.fromEnd(1) === g && word.fromEnd(2) === n && word.fromEnd(3) === i) cut(word, 3);
  else if (word.length > 4 && word.fromEnd(1) === d && word.fromEnd(2) === e && word.fromEnd(3) !== e) cut(word, 2);
}

/** Cuts an ending, and with it the consonant that was doubled before it. */
function cut(word: Letters, count: number): void {
  if (!hasVowel(word, word.length - count)) return;
  word.length -= count;
  const last = word.fromEnd(1);
  if (word.length > 3 && last === word.fromEnd(2) && last !== l && last !== s && last !== z) word.length--;
}

function hasVowel({ units }: Letters, end: number): boolean {
  for (let at = 0; at < end; at++) {
    const unit = units[at];
    if (unit === a || unit === e || unit === i || unit === o || unit === u || unit === y) return true;
  }
  return false;
}

function setLast(word: Letters, unit: number | undefined): void {
  word.units[word.length - 1] = unit ?? 0;
}
