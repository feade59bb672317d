import { printable } from "../width.ts";

/** What shapes a text without hiding anything: line breaks, tabs, and the joiners that emoji are made of. */
const honest =
  /([\n\t]|(?<=\p{Extended_Pictographic})\uFE0F|(?<=\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic}))/u;

/** Text of many lines that nobody vouches for, for where no screen is laid out (T34). */
export function visibleText(text: string): string {
  // Every second part is what the text was split at.
  return text
    .split(honest)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");
}

const seen = /^[\x20-\x7e]*$/;
const unseen = /[^\P{C}]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A value as JSON on one line in which nothing unseen stands as itself: a program reads what it would, a terminal acts on nothing. */
export function jsonLine(value: unknown): string {
  const json = JSON.stringify(value);
  return seen.test(json) ? json : json.replace(unseen, escapeUnits);
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
