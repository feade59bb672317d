import { safeLine } from "../../../base/text.ts";

const longestName = 256;

/** The first name that is none of these, for a message, and which of them may have been meant. */
export function unknownName(
  given: object,
  known: readonly string[],
): { readonly shown: string; readonly hint: string } | undefined {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const near = nearest(unknown, known);
  const hint = near === undefined ? `there are ${known.join(", ")}` : `did you mean ${near}?`;
  return { shown: `"${safeLine(unknown, 64)}"`, hint };
}

/** The one that begins most like it. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const word = name.slice(0, longestName).toLowerCase();
  const alike = known.map((each) => ({ each, letters: sharedStart(word, each.toLowerCase()) }));
  const [best] = alike.toSorted((a, b) => b.letters - a.letters);
  return best !== undefined && best.letters > 1 ? best.each : undefined;
}

function sharedStart(one: string, other: string): number {
  const end = Array.from(other).findIndex((letter, at) => one[at] !== letter);
  return end === -1 ? other.length : end;
}
