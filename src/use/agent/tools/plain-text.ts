import { hasUnseen } from "../../../base/text.ts";

/**
 * Text that nobody vouches for, as it may go into a file or to a model: lines and tabs stay, and nothing is left in it
 * that cannot be seen or that a terminal would act on (T34).
 */
export function plainText(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  return lines.map((line) => (hasUnseen(line) ? seenOf(line) : line)).join("\n");
}

function seenOf(line: string): string {
  return Array.from(line)
    .filter((character) => character === "\t" || !hasUnseen(character))
    .join("");
}
