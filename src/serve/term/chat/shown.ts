import { type Line, type Look, span } from "../line.ts";
import { cellsOf } from "../width.ts";

/** What only joins the parts of an emoji, or says that it is one: terminals do not agree on what to make of it. */
const joiners =
  /(?<=\p{Extended_Pictographic})\uFE0F|(?<=[0-9#*])\uFE0F(?=\u20E3)|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200D(?=\p{Extended_Pictographic})/gu;

const tabWidth = 4;

/** One line of text that is not ours (T34): tabs as blanks, emoji by their parts, everything else unseen by its number. */
export function shown(text: string, ...look: readonly Look[]): Line {
  return [span(withoutTabs(withoutJoiners(text)), ...look)];
}

function withoutJoiners(text: string): string {
  // Twice: the sign that says "emoji" stands before the one that joins.
  return /[\uFE0F\u200D]/.test(text) ? text.replace(joiners, "").replace(joiners, "") : text;
}

function withoutTabs(text: string): string {
  if (!text.includes("\t")) return text;
  const [first = "", ...parts] = text.split("\t");
  let [whole, cells] = [first, cellsOf(first)];
  for (const part of parts) {
    const blanks = tabWidth - (cells % tabWidth);
    whole += " ".repeat(blanks) + part;
    cells += blanks + cellsOf(part);
  }
  return whole;
}

export function linesIn(text: string): string[] {
  return text.split(/\r?\n/);
}
