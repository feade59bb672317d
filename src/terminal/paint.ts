import type { Line, Look, Span } from "./line.ts";
import { printable } from "./width.ts";

const codes: Readonly<Record<Look, number>> = {
  bold: 1,
  dim: 2,
  underline: 4,
  reverse: 7,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
};
const firstColour = 30;

/** A line as it is written to a terminal. */
export function paint(spans: Line, hasColours: boolean): string {
  const text = spans.map((each) => paintSpan(each, hasColours)).join("");
  return text === "" ? "" : `${text}\u001b[0m`;
}

/** The last gate: whatever made the span, nothing that a terminal would act on passes (T28). */
function paintSpan({ text, look }: Span, hasColours: boolean): string {
  if (text === "") return "";
  const wanted = look.map((each) => codes[each]).filter((code) => hasColours || code < firstColour);
  return `\u001b[${[0, ...wanted].join(";")}m${printable(text)}`;
}
