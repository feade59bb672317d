import type { ScanText } from "./text.ts";

/** `inline`: between backticks in prose. `comment`: an HTML comment, which no reader of the rendered page sees. */
export type RegionKind = "header" | "fence" | "inline" | "comment" | "prose";

export interface Region {
  readonly kind: Exclude<RegionKind, "prose">;
  readonly start: number;
  readonly end: number;
}

/** What is not prose in a text, in order, nothing twice. A script is one fence. One pass over the lines (T26). */
export function regionsOf({ text, kind }: Pick<ScanText, "text" | "kind">): readonly Region[] {
  if (kind !== "markdown") return text === "" ? [] : [{ kind: "fence", start: 0, end: text.length }];
  const regions: Region[] = [];
  let at = headerEnd(text);
  if (at > 0) regions.push({ kind: "header", start: 0, end: at });
  let fence: { readonly start: number; readonly mark: string } | undefined;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const mark = fenceMark(text, at, end);
    if (fence !== undefined) {
      if (mark !== undefined && closes(fence.mark, mark, text.slice(at, end))) {
        regions.push({ kind: "fence", start: fence.start, end });
        fence = undefined;
      }
    } else if (mark !== undefined) fence = { start: at, mark };
    else at = pushInline(regions, text, at, end);
    at = Math.max(at, end) + 1;
  }
  if (fence !== undefined) regions.push({ kind: "fence", start: fence.start, end: text.length });
  return regions;
}

function headerEnd(text: string): number {
  if (!/^---[ \t]*\r?\n/.test(text)) return 0;
  const close = /\n---[ \t]*(?:\r?\n|$)/g;
  close.lastIndex = 3;
  const found = close.exec(text);
  return found === null ? 0 : found.index + found[0].length;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** Quoted and listed fences count too: `> ```bash`. */
function fenceMark(text: string, start: number, end: number): string | undefined {
  const line = text.slice(start, Math.min(end, start + 24));
  return /^[ \t>*+-]{0,12}(`{3,12}|~{3,12})/.exec(line)?.[1];
}

function closes(opened: string, mark: string, line: string): boolean {
  if (mark[0] !== opened[0] || mark.length < opened.length) return false;
  return /^[ \t>*+-]{0,12}(?:`{3,12}|~{3,12})\s*$/.test(line);
}

/** Comments and inline code that begin on one line. A comment may end on a later one: where it does is handed back. */
function pushInline(regions: Region[], text: string, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const comment = indexWithin(text, "<!--", at, end);
    const tick = indexWithin(text, "`", at, end);
    if (comment === -1 && tick === -1) return end;
    if (comment !== -1 && (tick === -1 || comment < tick)) {
      const close = text.indexOf("-->", comment + 4);
      const stop = close === -1 ? text.length : close + 3;
      regions.push({ kind: "comment", start: comment, end: stop });
      if (stop > end) return lineEnd(text, stop);
      at = stop;
    } else at = pushCode(regions, text, tick, end);
  }
  return end;
}

function pushCode(regions: Region[], text: string, tick: number, end: number): number {
  let length = 1;
  while (text[tick + length] === "`") length++;
  const close = indexWithin(text, "`".repeat(length), tick + length, end);
  if (close === -1) return tick + length;
  regions.push({ kind: "inline", start: tick, end: close + length });
  return close + length;
}

function indexWithin(text: string, word: string, from: number, end: number): number {
  const at = text.slice(from, end).indexOf(word);
  return at === -1 ? -1 : from + at;
}
