import { where } from "../matchers.ts";
import type { Matcher } from "../rule.ts";
import type { ScanText } from "../text.ts";
import { calledBad, calledGood, turned } from "./talk.ts";

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

const sentenceEnd =
  /[.!?;。！？][)"'*_`]{0,3}\s|[。！？]|\n\s{0,8}\n|\n\s{0,8}(?:[-*+|]|\d{1,2}[.)])\s|["'\])}],\n\s{0,12}(?=["'])|^ {0,3}#{1,6} [^\n]{0,200}\n/gm;

/** From the start of the sentence to a place, also over the end of a line; at most a fixed stretch. */
export function sentenceBefore(lower: string, at: number): string {
  const stretch = lower.slice(Math.max(0, at - 200), at);
  let start = 0;
  for (const { index, 0: end } of stretch.matchAll(sentenceEnd)) start = index + end.length;
  // Where the stretch was cut no sentence begins.
  return start === 0 && at > stretch.length ? `…${stretch}` : stretch.slice(start);
}

/** Whether a line is inside of quotation marks where it ends. */
export function isInQuotes(line: string): boolean {
  // A value of the header that is in quotes as a whole is not a quotation.
  const before = line.replace(/^\s{0,8}[\w-]{1,40}:\s{0,4}["']/, "");
  if (before.split('"').length % 2 === 0 || before.split("`").length % 2 === 0) return true;
  const pairs = ["“”", "«»", "「」", "„“"].some(
    ([open = "", close = ""]) => before.lastIndexOf(open) > before.lastIndexOf(close),
  );
  return pairs || /(?:^|[\s([{=:,|]r?)'[^'\n]{0,300}$/.test(before);
}

/** Where the quotation begins that is not closed at the end of a line's start; -1 where there is none. */
export function openingQuote(before: string): number {
  if (before.split('"').length % 2 === 0) return before.lastIndexOf('"');
  return Math.max(
    ...["“”", "«»", "「」", "„“"].map(([open = "", close = ""]) => {
      const at = before.lastIndexOf(open);
      return at > before.lastIndexOf(close) ? at : -1;
    }),
  );
}

/** A line that is a comment, in most languages of fences. */
export const commentLine = /^\s{0,12}(?:#|\/\/|--|\/\*|\*|❌|✗|🚫)/;

/**
 * In code: the comment on the line or the one right above says plainly that this is how not to do it. A word such as
 * "detect" or "flags" says nothing of the kind; every script has comments like that.
 */
export function isCommentedBad(text: ScanText, at: number, line: string): boolean {
  const own = /(?:^|\s)((?:#|\/\/|--|\/\*)\s{1,4}[^\n]{1,120})$/.exec(line)?.[1] ?? "";
  const above = lineAbove(text.lower, at);
  return isBad(own) || (commentLine.test(above) && isBad(above));
}

/** Near by stands a comment that says how it is done well: the two are a pair. */
export function hasGoodPart({ lower }: ScanText, at: number): boolean {
  return calledGood.test(lower.slice(Math.max(0, at - reach), at + reach));
}

const reach = 600;

function isBad(comment: string): boolean {
  return calledBad.test(comment) && !turned.test(comment);
}

function lineAbove(lower: string, at: number): string {
  const end = lower.lastIndexOf("\n", at - 1);
  if (end <= 0) return "";
  const start = lower.lastIndexOf("\n", end - 1) + 1;
  return lower.slice(Math.max(start, end - 200), end);
}

/** Words of the languages in which detections are written: two of them make a rule of Sigma, YARA, Falco, Semgrep, Suricata or a firewall. */
const marks = [
  /\bdetection\s?:|\bselection\w{0,12}\s?:/,
  /\bcondition\s?:/,
  /\blogsource\s?:|\bcommandline\|/,
  /\bstrings\s?:\s/,
  /\bsecrule\b|\bmsg:|\bsid:\d/,
  /\brule\s\w{1,40}\s?\{/,
  /\bfalsepositives\s?:|\battack\.t\d{4}/,
  /^[ \t-]{0,8}rule\s?:\s/m,
  /\bpriority\s?:\s?(?:emergency|alert|critical|error|warning|notice)/,
  /\bpatterns?(?:-\w{2,12})?\s?:\s/,
  /\bseverity\s?:\s?["']?(?:error|warning|info|low|medium|high|critical)/,
  /\bproc\.(?:name|cmdline|pname)\b|\bspawned_process\b|\bprocesscommandline\b|\bprocess\.(?:args|command_line|name)\b/,
];

/** What the matcher finds, but not what a detection rule looks for. */
export function outsideSignatures(matcher: Matcher): Matcher {
  return where(matcher, (text, hit) => text.regionAt(hit.start) !== "fence" || !isSignature(text, hit.start));
}

/** Whether the words of a detection rule stand around a place. In a script, and in comments, they make no rule. */
export function isSignature(text: ScanText, at: number): boolean {
  if (text.kind === "code") return false;
  const around = text.lower.slice(Math.max(0, at - 800), at + 500).replace(/^[ \t]{0,20}(?:#|\/\/)[^\n]{0,800}/gm, "");
  let found = 0;
  for (const mark of marks) if (mark.test(around) && ++found === 2) return true;
  return false;
}
