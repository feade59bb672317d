import type { ScanText } from "./text.ts";

/** `inline`: between backticks in prose. `comment`: an HTML comment, which no reader of the rendered page sees. */
export type RegionKind = "header" | "fence" | "inline" | "comment" | "prose";

export interface Region {
  readonly kind: Exclude<RegionKind, "prose">;
  readonly start: number;
  readonly end: number;
}

/** What is not prose in a text, in order, nothing twice. A script is one fence. One pass over the lines (T26). */
export function regionsOf(scanned: Pick<ScanText, "text" | "kind" | "steps">): readonly Region[] {
  const { text, kind } = scanned;
  if (kind !== "markdown") return text === "" ? [] : [{ kind: "fence", start: 0, end: text.length }];
  const regions: Region[] = [];
  const search = new Search(text, (characters) => {
    scanned.steps += characters;
  });
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
    else at = pushInline(regions, search, at, end);
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
function pushInline(regions: Region[], search: Search, start: number, end: number): number {
  let at = start;
  let codes: readonly Code[] | undefined;
  let next = 0;
  while (at < end) {
    const [comment, tick] = [search.comment.from(at), search.tick.from(at)];
    if (Math.min(comment, tick) >= end) return end;
    if (comment < tick) {
      const stop = Math.min(search.commentEnd.from(comment + 4) + 3, search.text.length);
      regions.push({ kind: "comment", start: comment, end: stop });
      if (stop > end) return lineEnd(search.text, stop);
      at = stop;
      continue;
    }
    codes ??= codesIn(search, tick, end);
    while ((codes[next]?.start ?? end) < tick) next++;
    const code = codes[next];
    if (code?.close !== undefined) regions.push({ kind: "inline", start: tick, end: code.close });
    at = code?.close ?? (code === undefined ? end : code.start + code.length);
  }
  return end;
}

/** A row of backticks, and the end of the next one of the same length: code stands between them. */
interface Code {
  readonly start: number;
  readonly length: number;
  close: number | undefined;
}

/** All of a line. Each is looked at once, also where none of them has another one (T26). */
function codesIn(search: Search, from: number, end: number): readonly Code[] {
  const codes: Code[] = [];
  const last = new Map<number, Code>();
  for (let start = from; start !== -1 && start < end; ) {
    let length = 1;
    while (start + length < end && search.text[start + length] === "`") length++;
    const before = last.get(length);
    if (before !== undefined) before.close = start + length;
    const code = { start, length, close: undefined };
    last.set(length, code);
    codes.push(code);
    start = search.text.indexOf("`", start + length);
  }
  search.looked(end - from);
  return codes;
}

/** The next place of a word, for offsets that only grow: nothing is searched twice (T26). */
class Next {
  readonly #search: Search;
  readonly #word: string;
  #at = -1;

  constructor(search: Search, word: string) {
    this.#search = search;
    this.#word = word;
  }

  /** The length of the text, where there is none. */
  from(offset: number): number {
    if (this.#at >= offset) return this.#at;
    const { text } = this.#search;
    const found = text.indexOf(this.#word, offset);
    this.#at = found === -1 ? text.length : found;
    this.#search.looked(this.#at - offset);
    return this.#at;
  }
}

class Search {
  readonly text: string;
  readonly looked: (characters: number) => void;
  readonly comment = new Next(this, "<!--");
  readonly commentEnd = new Next(this, "-->");
  readonly tick = new Next(this, "`");

  constructor(text: string, looked: (characters: number) => void) {
    this.text = text;
    this.looked = looked;
  }
}
