import type { Endings } from "../scan/text-lines.ts";
import type { Comparison } from "./comparison.ts";
import { count } from "./count.ts";
import type { FilePair } from "./file-diff.ts";

/** What hunks do not say, since lines are compared without their ends: other line endings, a newline more or less. */
export function endingNotes({ before, after, matches }: Comparison, pair: FilePair): string[] {
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
