/** A run of characters that cannot be seen, in the text as it was written. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

const flags = ["gbeng", "gbsct", "gbwls"].map(
  (region) =>
    `\u{1f3f4}${Array.from(region, (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join("")}\u{e007f}`,
);

/** Tag characters, each a letter of ASCII that nobody sees. The flags of England, Scotland and Wales are made of them. */
export function tagRuns(raw: string): readonly Run[] {
  if (!/\udb40[\udc00-\udc7f]/.test(raw)) return [];
  return Array.from(raw.matchAll(/(?:\udb40[\udc00-\udc7f])+/g), ({ index, 0: { length } }) => {
    const flag = flags.find((known) => raw.startsWith(known, index - 2));
    return { start: flag === undefined ? index : index - 2 + flag.length, end: index + length };
  }).filter(({ start, end }) => start < end);
}

/** Variation selectors that choose no variant: several behind one character, or one behind a letter that has none. */
export function selectorRuns(raw: string): readonly Run[] {
  if (!/[\ufe00-\ufe0e]|\ufe0f\ufe0f|\udb40[\udd00-\uddef]|[a-z]\ufe0f/i.test(raw)) return [];
  const lettered: Run[] = [];
  const runs = Array.from(raw.matchAll(/(?:[\ufe00-\ufe0f]|\udb40[\udd00-\uddef])+/g), (found) => {
    const run = { start: found.index, end: found.index + found[0].length };
    if (/^[\ufe0e\ufe0f]$/.test(found[0]) && /[a-z]/i.test(raw.charAt(run.start - 1))) lettered.push(run);
    return isVariant(found[0], raw.slice(Math.max(0, run.start - 2), run.start)) ? undefined : run;
  }).filter((run) => run !== undefined);
  // One that got lost behind a letter is an accident of copying; many of them spell something.
  return lettered.length < 4 ? runs : [...runs, ...lettered].toSorted((a, b) => a.start - b.start);
}

function isVariant(run: string, before: string): boolean {
  // A presentation mark that is there twice or thrice is an accident, and carries nothing.
  if (/^(?:\ufe0e|\ufe0f{1,3})$/.test(run)) return true;
  if (run.length === 2) return /\p{Ideographic}$/u.test(before);
  return run.length === 1 && /[^\x21-\x2f\x3a-\x7e]$/.test(before);
}

/** `hidden`: it breaks up or carries text. `stray`: it is of no use where it stands. `fine`: its script needs it. */
type Verdict = "fine" | "stray" | "hidden";

const zeroWidth =
  // oxlint-disable-next-line no-misleading-character-class
  /(?:[\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufffb]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|\udb40[\uddf0-\udfff]|[\udb41-\udb43][\udc00-\udfff])+/g;

/** Joiners, marks and operators of no width, with what to think of each run. */
export function zeroWidthRuns(raw: string): readonly (Run & { readonly verdict: Verdict })[] {
  const hasRtl = onLines(raw, rightToLeft);
  return Array.from(raw.matchAll(zeroWidth), (found) => {
    const [start, end] = [found.index, found.index + found[0].length];
    const around = { before: raw.slice(Math.max(0, start - 2), start), after: raw.slice(end, end + 2), at: start };
    return { start, end, verdict: verdictOf(found[0], around, hasRtl) };
  });
}

interface Around {
  readonly before: string;
  readonly after: string;
  readonly at: number;
}

function verdictOf(run: string, around: Around, hasRtl: (at: number) => boolean): Verdict {
  if (around.at === 0 && run === "\ufeff") return "fine";
  if (/^[\u200e\u200f\u061c]{1,2}$/.test(run) && hasRtl(around.at)) return "fine";
  if (/^[\u200c\u200d]{1,2}$/.test(run) && joined.test(around.before)) return "fine";
  if (run.length > 1) return run.length < 8 && standsAlone(around) ? "stray" : "hidden";
  if (isFine(run, around)) return "fine";
  return isBetweenLatin(around) ? "hidden" : "stray";
}

/** Scripts in which joiners choose the form of a letter: Arabic and its kin, Indic, Khmer, Mongolian. */
const joined = /[\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]$/;
/** Scripts that put no blanks between words and mark where a line may end. */
const unspaced = /[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff]/;

function isFine(char: string, { before, after }: Around): boolean {
  if (char === "\u200d")
    return (
      /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u20e3]$/u.test(before) &&
      /^\p{Extended_Pictographic}/u.test(after)
    );
  if (char === "\u200b") return unspaced.test(before) || unspaced.test(after);
  if (char === "\u00ad") return /^\p{L}{2}$/u.test(before) && /^\p{L}{2}$/u.test(after);
  return /[\u180b-\u180f]/.test(char) && /[\u1800-\u18af]$/.test(before);
}

function standsAlone({ before, after }: Around): boolean {
  return !/[^\s`'"]$/.test(before) && !/^[^\s`'"]/.test(after);
}

/** It breaks up what would else be one word, one path or one mark. */
function isBetweenLatin({ before, after }: Around): boolean {
  return (
    /[!-~\u00c0-\u024f]$/.test(before) &&
    /^[!-~\u00c0-\u024f]/.test(after) &&
    !(/[`'"]$/.test(before) && /^[`'"]/.test(after))
  );
}

/** Hebrew, Arabic and their kin. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Whether something is on the line of an offset. Asked in order, each line is looked at once (T26). */
export function onLines(raw: string, pattern: RegExp): (at: number) => boolean {
  let line = { end: -1, has: false };
  return (at) => {
    if (at > line.end) {
      const end = raw.indexOf("\n", at);
      const stop = end === -1 ? raw.length : end;
      line = { end: stop, has: pattern.test(raw.slice(raw.lastIndexOf("\n", at) + 1, stop)) };
    }
    return line.has;
  };
}

/** Letters and patterns that are blank: the Hangul fillers and the Braille cell without dots. */
export function fillerRuns(raw: string): readonly Run[] {
  const hasBraille = onLines(raw, /[\u2801-\u28ff]/);
  return Array.from(raw.matchAll(/[\u115f\u1160\u2800\u3164\uffa0]+/g), (found) => {
    const [start, end] = [found.index, found.index + found[0].length];
    const isBraille = found[0].startsWith("\u2800") && hasBraille(start);
    const isHangul =
      found[0].length === 1 && /[\u1100-\u11ff\uac00-\ud7ff]/.test(raw.charAt(start - 1) + raw.charAt(end));
    return isBraille || isHangul ? undefined : { start, end };
  }).filter((run) => run !== undefined);
}
