/** What a character is to the tokeniser. */
export const gap = 1;
export const lower = 2;
export const upper = 3;
export const digit = 4;
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
