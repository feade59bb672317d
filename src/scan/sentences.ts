import type { Hit, Matcher } from "./rule.ts";
import type { ScanText } from "./text.ts";
import { Trigrams } from "./trigrams.ts";

/** A text as sentences: what stands between two words is one space, and only what ends a paragraph or an entry is a line. */
interface Sentences {
  readonly trigrams: Trigrams;
  /** Where each gap that was made shorter ends: in the sentences, and in the text they were made of. */
  readonly ends: readonly (readonly [here: number, there: number])[];
  /** Parts of the text are in it twice. */
  readonly isRepeated: boolean;
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
      const hits = found.map(({ start, end }) => ({
        start: placeOf(sentences, start),
        end: placeOf(sentences, end - 1) + 1,
      }));
      // In order; of those that begin at the same place one.
      return sentences.isRepeated
        ? hits.toSorted((a, b) => a.start - b.start).filter(({ start }, at, all) => all[at - 1]?.start !== start)
        : hits;
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

/** One pass, and another one over what stands around comments: every character is looked at twice at most (T26). */
function squeeze(text: ScanText): Sentences {
  const squeezer = new Squeezer(text);
  squeezer.add(0, text.lower.length);
  const parts = aroundComments(text);
  for (const { start, end, comments } of parts) {
    squeezer.put("\n\n");
    let at = start;
    for (const comment of comments) {
      squeezer.add(at, comment.start);
      squeezer.put(" ");
      at = comment.end;
    }
    squeezer.add(at, end);
  }
  return { trigrams: new Trigrams(squeezer.result), ends: squeezer.ends, isRepeated: parts.length > 0 };
}

class Squeezer {
  readonly ends: (readonly [number, number])[] = [];
  readonly #text: ScanText;
  /** Put together at the end: to look at a text while it grows would take the square of its length (T26). */
  readonly #pieces: string[] = [];
  #length = 0;

  constructor(text: ScanText) {
    this.#text = text;
  }

  get result(): string {
    return this.#pieces.join("");
  }

  /** A gap that is not there yet. */
  put(gap: string): void {
    if (this.#pieces.at(-1)?.endsWith(gap) !== true) this.#push(gap);
  }

  /** A stretch of the text, its gaps made even. */
  add(from: number, to: number): void {
    const { lower } = this.#text;
    this.ends.push([this.#length, from]);
    let [copied, at] = [from, from];
    while (at < to) {
      if (!isGap(lower.charCodeAt(at)) && tagAt(lower, at) === 0) {
        at++;
        continue;
      }
      const gap = gapAt(lower, at, to);
      const sign = signFor(this.#text, at, gap);
      if (sign !== undefined) {
        this.#push(lower.slice(copied, at));
        this.#push(sign);
        copied = gap.end;
        this.ends.push([this.#length, gap.end]);
      }
      at = gap.end;
    }
    this.#push(lower.slice(copied, to));
  }

  #push(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}

interface Gap {
  readonly end: number;
  readonly spaces: number;
  readonly lines: number;
  readonly tags: number;
}

function gapAt(lower: string, start: number, to: number): Gap {
  let [at, spaces, lines, tags] = [start, 0, 0, 0];
  while (at < to) {
    const code = lower.charCodeAt(at);
    const tag = isGap(code) ? 0 : tagAt(lower, at);
    if (tag === 0 && !isGap(code)) break;
    if (isSpace(code) || lower.startsWith("<br", at)) spaces++;
    if (code === newLine) lines++;
    if (tag > 0) tags++;
    at += Math.max(1, tag);
  }
  return { end: Math.min(at, to), spaces, lines, tags };
}

/** What a gap is in the sentences; undefined where it stays as it is. */
function signFor(text: ScanText, start: number, { end, spaces, lines, tags }: Gap): string | undefined {
  const { lower } = text;
  if (lines > 0) return isEnd(text, start, end, lines) ? "\n" : " ";
  if (spaces > 0) return end - start === 1 && lower.charAt(start) === " " ? undefined : " ";
  if (tags > 0) return "";
  // In names and commands these signs are no gaps.
  const isBetweenWords = /^[a-z][*>]{1,8}[a-z]$/.test(lower.slice(start - 1, Math.min(end, start + 8) + 1));
  return isBetweenWords && text.regionAt(start) === "prose" ? " " : undefined;
}

const newLine = 10;

function isSpace(code: number): boolean {
  return code === 32 || code === newLine || code === 9 || code === 13;
}

/** White space, emphasis, the mark of a quote, and what escapes a blank. */
function isGap(code: number): boolean {
  return isSpace(code) || code === 42 || code === 95 || code === 62 || code === 92;
}

/** Tags that set words in another type. What their attributes say in words is kept. */
const typeset =
  /<\/?(?:b|i|u|s|q|a|em|tt|br|strong|small|big|sub|sup|span|font|mark|ins|del|wbr|code|kbd|abbr|cite)(?: [a-z-]{1,20}(?:=(?:"[^"\s<>]{0,80}"|'[^'\s<>]{0,80}'|[^\s"'<>]{1,80}))?){0,3} ?\/?>/y;

/** The length of a tag that begins at an offset; 0 where none does. */
function tagAt(lower: string, at: number): number {
  if (lower.charCodeAt(at) !== 60) return 0;
  typeset.lastIndex = at;
  return typeset.exec(lower)?.[0].length ?? 0;
}

interface Part {
  readonly start: number;
  end: number;
  readonly comments: { readonly start: number; readonly end: number }[];
}

/** So far to each side of a comment can a sentence go on. */
const around = 200;

/** Comments in the middle of a sentence: they are read with what they say, and once more as if they were not there. */
function aroundComments(text: ScanText): readonly Part[] {
  const { lower } = text;
  if (!lower.includes("<!--")) return [];
  const parts: Part[] = [];
  for (const region of text.regions) {
    if (region.kind !== "comment") continue;
    const before = /[^\s#|] ?\n? ?$/.exec(lower.slice(Math.max(0, region.start - 4), region.start));
    const behind = /^ ?\n? ?[^\s#|]/.exec(lower.slice(region.end, region.end + 4));
    if (before === null || behind === null) continue;
    const start = region.start - before[0].length + 1;
    const end = region.end + behind[0].length - 1;
    const last = parts.at(-1);
    const to = Math.min(lower.length, end + around);
    if (last !== undefined && start - around <= last.end) {
      last.comments.push({ start, end });
      last.end = to;
    } else parts.push({ start: Math.max(0, start - around), end: to, comments: [{ start, end }] });
  }
  return parts;
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
