import { not, turned } from "./talk.ts";

/**
 * Whether the words that lead to a place forbid what stands there: the last negation governs it, a few words before it,
 * with nothing between that would turn it. "You cannot go wrong if you …" forbids nothing.
 */
export function forbids(sentence: string): boolean {
  const words = sentence.replace(/[*_`"'“”\s]{1,20}/g, " ");
  const negation = lastNegation(words);
  if (negation === undefined || undone.test(words.slice(0, negation.start))) return false;
  const { rest } = negation;
  return governed.test(rest) && !turned.test(rest) && !clause.test(rest);
}

interface Negation {
  readonly start: number;
  readonly rest: string;
}

function lastNegation(words: string, from = 0): Negation | undefined {
  const found = not.exec(words.slice(from));
  const rest = found?.groups?.["rest"];
  if (found === null || rest === undefined) return undefined;
  return lastNegation(words, words.length - rest.length) ?? { start: from + found.index, rest };
}

/** The negation is itself a condition or negated: "if you do not …", "never avoid …". */
const undone =
  /\b(?:if|unless|when|because|since|who|which|that|never|not|nor|without|don['’ ]t|cannot|can['’ ]t|won['’ ]t|avoid) [a-z ]{0,24}$/;

/** Behind one of these something else is said than what the negation is about: "you will not regret it when …". */
const clause =
  /\b(?:and|if|when|whenever|while|once|after|as|since|by|else|otherwise|where|lest|keep\w*|prevent\w*|hinder\w*|deter\w*|afraid|shy|resist\w*|object\w*|refus\w*|mind|matter)\b/;

/** What is forbidden is to do something: these are the beginnings of words for it. */
const verbs = [
  "run execut eval pip past copy us typ enter do doing follow obey act comply read open cat send post upload print log echo",
  "writ stor commit includ put add append install download fetch call invok load import access touch delet remov expos shar",
  "leak hardcod hard-cod embed accept trust allow let suggest recommend output generat creat mak set disabl reveal disclos pass",
  "return modify chang edit overwrit respond visit click ignor try attempt push forc bypass say launch curl wget chmod sudo giv",
  "grant request ejecut instal copi peg exécut lanc coll utilis führ",
].flatMap((line) => line.split(" "));

/** Between a negation and what it forbids: nothing, or a verb and a few words more. Not every script has spaces. */
const governed = new RegExp(
  `^\\s?(?:(?:ever|blindly|simply|directly|manually|automatically|silently|yourself|even|be) ){0,2}` +
    `(?:$|(?:${verbs.join("|")})(?:e|es|ed|s|ing|ning|ting|ging|ding|en|er|ez|ar|as)?(?![a-z])(?:\\s\\S{1,24}){0,5}\\s{0,2}$|[^\\x00-\\x7f])`,
);
