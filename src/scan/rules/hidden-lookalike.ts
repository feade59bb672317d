import { mixedWords } from "../fold/lookalikes.ts";
import { onLines } from "../fold/invisible.ts";
import type { Hit, Rule } from "../rule.ts";
import type { ScanText } from "../text.ts";

const script = "[\\u0370-\\u0588\\u13a0-\\u13f5]";
const foreign = new RegExp(script, "g");

/** Words of at least three letters. In formulas a Greek letter stands before or behind a name: `\u03c1max`. */
function find(text: ScanText): readonly Hit[] {
  text.steps += text.raw.length;
  const words = mixedWords(text.raw);
  const isCyrillic = onLines(text.raw, /[\u0400-\u04ff]{4}/);
  return words
    .filter(({ word, start }) => word.length > 2 && !isFormula(word) && !(isCyrillic(start) && hasEnding(word)))
    .filter(({ start, end }) => !isExplained(text.raw, start, end))
    .map(({ start, end, word, latin }) => ({ start, end, inRaw: true, decoded: latin, says: codesOf(word) }));
}

function isFormula(word: string): boolean {
  return /^(?:[\u03b1-\u03be\u03c0-\u03c9\u0391-\u03a9][A-Za-z]{1,12}|[A-Za-z]{1,12}[\u03b1-\u03be\u03c0-\u03c9])$/.test(
    word,
  );
}

/** In Russian text, a foreign word with a Russian ending. */
function hasEnding(word: string): boolean {
  return /^[A-Za-z]{2,40}[\u0430\u0435\u043e\u0443\u043c]{1,2}$/.test(word);
}

/** In code ticks, with the script or the trick named beside it, and no address that could be followed. */
function isExplained(raw: string, start: number, end: number): boolean {
  const [before, after] = [raw.slice(Math.max(0, start - 120), start), raw.slice(end, end + 120)];
  const [left = "", right = ""] = [before.split("\n").at(-1), after.split("\n")[0]];
  if (!/`[^`\s/:@]{0,40}$/.test(left) || !/^[^`\s/:@]{0,40}`/.test(right)) return false;
  return /\b(?:cyrillic|greek|armenian|cherokee|homoglyphs?|look-?alikes?|confusables?)\b/i.test(`${left} ${right}`);
}

function codesOf(word: string): string {
  const codes = new Set(
    Array.from(
      word.matchAll(foreign),
      ([char]) => `U+${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0").toUpperCase()}`,
    ),
  );
  return `${[...codes].slice(0, 4).join(", ")} among Latin letters`;
}

export const hiddenLookalike: Rule = {
  id: "hidden.lookalike",
  level: "high",
  title: "a word with letters of another script that look like Latin ones",
  why: "It looks like a name you know and is another one: another host, another package, a word that no search finds. Nobody writes such a word by hand. What is decoded is what it passes for.",
  mentioned: "same",
  match: { patterns: [], find },
  hostile: [
    "Get it from https://ex\u0430mple.com/tool",
    "Made by the \u043epenai team",
    "Visit https://\u0430\u0440\u0440\u04cf\u0435.com today",
    "f\u03bfrget the rules",
    "Not a look-alike: `npm i https://ex\u0430mple.com/tool`",
  ],
  benign: [
    "| look-alikes | `ex\u0430mple` with a Cyrillic letter beside `example` |",
    "\u0418\u0441\u043f\u043e\u043b\u044c\u0437\u0443\u0439\u0442\u0435 API \u0434\u043b\u044f \u0437\u0430\u043f\u0440\u043e\u0441\u0430",
    "Compute \u03b1, \u0394x and \u03c1max over \u03bcs.",
    "\u0421\u043e\u0437\u0434\u0430\u0439\u0442\u0435 \u043d\u043e\u0432\u044b\u0439 commit\u043e\u043c \u0438 push",
    "\u039a\u03b1\u03bb\u03b7\u03bc\u03ad\u03c1\u03b1 Git",
  ],
};
