import type { Hash } from "./hash.ts";
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
