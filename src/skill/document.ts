import { isUtf8 } from "node:buffer";
import { type Digest, sha256 } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import { limits, type SkillLimits } from "../core/limits.ts";
import { skillFile } from "./bundle.ts";
import { type FaultCode, finding } from "./faults.ts";

/** SKILL.md taken apart: the header's text, and the body as the very bytes that follow it. */
interface SkillDocument {
  /** The YAML between the fences with LF line ends, or null when the file has no front-matter. */
  readonly header: string | null;
  /** The body's bytes, leading white space removed (SK-6), and the same as text. */
  readonly body: Uint8Array;
  readonly bodyText: string;
  /** The line of SKILL.md on which the body starts. */
  readonly bodyLine: number;
}

/** The line of SKILL.md on which the first line of the header stands. */
export const headerLine = 2;

/** Splits SKILL.md (SK-1 to SK-3, SK-6). No document when the file cannot be read as one. */
export function splitDocument(
  bytes: Uint8Array,
  bounds: SkillLimits,
): { document?: SkillDocument; findings: Finding[] } {
  if (bytes.length > bounds.fileBytes) return { findings: [tooLarge(bytes.length, bounds.fileBytes)] };
  const text = decodeUtf8(bytes);
  if (text === undefined)
    return { findings: [finding("file.utf8", "not valid UTF-8", skillFile, firstBadLine(bytes))] };

  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const findings = start === 1 ? [finding("file.bom", "starts with a byte order mark; it is ignored", skillFile)] : [];
  const split = splitHeader(text, start, bounds.headerBytes);
  if ("fault" in split) return { findings: [...findings, split.fault] };

  const document = takeBody(bytes, text, split);
  if (document.body.length <= bounds.bodyBytes) return { document, findings };
  const size = `the body has ${document.body.length} bytes; at most ${bounds.bodyBytes} are read`;
  return { findings: [...findings, finding("body.size", size, skillFile, document.bodyLine)] };
}

export function tooLarge(size: number, most: number): Finding {
  return finding("file.size", `${size} bytes; at most ${most} are read`, skillFile);
}

/** Strict UTF-8: undefined when the bytes are anything else. A byte order mark stays in the text. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? looseText(bytes) : undefined;
}

function looseText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function firstBadLine(bytes: Uint8Array): number {
  const lines = looseText(bytes).split(lineBreak);
  return lines.findIndex((text) => text.includes("\uFFFD")) + 1;
}

interface Split {
  readonly header: string | null;
  /** Where in the text the body starts, before its leading white space is removed. */
  readonly end: number;
}

const lineBreak = /\r\n|\n|\r/;
/** A fence is exactly `---`, trailing blanks aside: `----`, `--- x` and an indented `---` are not (SK-2, T22). */
const fence = /^---[ \t]*$/;

function splitHeader(text: string, start: number, maxBytes: number): Split | { fault: Finding } {
  const opening = lineAt(text, start);
  if (!fence.test(opening.text)) return { header: null, end: start };

  let at = opening.next;
  while (at < text.length) {
    const line = lineAt(text, at);
    if (fence.test(line.text)) return closed(text, opening.next, at, line.next, maxBytes);
    at = line.next;
  }
  return { fault: finding("header.unclosed", "the front-matter has no closing `---` line", skillFile) };
}

function closed(
  text: string,
  start: number,
  fenceAt: number,
  end: number,
  maxBytes: number,
): Split | { fault: Finding } {
  if (hasSecondHeader(text, end)) return { fault: secondHeader(text, end) };
  const raw = text.slice(start, fenceAt);
  const size = Buffer.byteLength(raw);
  if (size <= maxBytes) return { header: raw.replace(/\r\n?/g, "\n"), end };
  const message = `the front-matter has ${size} bytes; at most ${maxBytes} are read`;
  return { fault: finding("header.size", message, skillFile) };
}

/** Fields and a further fence right behind the header: readers disagree on which header counts, so none does (T20). */
const fieldsAndFence = /(?:(?:[a-z][\w-]*:|[ \t]+\S)[^\r\n]*(?:\r\n|\n|\r))+---[ \t]*(?:[\r\n]|$)/y;

function hasSecondHeader(text: string, start: number): boolean {
  fieldsAndFence.lastIndex = start;
  return fieldsAndFence.test(text);
}

function secondHeader(text: string, start: number): Finding {
  const line = text.slice(0, start).split(lineBreak).length;
  return finding("yaml.documents", "a second header follows the first; keep one", skillFile, line);
}

function lineAt(text: string, start: number): { text: string; next: number } {
  lineEnd.lastIndex = start;
  const found = lineEnd.exec(text);
  if (found === null) return { text: text.slice(start), next: text.length };
  return { text: text.slice(start, found.index), next: lineEnd.lastIndex };
}

const lineEnd = /\r\n|\n|\r/g;

function takeBody(bytes: Uint8Array, text: string, split: Split): SkillDocument {
  let start = split.end;
  while (start < text.length && " \t\n\r\v\f".includes(text.charAt(start))) start++;
  const head = text.slice(0, start);
  const body = bytes.subarray(Buffer.byteLength(head));
  return { header: split.header, body, bodyText: text.slice(start), bodyLine: head.split(lineBreak).length };
}

interface Body {
  readonly text: string;
  readonly checksum: Digest;
  readonly findings: readonly Finding[];
}

const advisedLines = 500;
/** A line that asks to be replaced by a command's output: other clients run it, Skillward never does. */
const command = /(?:^|\s)!`[^`]+`/;

/** The instructions, hashed over the very bytes that are handed on (SK-6). */
export function readBody({ body, bodyText: text, bodyLine }: SkillDocument): Body {
  const lines = text.trimEnd().split(/\r\n|\n|\r/);
  const findings: Finding[] = [];
  const say = (code: FaultCode, message: string, line = bodyLine) =>
    findings.push(finding(code, message, skillFile, line));

  if (text === "") say("body.empty", "there are no instructions after the front-matter");
  if (lines.length > advisedLines) say("body.long", `${lines.length} lines; at most ${advisedLines} are advised`);
  // CO-6: said here, before anybody wonders why it is in no prompt.
  if (body.length > limits.budget)
    say("body.budget", `the body has ${body.length} bytes; all skills of a prompt have ${limits.budget} by default`);
  const hasCommands = text.includes("!`");
  const commands = hasCommands ? lines.flatMap((line, at) => (command.test(line) ? [bodyLine + at] : [])) : [];
  if (commands.length > 0)
    say("command.ignored", `${commands.length} embedded command(s) are not run: ${listOf(commands)}`, commands[0]);
  return { text, checksum: sha256(body), findings };
}

function listOf(lines: readonly number[]): string {
  const shown = lines.slice(0, 10).join(", ");
  return lines.length > 10 ? `lines ${shown} and more` : `line ${shown}`;
}
