import { count } from "../core/text.ts";
import type { BundleFile } from "../skill/bundle.ts";
import { compareTexts, type Comparison } from "./comparison.ts";
import type { FileDiff } from "./diff.ts";
import { renderHunks } from "./hunks.ts";
import { Steps } from "./match.ts";
import { type Endings, type ReadText, readText, splitLines } from "./read-text.ts";

/** A file and what it was before: one of the two may not be there. */
export interface FilePair {
  readonly before: BundleFile | null;
  readonly after: BundleFile | null;
}

/** A changed file compared, before it is known how much of it can be shown. */
export interface ComparedFile {
  readonly pair: FilePair;
  /** Null when a side is not text, or nothing changed but the path. */
  readonly text: Comparison | null;
  /** Bytes that are not UTF-8 in what it is now. */
  readonly bad: number;
  readonly steps: Steps;
}

export function compareFile(pair: FilePair, most: number): ComparedFile {
  const steps = new Steps(most);
  if (pair.before?.digest === pair.after?.digest) return { pair, text: null, bad: 0, steps };
  const [before, after] = [textOf(pair.before), textOf(pair.after)];
  if (before === undefined || after === undefined) return { pair, text: null, bad: 0, steps };
  return { pair, text: compareTexts(splitLines(before.text), splitLines(after.text), steps), bad: after.bad, steps };
}

/** A file that is not there has no lines. */
function textOf(file: BundleFile | null): ReadText | undefined {
  return file === null ? { text: "", bad: 0 } : readText(file.bytes);
}

/** The diff of one file, within so many characters. */
export function renderFile({ pair, text, bad, steps }: ComparedFile, room: number): FileDiff {
  const about = describe(pair);
  if (text === null) return { ...about, ...withoutText(pair) };
  const { hunks, left, cut } = renderHunks(text, room, steps);
  const { added, removed } = text;
  const notes = endingNotes(text, pair);
  if (cut > 0)
    notes.push(`${cut === 1 ? "1 long line is" : `${count(cut)} long lines are`} cut here and whole in the raw text`);
  if (bad > 0) notes.push(`not UTF-8: ${bad === 1 ? "1 byte is" : `${count(bad)} bytes are`} shown as \\x{…}`);
  const isEmpty = (pair.after ?? pair.before)?.bytes.length === 0;
  if (isEmpty && hunks.length === 0) notes.push("the file is empty");
  const onlyEnds = pair.before !== null && pair.after !== null && added + removed === 0;
  return { ...about, shows: onlyEnds ? "endings" : "text", hunks, added, removed, left, notes };
}

function describe({ before, after }: FilePair): Pick<FileDiff, "path" | "change" | "from" | "before" | "after"> {
  const isMoved = before !== null && after !== null && before.path !== after.path;
  return {
    path: (after ?? before)?.path ?? "",
    change: before === null ? "added" : after === null ? "removed" : isMoved ? "renamed" : "changed",
    from: isMoved ? before.path : null,
    before: sizeOf(before),
    after: sizeOf(after),
  };
}

function sizeOf(file: BundleFile | null): { digest: string; size: number } | null {
  return file === null ? null : { digest: file.digest, size: file.bytes.length };
}

function withoutText({
  before,
  after,
}: FilePair): Pick<FileDiff, "shows" | "hunks" | "added" | "removed" | "left" | "notes"> {
  const nothing = { hunks: [], added: 0, removed: 0, left: 0 };
  if (before?.digest === after?.digest) return { ...nothing, shows: "same", notes: [] };
  const wasText = before !== null && textOf(before) !== undefined;
  const isText = after !== null && textOf(after) !== undefined;
  const what = wasText ? "was text, is not now" : isText ? "was not text, is now" : "not text";
  return { ...nothing, shows: "bytes", notes: [`${what}: only size and digest are compared`] };
}

/** What hunks do not say, since lines are compared without their ends: other line endings, a newline more or less. */
function endingNotes({ before, after, matches }: Comparison, pair: FilePair): string[] {
  const [old, now] = [before.endings, after.endings];
  if (pair.before === null || pair.after === null) return ofOne(pair.after === null ? old : now, pair);
  const notes: string[] = [];
  const changed = (from: string, to: string) =>
    matches.filter(([x, y]) => old.endAt(x) === from && now.endAt(y) === to).length;
  const [toCrlf, toLf] = [changed("\n", "\r\n"), changed("\r\n", "\n")];
  if (toCrlf > 0) notes.push(`line endings: LF -> CRLF (${lines(toCrlf)})`);
  if (toLf > 0) notes.push(`line endings: CRLF -> LF (${lines(toLf)})`);
  if (old.closed && !now.closed) notes.push("no newline at the end any more");
  if (!old.closed && now.closed) notes.push("a newline at the end now");
  return notes;
}

function ofOne(endings: Endings, { before, after }: FilePair): string[] {
  const notes: string[] = [];
  if (endings.mixed) notes.push(`line endings: CRLF (${lines(endings.crlf)}), LF (${lines(endings.lf)})`);
  else if (endings.crlf > 0) notes.push(`line endings: CRLF (${lines(endings.crlf)})`);
  const isEmpty = (after ?? before)?.bytes.length === 0;
  if (!endings.closed && !isEmpty) notes.push("no newline at the end");
  return notes;
}

function lines(number: number): string {
  return number === 1 ? "1 line" : `${count(number)} lines`;
}
