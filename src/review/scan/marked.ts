import type { ScanText } from "./text.ts";
import { calledBad, calledGood, turned } from "./talk.ts";

/** A line that is a comment, in most languages of fences. */
export const commentLine = /^\s{0,12}(?:#|\/\/|--|\/\*|\*|❌|✗|🚫)/;

/**
 * In code: the comment on the line or the one right above says plainly that this is how not to do it. A word such as
 * "detect" or "flags" says nothing of the kind; every script has comments like that.
 */
export function isCommentedBad(text: ScanText, at: number, line: string): boolean {
  const own = /(?:^|\s)((?:#|\/\/|--|\/\*)\s{1,4}[^\n]{1,120})$/.exec(line)?.[1] ?? "";
  const above = lineAbove(text.lower, at);
  return isBad(own) || (commentLine.test(above) && isBad(above));
}

/** Near by stands a comment that says how it is done well: the two are a pair. */
export function hasGoodPart({ lower }: ScanText, at: number): boolean {
  return calledGood.test(lower.slice(Math.max(0, at - reach), at + reach));
}

const reach = 600;

function isBad(comment: string): boolean {
  return calledBad.test(comment) && !turned.test(comment);
}

function lineAbove(lower: string, at: number): string {
  const end = lower.lastIndexOf("\n", at - 1);
  if (end <= 0) return "";
  const start = lower.lastIndexOf("\n", end - 1) + 1;
  return lower.slice(Math.max(start, end - 200), end);
}
