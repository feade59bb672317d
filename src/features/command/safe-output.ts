import { safeLine } from "../../core/text.ts";
import type { Screen } from "./output.ts";

/** CO-19, T34: text that nobody vouches for, with everything that a terminal would act on or hide shown as `\u{1b}`. */
export function makeVisible(text: string): string {
  return shapedText(text, (part) => safeLine(part, Number.POSITIVE_INFINITY));
}

/** Exactly this text, for a pipe; on a terminal made visible, on lines of its own. */
export function printExact(text: string, screen: Screen): void {
  screen.write(screen.isTTY === true ? onLines(makeVisible(text)) : text);
}

/** What a model answered: made visible wherever it goes, unless it was asked for raw and no terminal reads it. */
export function printAnswer(text: string, isRaw: boolean, screen: Screen): void {
  if (isRaw) printExact(text, screen);
  else screen.write(onLines(makeVisible(text)));
}

function onLines(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

export function renderVisibleJson(value: unknown): string {
  return visibleJson(value, 2);
}

/** What shapes a text without hiding anything: line breaks, tabs, and the joiners that emoji are made of. */
const honest =
  /([\n\t]|(?<=\p{Extended_Pictographic})\uFE0F|(?<=\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic}))/u;

/** CO-19, T34: a text of many lines that nobody vouches for, with `show` on all of it but what shapes it. */
export function shapedText(text: string, show: (part: string) => string): string {
  const parts = text.split(honest);
  // Every second part is what the text was split at.
  return parts.map((part, index) => (index % 2 === 1 ? part : show(part))).join("");
}

const seen = /^[\x20-\x7e\n]*$/;
const unseen = /[^\P{C}\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** JSON of the same value in which nothing unseen stands as itself: a program reads what it would, a terminal acts on nothing. */
export function visibleJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent);
  return seen.test(json) ? json : json.replace(unseen, escapeUnits);
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/**
 * What a build prints is read by the machine that runs it: GitHub obeys a line that begins with `::` and `##[…]`
 * anywhere, Azure Pipelines `##vso[…]`, TeamCity `##teamcity[…]`. Text out of a hostile skill must be none of these.
 */
const marks = /##(?=[a-z]{0,32}\[)/gi;
const lineStarts = /^([^\S\n]*):(?=:)/gm;

/** The same text, in which no build finds an order. The mark that was changed can be seen: `#\u{23}vso[`. */
export function withoutOrders(text: string): string {
  return text.replace(marks, "#\\u{23}").replace(lineStarts, "$1\\u{3a}");
}

/** JSON of the same value. A number sign stands only inside of its texts, and no line of it begins with a colon. */
export function jsonWithoutOrders(json: string): string {
  return json.replace(marks, "#\\u0023");
}
