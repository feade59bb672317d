import { foldText } from "../fold/fold.ts";
import { type Run, selectorRuns, tagRuns, zeroWidthRuns } from "../fold/invisible.ts";
import type { Matcher } from "../rule.ts";
import { type Content, contentOf, type Encoded, isReadable } from "./content.ts";

/** Runs of characters in the text as it was written; `decode` says what each of them hides. */
export function unseen(
  runsIn: (raw: string) => readonly Run[],
  decode: (run: string, raw: string, at: Run) => string,
): Matcher {
  return {
    patterns: [],
    find: (text) => {
      text.steps += text.raw.length;
      return runsIn(text.raw).map(({ start, end }, at) => {
        if (at >= mostDecoded) return { start, end, inRaw: true };
        const run = text.raw.slice(start, Math.min(end, start + longest));
        return { start, end, inRaw: true, decoded: decode(run, text.raw, { start, end }) };
      });
    },
  };
}

/** More than are ever listed of one rule. */
const mostDecoded = 10;
/** More than is ever shown of one finding. */
const longest = 1200;
const around = 60;

/** The words around a run as they read without it. */
export function wordsAround(run: string, raw: string, { start, end }: Run): string {
  const before = raw.slice(Math.max(0, start - around), start);
  const after = raw.slice(end, end + around);
  const [from, to] = [before.lastIndexOf("\n") + 1, after.indexOf("\n")];
  return foldText(`${before.slice(from)}${run}${to === -1 ? after : after.slice(0, to)}`).trim();
}

/** What characters that cannot be seen spell. All of one kind in a text is one message: it may be spread over words. */
export function unseenIn(raw: string): readonly Encoded[] {
  return [
    ...message("tag characters", tagRuns(raw), (runs) => ({ text: tagText(spelled(raw, runs)) })),
    ...message("variation selectors", selectorRuns(raw), (runs) => hiddenBytes(spelled(raw, runs))),
    ...message("zero-width characters", hiddenRuns(raw), (runs) => contentOfBits(spelled(raw, runs))),
  ];
}

function message(
  from: string,
  runs: readonly Run[],
  read: (runs: readonly Run[]) => Content | undefined,
): readonly Encoded[] {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return [];
  const found = read(runs);
  return found === undefined ? [] : [{ from, start: first.start, end: last.end, ...found }];
}

/** Other bytes are shown by the rule for these characters. */
function hiddenBytes(selectors: string): Content | undefined {
  const { bytes: _, ...found } = contentOf(selectorBytes(selectors)) ?? {};
  return found;
}

function contentOfBits(run: string): Content | undefined {
  const text = bitText(run);
  return text === undefined ? undefined : { text };
}

function hiddenRuns(raw: string): readonly Run[] {
  return zeroWidthRuns(raw).filter(({ verdict }) => verdict !== "fine");
}

function spelled(raw: string, runs: readonly Run[]): string {
  return runs.map(({ start, end }) => raw.slice(start, end)).join("");
}

/** Each tag character is one of ASCII, moved up. Two of them only begin and end a row. */
export function tagText(tags: string): string {
  const ascii = Array.from(tags, (char) => String.fromCharCode((char.codePointAt(0) ?? 0) & 0x7f)).join("");
  // oxlint-disable-next-line no-control-regex
  return ascii.replace(/[\x01\x7f]/g, "");
}

/** 256 selectors: one for each value of a byte. */
export function selectorBytes(selectors: string): Uint8Array {
  return Uint8Array.from(
    Array.from(selectors, (char) => {
      const code = char.codePointAt(0) ?? 0;
      return code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00;
    }),
  );
}

/** So many characters are looked at: each way to read them takes a pass. */
const mostBits = 64 * 1024;
const fewestBits = 14;

/** Two characters for zero and one, in either role, perhaps with a third one between letters; 8 or 7 bits to a letter. */
export function bitText(run: string): string | undefined {
  const signs = [...new Set(run)];
  if (run.length < fewestBits || signs.length < 2 || signs.length > 3) return undefined;
  const text = run.slice(0, mostBits);
  for (const zero of signs)
    for (const one of signs) {
      if (zero === one) continue;
      const bits = Array.from(text, (char) => (char === zero ? "0" : char === one ? "1" : "")).join("");
      for (const width of [8, 7]) {
        const read = lettersOf(bits, width);
        if (read !== undefined) return read;
      }
    }
  return undefined;
}

function lettersOf(bits: string, width: number): string | undefined {
  const groups = bits.match(new RegExp(`[01]{${width}}`, "g")) ?? [];
  if (groups.length < 2) return undefined;
  for (const ordered of [groups, groups.map((group) => Array.from(group).toReversed().join(""))]) {
    const text = Buffer.from(ordered.map((group) => Number.parseInt(group, 2))).toString("utf8");
    if (isReadable(text) || /^[a-z0-9 ./~_-]{3,5}$/i.test(text)) return text;
  }
  return undefined;
}
