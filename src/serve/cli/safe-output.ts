import { safeLine } from "../../base/text.ts";
import { shapedText, visibleJson } from "../visible-text.ts";

/** Where a result goes; `isTTY` when a person's terminal reads it. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** CO-19, T34: text that nobody vouches for, with everything that a terminal would act on or hide shown as `\u{1b}`. */
export function makeVisible(text: string): string {
  return shapedText(text, (part) => safeLine(part, Number.POSITIVE_INFINITY));
}

/** Exactly this text, for a pipe; on a terminal made visible, on lines of its own. */
export function printExact(text: string, screen: Screen = process.stdout): void {
  screen.write(screen.isTTY === true ? onLines(makeVisible(text)) : text);
}

/** What a model answered: made visible wherever it goes, unless it was asked for raw and no terminal reads it. */
export function printAnswer(text: string, isRaw: boolean, screen: Screen = process.stdout): void {
  if (isRaw) printExact(text, screen);
  else screen.write(onLines(makeVisible(text)));
}

function onLines(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

export function renderVisibleJson(value: unknown): string {
  return visibleJson(value, 2);
}
