import { type Run, zeroWidthRuns } from "../fold/invisible.ts";
import type { Rule } from "../rule.ts";
import { unseen, wordsAround } from "../decode/unseen.ts";

function strayRuns(raw: string): readonly Run[] {
  return zeroWidthRuns(raw).filter(({ verdict }) => verdict === "stray");
}

export const hiddenStray: Rule = {
  id: "hidden.stray",
  level: "low",
  title: "a character without width that is of no use where it stands",
  why: "Mostly it came along when text was copied. It is harmless by itself, but nobody needs it: ask for it to be removed.",
  mentioned: "same",
  match: unseen(strayRuns, wordsAround),
  hostile: ["The last word \u200b\nof a line", "- \u2060 an item", "\u4e2d\u6587\u200bAPI"],
  benign: [
    "\u{1f469}\u200d\u{1f4bb}",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u05e9\u05dc\u05d5\u05dd (HTTP)\u200f.",
  ],
};
