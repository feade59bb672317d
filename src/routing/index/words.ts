import type { Hash } from "./hash.ts";
import type { Library } from "./library.ts";
import { readTokens } from "./tokens.ts";

/** A word of a text: its token, the token's hash, and how it is written. */
export interface Word extends Readonly<Hash> {
  readonly token: string;
  readonly written: string;
}

/** The words of a text in their order. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  const hash = { low: 0, high: 0 };
  readTokens(text, (token, from, to) => {
    token.hash(hash);
    words.push({ token: token.toString(), written: text.slice(from, to), low: hash.low, high: hash.high });
  });
  return words;
}

/** Lists of words are read at their first use: a program that does not route need not wait for them. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Words that every text has: they tell nothing of what it is about. */
export const stopWords = lazily(() => {
  const words = wordsOf(
    `a an the and or but if then else of to in on at by for from with as is are was were be been being it its this that
    these those i me my we our us you your he she they them their his her do does did done have has had having can could
    should would will shall may might must not no nor so than too very just about into over under out up down off again
    there here what which who whom how when where why all any both each few more most other some such only own same s t
    don dont ll ve re d m im ive id please want need like get let make also using use used user users`,
  );
  return new Map(words.map((word) => [word.token, word]));
});

/** Words that may stand for each other. */
const sameThing = `go golang; k8s kubernetes; js javascript; ts typescript; postgres postgresql; repo repository;
  doc document; config configuration; db database; auth authentication; photo image; app application; env environment;
  ad advertising; excel xlsx; word docx; powerpoint pptx; slide presentation; upgrade migrate; setup install`;
/** The second may stand for the first, and not the other way round: it has other meanings too. */
const alsoThing = `py python; tweet twitter; docs documentation; configure config; img image; pic image;
  perf performance; infra infrastructure; spec specification; mail email; csharp dotnet; ml machine; llm language;
  ui interface; pr pull; tests testing; sql database; dotnet net; gcp google; aws amazon; vm virtual; ci pipeline;
  bug debug`;

/** Other words for a word: they are looked for too, and count less. */
export function otherWordsFor(token: string): readonly Word[] {
  return otherWords().get(token) ?? [];
}

const otherWords = lazily(() => {
  const others = new Map<string, Word[]>();
  const add = ({ token }: Word, other: Word) => {
    if (token !== other.token) others.set(token, [...(others.get(token) ?? []), other]);
  };
  for (const [one, other] of [...pairsOf(sameThing), ...pairsOf(alsoThing)]) add(one, other);
  for (const [one, other] of pairsOf(sameThing)) add(other, one);
  return others;
});

function pairsOf(lines: string): readonly (readonly [Word, Word])[] {
  return lines.split(";").flatMap((line) => {
    // What a word is made of comes after it, and it is the word that is meant.
    const [one, other] = line
      .trim()
      .split(/\s+/)
      .map((text) => wordsOf(text)[0]);
    return one === undefined || other === undefined ? [] : [[one, other] as const];
  });
}

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
