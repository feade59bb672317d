import type { Library } from "./library.ts";
import { correctedIn } from "./spelling.ts";
import { stopWords, type Word, wordsOf } from "./words.ts";

/** A word of a query, and how much where it stands says that it matters: from 0 to 1. */
interface Placed {
  readonly word: Word;
  readonly weight: number;
}

export interface AskedWords {
  /** Each word once, with the most that one of its places is worth. */
  readonly distinct: ReadonlyMap<string, Placed>;
  /** All in their order, without stop words. */
  readonly inOrder: readonly Word[];
  /** Each word once, stop words among them. */
  readonly all: ReadonlyMap<string, Word>;
}

const codeFence = /```[a-z#+]{0,20}\n?/;
const sentenceEnd = /(?<=[.!?。！？])\s{1,8}|\n/;

/** What was asked last of an index: its words are needed for ranking and for confidence. */
const latest = new WeakMap<Library, { readonly text: string; readonly asked: AskedWords }>();

/** The words of a query, what is mistyped set right. Stop words count only where there are no others. */
export function askedWords(text: string, library: Library): AskedWords {
  const last = latest.get(library);
  if (last?.text === text) return last.asked;
  const asked = readAsked(text, library);
  latest.set(library, { text, asked });
  return asked;
}

function readAsked(text: string, library: Library): AskedWords {
  const read = piecesOf(text).map(({ text: piece, weight }) => ({ weight, words: wordsOf(piece) }));
  const corrected = correctedIn(
    read.flatMap((piece) => piece.words),
    library,
  );
  const pieces = read.map(({ weight, words }) => ({
    weight,
    words: words.map((word) => corrected.get(word.token) ?? word),
  }));
  const telling = distinctOf(pieces, (word) => !stopWords().has(word.token));
  const words = pieces.flatMap((piece) => piece.words);
  return {
    all: new Map(words.map((word) => [word.token, word])),
    distinct: telling.size > 0 ? telling : distinctOf(pieces, () => true),
    inOrder: words.filter(({ token }) => !stopWords().has(token)),
  };
}

interface Piece {
  readonly text: string;
  readonly weight: number;
}

const codeWeight = 0.2;
const fade = 0.8;
const leastWeight = 0.5;
const lastWeight = 0.9;

/** People say first what they want, or at the end; between stands what it is about. Code is mostly for looking at. */
function piecesOf(text: string): readonly Piece[] {
  const blocks = text.split(codeFence);
  const isFenced = (at: number) => at % 2 === 1 && blocks.length > 2;
  const sentences = blocks.flatMap((block, at) => (isFenced(at) ? [] : block.split(sentenceEnd))).filter(isSaid);
  const prose = sentences.map((sentence, at) => ({
    text: sentence,
    weight: Math.max(leastWeight, fade ** at, at === sentences.length - 1 ? lastWeight : 0),
  }));
  const code = blocks.filter((_, at) => isFenced(at)).map((block) => ({ text: block, weight: codeWeight }));
  return [...prose, ...code];
}

function isSaid(sentence: string): boolean {
  return sentence.trim() !== "";
}

function distinctOf(
  pieces: readonly { readonly words: readonly Word[]; readonly weight: number }[],
  counts: (word: Word) => boolean,
): ReadonlyMap<string, Placed> {
  const distinct = new Map<string, Placed>();
  for (const { words, weight } of pieces)
    for (const word of words) {
      if (!counts(word)) continue;
      const known = distinct.get(word.token);
      if (known === undefined || known.weight < weight) distinct.set(word.token, { word: known?.word ?? word, weight });
    }
  return distinct;
}
