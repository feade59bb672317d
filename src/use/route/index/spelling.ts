import type { Library } from "./library.ts";
import { type Word, wordsOf } from "./words.ts";

/** Nobody asks in more than so many words; what is longer is pasted, and full of names that nobody mistyped. */
const mostWordsInQuery = 60;
const letters = "abcdefghijklmnopqrstuvwxyz";
const plainWord = /^[a-z]{5,20}$/;
/** So many words of a query are looked at: the rest is likely no prose. */
const mostCorrected = 6;
/** Where there are many documents, a word that only a few have is likely mistyped there too. */
const leastShare = 0.0002;

/** Words that were mistyped, with what they stand for: the word of the most documents that is one letter away. */
export function correctedIn(words: readonly Word[], library: Library): ReadonlyMap<string, Word> {
  const corrected = new Map<string, Word>();
  if (words.length > mostWordsInQuery) return corrected;
  let looked = 0;
  for (const word of words) {
    const written = word.written.toLowerCase();
    if (!plainWord.test(written) || corrected.has(word.token)) continue;
    if (library.locate(word).documents > 0 || looked++ === mostCorrected) continue;
    const meant = meantBy(written, library);
    if (meant !== undefined) corrected.set(word.token, { ...meant, written: word.written });
  }
  return corrected;
}

function meantBy(written: string, library: Library): Word | undefined {
  let most = Math.max(1, library.statistics.documents * leastShare);
  let meant: Word | undefined;
  for (const spelling of spellingsOf(written)) {
    const [word] = wordsOf(spelling);
    if (word === undefined) continue;
    const { documents } = library.locate(word);
    if (documents < most || (documents === most && meant !== undefined)) continue;
    most = documents;
    meant = word;
  }
  return meant;
}

/** One letter more, less or another, or two swapped. The first letter is hardly ever mistyped. */
function* spellingsOf(word: string): Generator<string> {
  for (let at = 1; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (tail.length > 1) yield head + (tail[1] ?? "") + (tail[0] ?? "") + tail.slice(2);
    if (tail.length > 0) yield head + tail.slice(1);
    for (const letter of letters) {
      yield head + letter + tail;
      if (tail.length > 0) yield head + letter + tail.slice(1);
    }
  }
}
