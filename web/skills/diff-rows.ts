import type { DiffLine } from "#contract";

/** Two lines beside each other; null: there is none on that side. */
export interface PairedLine {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

/** What was taken away stands beside what came in its place. */
export function pairedLines(lines: readonly DiffLine[]): readonly PairedLine[] {
  const rows: PairedLine[] = [];
  let at = 0;
  while (at < lines.length) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    const same = lines[at] ?? null;
    if (removed.length + added.length === 0) rows.push({ left: same, right: same });
    for (let row = 0; row < Math.max(removed.length, added.length); row++)
      rows.push({ left: removed[row] ?? null, right: added[row] ?? null });
    at += Math.max(1, removed.length + added.length);
  }
  return rows;
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): readonly DiffLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(from, end);
}
