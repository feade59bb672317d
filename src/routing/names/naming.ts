import type { EntryId } from "../../core/ids.ts";
import { nameKey, safeName } from "../../core/text.ts";
import type { Asked, Evidence } from "../link.ts";
import { inSteps, madeOnce } from "../made-once.ts";
import type { Query } from "../query.ts";
import type { Shelf, ShelfEntry } from "../shelf.ts";
import { type Reason, strongest } from "./path-table.ts";
import { Phrases, type StandingPhrase, type Word, wordsOf } from "./phrases.ts";

/** A name in a text, and what stands around it. */
interface Named {
  readonly before: string;
  readonly after: string;
  /** Of how many words it is. */
  readonly parts: number;
  /** All of them written as one: `pdf-forms`. */
  readonly isCompound: boolean;
}

const wordStart = "(?<![\\p{L}\\p{N}_-])";
const gap = "\\s{1,4}";
const article = `(?:(?:the|my|our|your|this|that|an?)${gap})?`;
/** Also the word that says whose name it is, and marks around it. */
const toName = `${article}(?:skill${gap}(?:(?:called|named)${gap})?)?["'\`“”‘’«*/(]{0,3}$`;
const never = `(?:do${gap}not|don['’]?t|never)`;
const choice = `(?:instead${gap}of|rather${gap}than|other${gap}than)`;

/** As much of what stands before and behind a name as can matter to it. */
const longestNear = 64;

const refusals = {
  /** Whatever the name: "don't use", "instead of the". */
  any: new RegExp(
    `${wordStart}(?:${never}${gap}use|${choice}(?:${gap}(?:using|use|running|run))?)${gap}${toName}`,
    "iu",
  ),
  /** Many words are names, and are refused as what they are besides: "never run docker as root". */
  ofSkill: new RegExp(
    `${wordStart}${never}${gap}(?:use|run|invoke|apply|call|load|activate|follow|try)${gap}${toName}`,
    "iu",
  ),
  ofSeveral: new RegExp(`${wordStart}why${gap}is${gap}(?:it|this|that)${gap}not${gap}${toName}`, "iu"),
  /** Who asks "why not" asks for it. */
  ofCompound: new RegExp(`${wordStart}(?<!(?:why|or)${gap})not${gap}${toName}`, "iu"),
};
const skillBefore = /(?<![\p{L}\p{N}_-])skill\s{1,4}(?:(?:called|named)\s{1,4})?["'`“”‘’«*/(]{0,3}$/iu;
const skillBehind = /^["'`”’»*)]{0,3}\s{1,4}skill(?![\p{L}\p{N}_-])/iu;
/** What somebody says of a skill who has found that it is not the one. */
const dismissal = new RegExp(
  `^["'\`”’»*)]{0,3}(?:${gap}skill)?(?:${gap}(?:explicitly|itself))?(?:${gap}says(?:${gap}it)?)?${gap}is${gap}(?:out${gap}of${gap}scope|not${gap}the${gap}right)(?![\\p{L}\\p{N}])`,
  "iu",
);

/** Mostly there is none, and nothing needs to be looked for. */
const anyRefusal = /(?<![\p{L}\p{N}])(?:not|don['’]?t|never|instead|rather|other|scope)(?![\p{L}\p{N}])/iu;

/**
 * Whether somebody who writes this says that the skill is to be left alone. Nothing but a plain refusal of it counts: that
 * there is no backup is a reason to ask for one.
 */
function isRefused({ before, after, parts, isCompound: compound }: Named): boolean {
  const [near, next] = [before.slice(-longestNear), after.slice(0, longestNear)];
  if (refusals.any.test(near)) return true;
  if ((parts > 1 || skillBefore.test(near) || skillBehind.test(next)) && refusals.ofSkill.test(near)) return true;
  if (parts > 1 && refusals.ofSeveral.test(near)) return true;
  return compound && (refusals.ofCompound.test(near) || dismissal.test(next));
}

/** Something that an entry is called. */
export interface Called {
  readonly entry: ShelfEntry;
  readonly name: string;
}

/** How sure it is that somebody who writes this wants the skill (RT-3). */
const sure = {
  /** Nothing but the name, as it is written or as a command. */
  whole: 1,
  /** The words of a name, joined in another way: `code review` for `code-review`. Worth asking further links. */
  wholeWords: 0.85,
  /** `/name` and something that it is to be done with, or "use the name skill". */
  askedFor: 0.97,
  /**
   * A name of several parts, as it is written, somewhere in a longer text. By itself that says little: it may be what was
   * done before, or what something else is held against. Its words still count as words.
   */
  mentioned: 0.25,
};

/** RT-2: the entries whose name is asked for, or stands in the text. `what` says what kind of name it is. */
export function findCalled(names: Phrases<Called>, what: string, asked: Asked): readonly Evidence[] {
  const { text } = asked.query;
  const words = wordsOf(text);
  const seen = new Set<string>();
  const reasons = names.standingIn(words).flatMap((phrase) => {
    const [start, end] = [words[phrase.from]?.from ?? 0, words[phrase.to - 1]?.to ?? 0];
    const way = wayOf({ before: text.slice(0, start), after: text.slice(end), words, ...phrase });
    const written = nameKey(text.slice(start, end));
    // Once is enough for what a text repeats a thousand times.
    if (
      way === "declined" ||
      (way === "mentioned" && !isCompound(words, phrase)) ||
      seen.size === seen.add(`${way} ${written}`).size
    )
      return [];
    return reasonsOf(phrase, way, written, what);
  });
  return strongest(reasons, asked);
}

/** The names of all entries. */
export const namesIn = madeOnce(function* ({ entries }: Shelf): Generator<void, Phrases<Called>> {
  const names = new Phrases<Called>();
  yield* inSteps(entries.values(), (entry) => names.add(entry.name, { entry, name: entry.name }));
  return names;
});

function reasonsOf({ meant }: StandingPhrase<Called>, way: Way, written: string, what: string): Reason[] {
  return meant.flatMap(({ entry, name }) => {
    const confidence = confidenceOf(way, nameKey(name) === written);
    return confidence === 0 ? [] : [{ entry, confidence, why: `${said[way]} ${what} "${safeName(name)}"` }];
  });
}

/** How a name stands in a text. */
type Way = keyof typeof said;

const said = {
  whole: "the query is its",
  command: "called as a command by its",
  "asked-for": "asked for by its",
  mentioned: "the text holds its",
};

/** Several words that are written as one. Others are what people say anyway: "deep research". */
function isCompound(words: readonly Word[], { from, to }: Pick<StandingPhrase<Called>, "from" | "to">): boolean {
  return to - from > 1 && words.slice(from + 1, to).every(({ isJoined }) => isJoined);
}

function confidenceOf(way: Way, isAsWritten: boolean): number {
  if (way === "whole") return isAsWritten ? sure.whole : sure.wholeWords;
  if (way === "command") return isAsWritten ? sure.askedFor : 0;
  if (way === "asked-for") return sure.askedFor;
  return isAsWritten ? sure.mentioned : 0;
}

interface Place {
  readonly before: string;
  readonly after: string;
  readonly words: readonly Word[];
  readonly from: number;
  readonly to: number;
}

/** What may stand around a name that is the whole query: quotes, a slash before, the end of a sentence. */
const opening = /^[\s"'`“”‘’«»([{*]{0,8}\/?["'`“”‘’«»([{*]{0,8}$/;
const closing = /^[\s"'`“”‘’«»)\]}*.!?,;:。！？]{0,16}$/;
const slashFirst = /^\s{0,16}\/$/;

const verb = "(?:use|using|run|invoke|apply|with|via|call|load|activate|follow|try)";
const quote = "[\"'`“‘«*/]{0,3}";
/** "use the", and the name comes next. */
const asking = new RegExp(`(?:^|[^\\p{L}\\p{N}_-])${verb}\\s{1,4}${article}${quote}$`, "iu");
/** "run /", and the name comes next. */
const calling = new RegExp(`(?:^|[^\\p{L}\\p{N}_-])${verb}\\s{1,4}["'\`]?/$`, "iu");
/** "use the skill", and the name comes next. */
const askingSkill = new RegExp(
  `(?:^|[^\\p{L}\\p{N}_-])${verb}\\s{1,4}${article}skill\\s{1,4}(?:(?:called|named)\\s{1,4})?${quote}$`,
  "iu",
);
/** The name was before, and it is a skill's. */
const skillNext = /^["'`”’»*]{0,3}\s{1,4}skill(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])/iu;

/** As much of what stands before a name as can matter to it. */
const longestBefore = 64;

/** Also says when a text asks that the skill be left alone. */
function wayOf({ before, after, words, ...phrase }: Place): Way | "declined" {
  const { from, to } = phrase;
  if (from === 0 && to === words.length && opening.test(before) && closing.test(after)) return "whole";
  if (from === 0 && slashFirst.test(before) && /^\s/.test(after)) return "command";
  const near = before.slice(-longestBefore);
  if (isRefused({ before, after, parts: to - from, isCompound: isCompound(words, phrase) })) return "declined";
  const isAskedFor = asking.test(near) && skillNext.test(after.slice(0, 16));
  return isAskedFor || calling.test(near) || askingSkill.test(near) ? "asked-for" : "mentioned";
}

/**
 * Entries that a text names only to say that they are not wanted: "why is it not name", "anything else instead of name".
 * One that it names in any other way besides is not among them.
 */
export function declinedIn(shelf: Shelf, { text }: Query): ReadonlySet<EntryId> {
  if (!anyRefusal.test(text)) return new Set();
  const words = wordsOf(text);
  const standing = namesIn.of(shelf).standingIn(words);
  const longest = longestEnds(standing);
  // An entry has one name: whoever has it is declined together.
  const isDeclined = new Map<readonly Called[], boolean>();
  for (const phrase of standing) {
    const [start, end] = [words[phrase.from]?.from ?? 0, words[phrase.to - 1]?.to ?? 0];
    const place = { before: text.slice(0, start), after: text.slice(end) };
    const named = { ...place, parts: phrase.to - phrase.from, isCompound: isCompound(words, phrase) };
    // What is refused is the longest name that begins there.
    const isSo = longest.get(phrase.from) === phrase.to && isRefused(named);
    isDeclined.set(phrase.meant, isSo && isDeclined.get(phrase.meant) !== false);
  }
  return new Set([...isDeclined].flatMap(([meant, isSo]) => (isSo ? meant.map(({ entry }) => entry.id) : [])));
}

function longestEnds(standing: readonly StandingPhrase<Called>[]): ReadonlyMap<number, number> {
  const longest = new Map<number, number>();
  for (const { from, to } of standing) longest.set(from, Math.max(to, longest.get(from) ?? to));
  return longest;
}
