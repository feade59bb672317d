import { foldText } from "../fold/fold.ts";
import { onLines, rightToLeft, type Run } from "../fold/invisible.ts";
import type { Rule } from "../rule.ts";
import { unseen } from "../decode/unseen.ts";

const controls = /[\u202a-\u202e\u2066-\u2069]/g;

/** The stretch of a line from its first control to its last one. Embeddings are fine in Hebrew and Arabic, overrides never. */
function bidiRuns(raw: string): readonly Run[] {
  const hasRtl = onLines(raw, rightToLeft);
  const lines: { start: number; end: number; stop: number; isOdd: boolean }[] = [];
  for (const { index, 0: control } of raw.matchAll(controls)) {
    const line = lines.at(-1);
    const isOdd = control === "\u202d" || control === "\u202e" || !hasRtl(index);
    if (line !== undefined && index < line.stop) {
      line.end = index + 1;
      line.isOdd ||= isOdd;
      continue;
    }
    const stop = raw.indexOf("\n", index);
    lines.push({ start: index, end: index + 1, stop: stop === -1 ? raw.length : stop, isOdd });
  }
  return lines
    .filter(({ isOdd }) => isOdd)
    .map(({ start, end, stop }) => ({ start, end: end === start + 1 ? stop : end }));
}

/** What a screen shows in its place is the other way round only where it is overridden from right to left. */
function said(run: string): string {
  const reads = foldText(run).trim();
  return run.includes("\u202e") ? `${reads} (shown as ${Array.from(reads).toReversed().join("")})` : reads;
}

export const hiddenBidi: Rule = {
  id: "hidden.bidi",
  level: "high",
  title: "controls that change the order in which text is shown",
  why: "With them a line is shown in another order than it is read and run in: a comment looks like code, a script like a picture. Text in Hebrew or Arabic may need the milder ones; overrides are never needed. What is decoded is the order in which it is read.",
  mentioned: "same",
  match: unseen(bidiRuns, said),
  hostile: [
    "Open \u202egnp.yrotsih\u202c first",
    "if (role \u2066// check\u2069 === admin)",
    "grant \u202dnothing",
    "\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c",
  ],
  benign: [
    "\u05e9\u05dc\u05d5\u05dd \u2067\u05e2\u05d5\u05dc\u05dd\u2069 (API)",
    "\u0645\u0631\u062d\u0628\u0627 \u202bHTTP\u202c",
    "Right-to-left override is U+202E.",
  ],
};
