import type { Hit, Matcher } from "./rule.ts";
import type { ScanText } from "./text.ts";
import { Trigrams } from "./trigrams.ts";

/** A text as sentences: what stands between two words is one space, and only what ends a paragraph or an entry is a line. */
interface Sentences {
  readonly trigrams: Trigrams;
  /** Where each gap that was made shorter ends: in the sentences, and in the text they were made of. */
  readonly ends: readonly (readonly [here: number, there: number])[];
}

const known = new WeakMap<ScanText, Sentences>();

/**
 * A pattern over the sentences of a text, in lower case: wrapped lines, emphasis and quote marks are out of the way, so
 * a space in it is a space. `words`: it can only be there where one of these is.
 */
export function said(pattern: RegExp, ...words: readonly string[]): Matcher {
  const compiled = new RegExp(pattern.source, "g");
  return {
    patterns: [compiled],
    find: (text) => {
      if (words.length > 0 && !text.hasAny(words)) return none;
      const sentences = sentencesOf(text);
      const found = sentences.trigrams.find(compiled, (characters) => {
        text.steps += characters;
      });
      return found.map(({ start, end }) => ({
        start: placeOf(sentences, start),
        end: placeOf(sentences, end - 1) + 1,
      }));
    },
  };
}

const none: readonly Hit[] = [];

function sentencesOf(text: ScanText): Sentences {
  let made = known.get(text);
  if (made === undefined) {
    made = squeeze(text);
    known.set(text, made);
    text.steps += text.lower.length;
  }
  return made;
}

/** One pass: every character is looked at once (T26). */
function squeeze(text: ScanText): Sentences {
  const { lower } = text;
  const ends: (readonly [number, number])[] = [];
  let [result, copied, at] = ["", 0, 0];
  while (at < lower.length) {
    if (!isGap(lower.charCodeAt(at))) {
      at++;
      continue;
    }
    const start = at;
    let [spaces, lines] = [0, 0];
    for (; at < lower.length && isGap(lower.charCodeAt(at)); at++) {
      const code = lower.charCodeAt(at);
      if (isSpace(code)) spaces++;
      if (code === newLine) lines++;
    }
    if (spaces === 0 || (at - start === 1 && lines === 0)) continue;
    result += lower.slice(copied, start) + (lines > 0 && isEnd(text, start, at, lines) ? "\n" : " ");
    copied = at;
    ends.push([result.length, at]);
  }
  return { trigrams: new Trigrams(result + lower.slice(copied)), ends };
}

const newLine = 10;

function isSpace(code: number): boolean {
  return code === 32 || code === newLine || code === 9 || code === 13;
}

/** White space, emphasis, and the mark of a quote. */
function isGap(code: number): boolean {
  return isSpace(code) || code === 42 || code === 95 || code === 62;
}

/** Whether a gap with a line's end in it ends a sentence too: an empty line, a new entry, code. */
function isEnd(text: ScanText, start: number, end: number, lines: number): boolean {
  if (lines > 1 || text.regionAt(start) === "fence") return true;
  if (/\n[ \t>]{0,8}\*[ \t]/.test(text.lower.slice(start, Math.min(end, start + 40)))) return true;
  return /^(?:[-+|#`~<]|\d{1,3}[.)])/.test(text.lower.slice(end, end + 5));
}

/** The offset in the text that the sentences were made of. */
function placeOf({ ends }: Sentences, offset: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle]?.[0] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const [here, there] = ends[low - 1] ?? [0, 0];
  return there + offset - here;
}
