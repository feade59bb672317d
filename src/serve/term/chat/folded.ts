import { type Line, type Span, span } from "../line.ts";
import { plural } from "../wording.ts";
import { linesIn, shown } from "./shown.ts";

/** As deep as code is set in; more of them only push out of sight what stands behind. */
const fewBlanks = 16;
const fewEmptyLines = 3;
const longRuns = new RegExp(`([\\p{Zs}\\t]{${fewBlanks + 1},})`, "u");
const isBlank = (text: string) => /^[\p{Zs}\t]*$/u.test(text);
/** Laying out takes a look at the whole rest of a part for each row. */
const parts = /[^]{1,1000}/gu;

/** Lines of text that is not ours, with a mark for each long run of what looks like nothing. Made one by one: most may never be seen. */
export function* foldedLines(text: string): Generator<Line> {
  let empty: string[] = [];
  for (const each of linesIn(text)) {
    if (isBlank(each)) empty.push(each);
    else {
      yield* foldEmpty(empty);
      empty = [];
      yield foldBlanks(each);
    }
  }
  yield* foldEmpty(empty);
}

function foldEmpty(lines: readonly string[]): readonly Line[] {
  return lines.length > fewEmptyLines ? [[mark(plural(lines.length, "empty line"))]] : lines.map(foldBlanks);
}

function foldBlanks(text: string): Line {
  // Every second part is a run.
  return text
    .split(longRuns)
    .flatMap((part, index) => (index % 2 === 1 ? [mark(plural(part.length, "blank"))] : inParts(part)));
}

function inParts(text: string): Line {
  return (text.match(parts) ?? []).flatMap((part) => shown(part));
}

/** No text has this look, so that none can pass for a mark. */
function mark(text: string): Span {
  return { ...span(`⟨${text}⟩`, "reverse"), isWhole: true };
}
