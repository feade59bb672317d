import { isPrintableAscii } from "../../base/text.ts";
import { foldPattern } from "../../base/tools/paths.ts";

/**
 * Whether a folded pattern that forbids reaches every path that fits a pattern which allows: the path itself, or a
 * folder that it is in. False when in doubt.
 */
export function forbidsBelow(forbidden: readonly string[], allowed: readonly string[]): boolean {
  // With a folder goes what is in it.
  const named = forbidden.at(-1) === "**" ? forbidden.slice(0, -1) : forbidden;
  if (named.length > allowed.length) return false;
  const folded = foldPattern(allowed);
  return named.every((segment, at) => coversSegment(segment, folded[at] ?? "", at === named.length - 1));
}

function coversSegment(forbidden: string, allowed: string, isLast: boolean): boolean {
  if (forbidden === "**") return true;
  // Whatever `**` stands for begins with some name, and nothing behind that is asked for.
  if (forbidden === "*") return allowed !== "**" || isLast;
  return forbidden === allowed && (!forbidden.includes("*") || isFoldedAlike(forbidden));
}

/** Behind a letter, a `*` may stand for an accent which the path's own folding joins to the letter. */
function isFoldedAlike(segment: string): boolean {
  return isPrintableAscii(segment) && !/[a-z<=>]\*/.test(segment);
}
