import type { Library } from "./library.ts";
import { correctedIn, lazily, otherWordsFor, stopWords, type Word, wordsOf } from "./words.ts";

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

/** A word that is looked for. */
export interface QueryTerm {
  readonly word: Word;
  /** False for another word for one that was said. */
  readonly isSaid: boolean;
  /** Its place among the terms of each part; -1 where it does not occur. */
  readonly places: readonly number[];
  /** How many documents have it. */
  readonly documents: number;
  readonly rarity: number;
  /** What it counts in this query beside its rarity. */
  readonly weight: number;
}

export interface Query {
  /** What weighs most first. */
  readonly terms: readonly QueryTerm[];
  /** Those that were said. */
  readonly said: readonly QueryTerm[];
  /** What was said, in its order: known words only. */
  readonly inOrder: readonly QueryTerm[];
}

/** So many words are looked for: more make a search slow and no better. */
const mostTerms = 64;
const otherWeight = 0.5;

/** A query as an index sees it. */
export function readQuery(text: string, library: Library): Query {
  const { distinct, inOrder } = askedWords(text, library);
  const known = Array.from(distinct.values(), ({ word, weight }) => termOf(word, weight, library)).filter(
    ({ documents }) => documents > 0,
  );
  const terms = [...known, ...otherTerms(known, library)].toSorted(byWorth).slice(0, mostTerms);
  const said = terms.filter((term) => term.isSaid);
  const byToken = new Map(said.map((term) => [term.word.token, term]));
  return {
    terms,
    said,
    inOrder: inOrder.flatMap(({ token }) => byToken.get(token) ?? []),
  };
}

/** What a word is worth falls less than its rarity grows, and a word that documents repeat is what they are about. */
function termOf(word: Word, placeWeight: number, library: Library): QueryTerm {
  const { places, documents, repeated } = library.locate(word);
  const rarity = library.rarityOf(documents);
  return {
    word,
    isSaid: true,
    places,
    documents,
    rarity,
    weight: placeWeight * rarity ** -0.35 * (repeated + 0.3) ** 0.5,
  };
}

function otherTerms(said: readonly QueryTerm[], library: Library): readonly QueryTerm[] {
  const others = new Map<string, QueryTerm>();
  const tokens = new Set(said.map(({ word }) => word.token));
  for (const { word, weight } of said)
    for (const other of otherWordsFor(word.token)) {
      const known = others.get(other.token);
      if (tokens.has(other.token) || (known !== undefined && known.weight >= otherWeight * weight)) continue;
      const term = termOf(other, 1, library);
      others.set(other.token, { ...term, isSaid: false, weight: otherWeight * weight });
    }
  return [...others.values()].filter(({ documents }) => documents > 0);
}

function byWorth(one: QueryTerm, other: QueryTerm): number {
  return (
    other.weight * other.rarity - one.weight * one.rarity ||
    one.word.high - other.word.high ||
    one.word.low - other.word.low
  );
}

const negators = lazily(
  () =>
    new Set(
      wordsOf("not no without never dont don isnt doesnt wont except rather instead nor").map(({ token }) => token),
    ),
);
/** So far a negation reaches. */
const reach = 7;
const clauseEnd = /[.,;:!?\n()—]/;

/** Tokens that stand only where the query says what it is not about: "no framework", "do not deploy". */
export function negatedTokens(text: string): ReadonlySet<string> {
  const [inside, outside] = [new Set<string>(), new Set<string>()];
  for (const clause of text.split(clauseEnd)) {
    let left = 0;
    for (const { token } of wordsOf(clause)) {
      if (negators().has(token)) left = reach;
      else if (left > 0) {
        inside.add(token);
        left--;
      } else outside.add(token);
    }
  }
  return new Set([...inside].filter((token) => !outside.has(token)));
}

/** Words that people use in talking whatever it is about: as evidence for a skill they are worth next to nothing. */
const spoken = `a an the and or but if then so of in on at by for to from with into about as is are was were be been being
  am do does did doing done have has had having i me my mine we us our you your he him she her it its they them their
  this that these those here there what which who whom whose when where why how not no yes ok okay please thanks thank
  hello hi hey good morning night great nice perfect awesome cool fine sure sorry well just also too very really quite
  some any all can could should would will shall may might must want need like know think see look get got go going come
  make made let give take tell say said ask help now today tomorrow yesterday time day week thing things something
  anything nothing everything one two three first last next other another same more most less least much many again
  still already yet never ever always maybe only than because while until after before up down out off over under back
  way right wrong new old big small long short lot bit kind sort keep try start stop continue work works worked use used
  using happen mean remember understand question answer talk moment minute love happy birthday weekend friend bored
  hungry joke funny world life people man woman best better bad worse
  der die das ein eine und oder ist sind war nicht ja nein bitte danke guten morgen wie was wer wo warum kannst du ich
  mir mich es mit auf el la los las un una y o es son no si por favor gracias hola que como donde porque tu yo mi me de
  en nada muy le les une et ou est sont pas oui non merci bonjour quelle heure ca va tres beaucoup je tu il
  你好 谢谢 请问 今天 现在 什么 怎么 一个 这个 那个 我们 你们 他们 可以 帮我 给我 一下 继续 好的 没有 不要 是什 为什 怎样
  一篇 几点 你是 是谁`;

const conversation = lazily(() => new Set(wordsOf(spoken).map(({ token }) => token)));
const bareNumber = /^\d{1,4}$/;

export function isConversation(token: string): boolean {
  return conversation().has(token) || bareNumber.test(token);
}

/** Of a query so much is looked at to see what kind of question it is. */
const looked = 2_000;

const concept =
  /^\s{0,8}(?:what(?:'s| is| are| does| do)\b|explain\b|define\b|why\b|who\b|when was\b|how (?:old|tall|far|many)\b|tell me about\b|compare\b)|\bwhat is the difference\b|\bconceptual\b|\bin general\b|\boverview\b/i;

/** Whether somebody wants to know something, rather than to have something done. */
export function asksForKnowledge(text: string): boolean {
  return concept.test(text.slice(0, looked));
}

const skills =
  /\b(?:what|when|why|how)\b[^.?!]{0,60}\bskills?\b|\b(?:explain|describe|compare|list)\b[^.?!]{0,60}\bskills?\b|\bis \S{1,64} the right (?:workflow|skill)\b/i;
const whichSkill = /\bwhich\b[^.?!]{0,30}\bskill/i;

/** Whether it speaks of skills themselves. "Which skill does it" is asked by whoever wants one. */
export function speaksOfSkills(text: string): boolean {
  const head = text.slice(0, looked);
  return skills.test(head) && !whichSkill.test(head);
}
