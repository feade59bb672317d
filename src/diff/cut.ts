import { count } from "../core/text.ts";
import type { Piece } from "./visible.ts";

/** What is shown of a line that did not change. */
export const longestContext = 240;
/** What is shown of a line that changed. */
export const longestLine = 4000;
/** A line up to here is shown whole, whatever changed in it. */
const shortLine = 400;
/** How much of what did not change is shown beside a change. */
const beside = 80;

/**
 * A line short enough to be read: what is far from a change is left out, and said (`… 2,310 characters …`). The very
 * same list when nothing is left out.
 */
export function cutPieces(pieces: readonly Piece[], longest: number): readonly Piece[] {
  if (lengthOf(pieces) <= Math.min(shortLine, longest)) return pieces;
  const groups = groupByMark(pieces);
  const parts = groups.flatMap((group) => {
    if (groups.length === 1) return cutGroup(group, longest * 0.75, longest * 0.25);
    const isChange = group[0]?.mark === "changed";
    return isChange ? cutGroup(group, longest / 4, longest / 8) : cutGroup(group, beside, beside);
  });
  const kept = cutRest(parts, longest);
  return kept.length === pieces.length && lengthOf(kept) === lengthOf(pieces) ? pieces : kept;
}

/** Pieces, and how many characters of the line they are or stand for. */
interface Part {
  readonly shown: readonly Piece[];
  readonly length: number;
}

function groupByMark(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    if (last?.[0]?.mark === piece.mark) last.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

function cutGroup(group: readonly Piece[], head: number, tail: number): readonly Part[] {
  const length = lengthOf(group);
  const start = splitAt(group, head);
  const end = splitAt(start.after, lengthOf(start.after) - tail);
  const between = lengthOf(end.before);
  // What is not longer than the words about it is not left out.
  if (length <= head + tail || between <= 40) return [{ shown: group, length }];
  return [
    { shown: start.before, length: lengthOf(start.before) },
    { shown: [leftOut(between, group)], length: between },
    { shown: end.after, length: lengthOf(end.after) },
  ];
}

/** Many changes in one line: the first of them, and how much there is behind. */
function cutRest(parts: readonly Part[], longest: number): readonly Piece[] {
  let room = longest;
  const kept: Piece[] = [];
  for (const [at, { shown }] of parts.entries()) {
    room -= lengthOf(shown);
    // The words about what was left out are no reason to leave out more.
    if (room < -beside) {
      const rest = parts.slice(at);
      const length = rest.reduce((sum, part) => sum + part.length, 0);
      return [
        ...kept,
        leftOut(
          length,
          rest.flatMap((part) => part.shown),
        ),
      ];
    }
    kept.push(...shown);
  }
  return kept;
}

function leftOut(length: number, pieces: readonly Piece[]): Piece {
  const mark = pieces.some((piece) => piece.mark === "changed") ? "changed" : "same";
  return { text: `… ${count(length)} characters …`, mark, hidden: true };
}

/** A piece that stands for something is never split, nor is a surrogate pair. */
function splitAt(pieces: readonly Piece[], length: number): { before: readonly Piece[]; after: readonly Piece[] } {
  let room = length;
  for (const [at, piece] of pieces.entries()) {
    if (room >= piece.text.length) {
      room -= piece.text.length;
      continue;
    }
    const cut = piece.hidden ? 0 : wholeAt(piece.text, Math.max(0, Math.floor(room)));
    const [head, tail] = [piece.text.slice(0, cut), piece.text.slice(cut)];
    return {
      before: [...pieces.slice(0, at), ...(head === "" ? [] : [{ ...piece, text: head }])],
      after: [...(tail === "" ? [] : [{ ...piece, text: tail }]), ...pieces.slice(at + 1)],
    };
  }
  return { before: pieces, after: [] };
}

function wholeAt(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at;
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}
