import { safeLine } from "../../../base/text.ts";
import { whyNotLinear } from "../../../review/scan/linear.ts";

/** What a pattern is held against: at so many places, a hostile one may take all its steps. */
export const longestMatched = 32_768;

const longestPattern = 500;
const mostWays = 2000;

/** A regular expression of a case, or why it is refused: one that backtracks without end would hang every run (T26). */
export function readPattern(source: string): RegExp | string {
  if (source === "" || source.length > longestPattern) return `expected 1 to ${longestPattern} characters`;
  try {
    const pattern = new RegExp(source, "u");
    const why = /\\k/.test(source) ? "it refers back to a group" : (whyNotLinear(pattern) ?? whyTooManyWays(source));
    return why === undefined ? pattern : `it could take too long: ${why}; bound each repetition, as in .{0,80}`;
  } catch (error) {
    return safeLine(error instanceof Error ? error.message : "it is no regular expression", 200);
  }
}

/**
 * Each alternative and each `?` doubles the ways to read a text, and each counted repetition multiplies them: thirty
 * choices in a row are exponential, though none of them repeats. Lazy marks count too: more than there are is fine.
 */
function whyTooManyWays(source: string): string | undefined {
  const bare = source.replace(/\\u\{[^}]*\}|\\./gsu, "x").replace(/\[[^\]]*\]/g, "x");
  const choices = bare.match(/\||(?<!\()\?/g)?.length ?? 0;
  const counts = [...bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least));
  const ways = counts.reduce((product, count) => product * Math.max(1, count), 2 ** choices);
  return ways > mostWays ? `there are ${ways} ways to read one place with it, and ${mostWays} are enough` : undefined;
}
