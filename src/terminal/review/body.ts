import { heightOf, type Line, span, wrap, type Look } from "../line.ts";
import type { Piece } from "../../diff/visible.ts";

/** Lines that belong together. They are made when they are seen: a bundle can have hundreds of thousands. */
export interface Block {
  readonly height: number;
  readonly lines: () => readonly Line[];
  /** A change or a finding: what `]` and `[` go to. */
  readonly isStop?: boolean;
  /** The place of the finding it shows in the list of them. */
  readonly finding?: number;
}

/** Everything that one tab has to show, as tall as it is. */
export interface Body {
  readonly blocks: readonly Block[];
  /** On which row each block begins. */
  readonly starts: readonly number[];
  readonly height: number;
}

export function block(lines: readonly Line[], marks: Pick<Block, "isStop" | "finding"> = {}): Block {
  return { height: lines.length, lines: () => lines, ...marks };
}

/** One line of a file behind its number, wrapped only when it is seen. */
export function fileLine(lead: Line, follow: Line, spans: Line, columns: number, isStop = false): Block {
  const height = heightOf(spans, columns);
  const lines = () => wrap(spans, columns).map((each, index) => (index === 0 ? lead : follow).concat(each));
  return { height, lines, isStop };
}

export const gap: Block = block([[span("")]]);

export function createBody(blocks: readonly Block[]): Body {
  const starts: number[] = [];
  let height = 0;
  for (const each of blocks) {
    starts.push(height);
    height += each.height;
  }
  return { blocks, starts, height };
}

/** The lines from `top` on, at most so many. */
export function windowOf({ blocks, starts, height }: Body, top: number, count: number): Line[] {
  const lines: Line[] = [];
  const end = Math.min(height, top + count);
  for (let at = blockAt(starts, top); at < blocks.length && (starts[at] ?? height) < end; at++) {
    const start = starts[at] ?? 0;
    const own = blocks[at]?.lines() ?? [];
    for (const [index, each] of own.entries()) if (start + index >= top && start + index < end) lines.push(each);
  }
  return lines;
}

/** The last block that begins at or above a row. */
function blockAt(starts: readonly number[], row: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the line begins that a finding on this row is about. */
export function lineAbove({ blocks, starts }: Body, row: number): number {
  let at = blockAt(starts, row);
  while (at > 0 && blocks[at]?.finding !== undefined) at--;
  return starts[at] ?? 0;
}

/** The rows of the blocks that fit. */
export function rowsWhere({ blocks, starts }: Body, fits: (block: Block) => boolean): readonly number[] {
  return blocks.flatMap((each, index) => (fits(each) ? [starts[index] ?? 0] : []));
}

export function hasText({ lines }: Block, lowerCase: string): boolean {
  const text = lines()
    .flatMap((spans) => spans.map((each) => each.text))
    .join("");
  return text.toLowerCase().includes(lowerCase);
}

/** A line of a file: what cannot be seen stands out, and so does what changed in it (T28). */
export function lineOf(pieces: readonly Piece[], look: readonly Look[] = []): Line {
  return pieces.map(({ text, mark, hidden }) => {
    const changed: readonly Look[] = mark === "changed" ? ["bold", "underline"] : [];
    if (!hidden) return span(text, ...look, ...changed);
    return { ...span(text, "reverse", "yellow", ...changed), isWhole: true };
  });
}
