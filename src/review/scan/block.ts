import type { ScanText } from "./text.ts";

/** Lines that are set apart from what a text says itself: code, a quotation, lines that are indented. In lower case. */
export interface Block {
  readonly kind: "fence" | "quote" | "indented";
  /** The language of a fence, as it is written there. */
  readonly language: string;
  /** The line above that leads to it, and the first one below; empty where a heading or nothing is. */
  readonly lead: string;
  readonly next: string;
}

const farthest = 1500;
const nearest = 400;
const fence = /^[ \t>*+-]{0,12}(?:```|~~~)/;
const quote = /^[ \t]{0,12}>/;
const indented = /^(?: {4}|\t)[ \t]{0,20}[^\s\-*+\d]/;
const heading = /^[ \t]{0,3}#{1,6}[ \t]/;

/** The block that an offset is in. It looks at a fixed stretch to each side (T26). */
export function blockAt(text: ScanText, at: number): Block | undefined {
  const above = text.lower.slice(Math.max(0, at - farthest), at).split("\n");
  const below = text.lower.slice(at, at + farthest).split("\n");
  const line = `${above.pop() ?? ""}${below.shift() ?? ""}`;
  if (text.regionAt(at) === "fence") return fenceAround(text, above, below);
  const kind = quote.test(line) ? "quote" : indented.test(line) ? "indented" : undefined;
  if (kind === undefined) return undefined;
  const isIn = kind === "quote" ? quote : /^(?: {4}|\t)/;
  return { kind, language: "", lead: lastOutside(above, isIn), next: firstOutside(below, isIn) };
}

function fenceAround(text: ScanText, above: readonly string[], below: readonly string[]): Block {
  // A whole file of code has no fence: nothing leads to it.
  if (text.kind !== "markdown") return { kind: "fence", language: text.kind, lead: "", next: "" };
  const opens = above.findLastIndex((line) => fence.test(line));
  const closes = below.findIndex((line) => fence.test(line));
  const language = /(?:```|~~~)[`~]{0,9}[ \t]{0,4}([\w+#.-]{0,20})/.exec(above[opens] ?? "")?.[1] ?? "";
  return {
    kind: "fence",
    language,
    lead: opens === -1 ? "" : lastOutside(above.slice(0, opens)),
    next: closes === -1 ? "" : firstOutside(below.slice(closes + 1)),
  };
}

function lastOutside(lines: readonly string[], isIn?: RegExp): string {
  return spoken(lines.findLast((line) => line.trim() !== "" && isIn?.test(line) !== true)).slice(-nearest);
}

function firstOutside(lines: readonly string[], isIn?: RegExp): string {
  return spoken(lines.find((line) => line.trim() !== "" && isIn?.test(line) !== true)).slice(0, nearest);
}

/** Headings are looked at elsewhere, and what ends another block leads to nothing. */
function spoken(line: string | undefined): string {
  return line === undefined || heading.test(line) || fence.test(line) ? "" : line;
}
