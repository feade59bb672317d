import { type Change, type Comparison, contextLines, wholeNeed } from "./comparison.ts";
import { cutPieces, longestContext, longestLine } from "./cut.ts";
import type { DiffLine, Hunk } from "./diff.ts";
import type { Steps } from "./match.ts";
import type { TextLines } from "./read-text.ts";
import { counterparts, fitRows, lengthOf, type Region, type Row, rowsOf, type Span, wordsFor } from "./rows.ts";
import { share } from "./share.ts";
import { type Piece, type Segment, showSegments } from "./visible.ts";
import { compareLines, type LinePair } from "./words.ts";

export interface Hunks {
  readonly hunks: readonly Hunk[];
  /** Changed lines that are not in them. */
  readonly left: number;
  /** Changed lines of which a part is left out. */
  readonly cut: number;
}

/** A change that gets less than this is better left out whole: a few lines. */
const leastRoom = 400;

/** Where there is little room, of a long line so much is shown all the same. */
const shortestLine = 300;

/** The changes with the lines around them, within so many characters. */
export function renderHunks(comparison: Comparison, room: number, steps: Steps): Hunks {
  return new HunkWriter(comparison, steps).write(room);
}

class HunkWriter {
  readonly #comparison: Comparison;
  readonly #steps: Steps;
  /** A CR at a line's end is worth showing where not all lines have one. */
  readonly #showEnds: boolean;
  readonly #hunks: DiffLine[][] = [];
  #left = 0;
  #cut = 0;

  constructor(comparison: Comparison, steps: Steps) {
    this.#comparison = comparison;
    this.#steps = steps;
    const ends = [comparison.before.endings, comparison.after.endings];
    this.#showEnds = ends.some(({ crlf }) => crlf > 0) && ends.some(({ lf }) => lf > 0);
  }

  write(room: number): Hunks {
    const { changes, after } = this.#comparison;
    const rooms = share(changes.map(wholeNeed), room, leastRoom);
    let [shownTo, previousEnd] = [-1, 0];
    for (const [at, change] of changes.entries()) {
      const { from, to } = change.region.after;
      const part = rooms[at] ?? 0;
      const withContext = part > change.need.context + leastRoom / 2 || part === wholeNeed(change);
      const start = Math.max(previousEnd, withContext ? from - contextLines : from);
      const next = changes[at + 1]?.region.after.from ?? after.lines.length;
      previousEnd = to;
      // There was no room for it, nor is there for those behind it.
      if (part === 0) {
        this.#left += lengthOf(change.region.before) + lengthOf(change.region.after);
        continue;
      }
      // What the last hunk already shows is not shown twice, and hunks that meet are one.
      if (start > shownTo) this.#hunks.push([]);
      this.#addContext({ from: Math.max(start, shownTo), to: from }, change.region.before.from - from);
      this.#addChange(change, withContext ? part - change.need.context : part);
      shownTo = withContext ? Math.min(next, to + contextLines) : to;
      this.#addContext({ from: to, to: shownTo }, change.region.before.to - to);
    }
    return { hunks: this.#hunks.map((lines) => ({ lines })), left: this.#left, cut: this.#cut };
  }

  /** Between two changes both sides run alike, so one distance holds. */
  #addContext({ from, to }: Span, apart: number): void {
    for (let at = from; at < to; at++) {
      const text = this.#comparison.after.lines[at] ?? "";
      const pieces = cutPieces(showSegments([{ text, mark: "same" }]), longestContext);
      this.#push({ kind: "same", before: at + apart + 1, after: at + 1, pieces });
    }
  }

  #addChange({ region, need }: Change, room: number): void {
    const { before, after } = this.#comparison;
    const [forRemoved = 0, forAdded = 0] = share([need.removed, need.added], room, 0);
    const removed = fitRows([...rowsOf(before.lines, region.before)], before.lines, forRemoved);
    const added = fitRows([...rowsOf(after.lines, region.after)], after.lines, forAdded);
    const pairs = new Pairs(region, this.#texts(before), this.#texts(after), this.#steps);
    const hasRoom = room >= need.removed + need.added;
    const longest = hasRoom ? longestLine : Math.max(shortestLine, Math.min(longestLine, room / 2));
    for (const row of removed) this.#addRow("removed", row, before, longest, (at) => pairs.segmentsBefore(at));
    for (const row of added) this.#addRow("added", row, after, longest, (at) => pairs.segmentsAfter(at));
  }

  #addRow(
    kind: "added" | "removed",
    row: Row,
    { lines }: TextLines,
    longest: number,
    segmentsAt: (at: number) => readonly Segment[],
  ): void {
    const number = row.at + 1;
    const place = kind === "added" ? { before: null, after: number } : { before: number, after: null };
    if (row.is === "line") {
      const whole = showSegments(segmentsAt(row.at));
      const pieces = cutPieces(whole, longest);
      if (pieces !== whole) this.#cut++;
      this.#push({ kind, ...place, pieces });
      return;
    }
    if (row.is === "left") this.#left += row.times;
    const words: Piece = { text: wordsFor(row, lines, kind), mark: "same", hidden: true };
    this.#push({ kind, ...place, pieces: [words] });
  }

  #texts({ lines, endings }: TextLines): (at: number) => string {
    return (at) => (lines[at] ?? "") + (this.#showEnds ? endings.crAt(at) : "");
  }

  #push(line: DiffLine): void {
    this.#hunks.at(-1)?.push(line);
  }
}

/** Which removed line became which added one, compared when one of them is shown. */
class Pairs {
  readonly #before: (at: number) => string;
  readonly #after: (at: number) => string;
  readonly #steps: Steps;
  readonly #toAfter = new Map<number, number>();
  readonly #toBefore = new Map<number, number>();
  readonly #compared = new Map<number, LinePair | undefined>();

  constructor(region: Region, before: (at: number) => string, after: (at: number) => string, steps: Steps) {
    this.#before = before;
    this.#after = after;
    this.#steps = steps;
    const [old, now] = [textsIn(region.before, before), textsIn(region.after, after)];
    for (const [x, y] of counterparts(old, now, steps)) {
      this.#toAfter.set(region.before.from + x, region.after.from + y);
      this.#toBefore.set(region.after.from + y, region.before.from + x);
    }
  }

  segmentsBefore(at: number): readonly Segment[] {
    return this.#compare(at, this.#toAfter.get(at))?.before ?? [{ text: this.#before(at), mark: "same" }];
  }

  segmentsAfter(at: number): readonly Segment[] {
    return this.#compare(this.#toBefore.get(at), at)?.after ?? [{ text: this.#after(at), mark: "same" }];
  }

  #compare(before: number | undefined, after: number | undefined): LinePair | undefined {
    if (before === undefined || after === undefined) return undefined;
    if (!this.#compared.has(after))
      this.#compared.set(after, compareLines(this.#before(before), this.#after(after), this.#steps));
    return this.#compared.get(after);
  }
}

function textsIn({ from, to }: Span, textAt: (at: number) => string): string[] {
  return Array.from({ length: to - from }, (_, at) => textAt(from + at));
}
