import { canonicalJson } from "../../core/canonical.ts";
import { safeLine } from "../../core/text.ts";
import type { Reply } from "../agent-event.ts";
import { readInput } from "../loop/call.ts";
import type { CaseRoom } from "./case-files.ts";
import type { RecordedCall, RecordedStep } from "./run-case.ts";

/** More is no transcript that anybody reads. */
const mostLines = 5000;

/** A run as text: the same for the same run, wherever and whenever it is. No times, no ids, no paths of this machine. */
export function transcriptOf(steps: readonly RecordedStep[], room: Pick<CaseRoom, "workspace" | "home">): string {
  const lines = steps.flatMap(linesOf);
  const kept = lines.length > mostLines ? [...lines.slice(0, mostLines), "… more lines were left out"] : lines;
  return `${kept.map((line) => shownLine(line, room)).join("\n")}\n`;
}

function linesOf(step: RecordedStep): readonly string[] {
  switch (step.is) {
    case "prompt":
      return paragraph("> ", step.text);
    case "answer":
      return paragraph("< ", step.text);
    case "fault":
      return paragraph("! ", step.text);
    case "skill":
      return [`* ${step.use} ${step.name}`];
    case "reply":
      return replyLines(step.command, step.reply);
    case "call":
      return callLines(step);
  }
}

function paragraph(mark: string, text: string): readonly string[] {
  const [first = "", ...rest] = text.split(/\r?\n/);
  return [`${mark}${first}`, ...rest.map((line) => `  ${line}`)];
}

function callLines({ tool, input, denied, result }: RecordedCall): readonly string[] {
  return [
    `@ ${tool}${input === null ? "" : ` ${inputOf(input)}`}`,
    ...(denied === null ? [] : [`  denied ${denied.code}: ${denied.why}`]),
    ...(result === null || denied !== null
      ? []
      : [`  ${result.isError ? "error" : "result"}: ${firstLine(result.content)}`]),
  ];
}

/** In one spelling, where it is JSON at all. */
function inputOf(text: string): string {
  const input = readInput(text);
  return typeof input === "string" ? text : canonicalJson(input);
}

function firstLine(text: string): string {
  return text.trimStart().split(/\r?\n/, 1)[0] ?? "";
}

function replyLines(command: string, { title, rows = [], notes = [], text, findings = [] }: Reply): readonly string[] {
  return [
    `= ${command}${title === undefined ? "" : `: ${title}`}`,
    ...rows.map(({ name, about }) => `  ${name}  ${about}`),
    ...notes.map((note) => `  ${note}`),
    ...(text === undefined ? [] : [`  ${firstLine(text)}`]),
    ...findings.map(({ code, message }) => `  ${code}: ${message}`),
  ];
}

const longestLine = 2000;

/** The folder of the run is another one each time; it may lie inside of the other names. */
function shownLine(line: string, { workspace, home }: Pick<CaseRoom, "workspace" | "home">): string {
  const relative = line.replaceAll(workspace, "<workspace>").replaceAll(home, "<home>");
  return safeLine(relative, longestLine).trimEnd();
}

const linesAround = 2;
const linesShown = 5;

/** Where two transcripts part, in the manner of a diff; undefined when they are the same. */
export function firstDifference(kept: string, now: string): string | undefined {
  if (kept === now) return undefined;
  const [before, after] = [kept.split("\n"), now.split("\n")];
  const at = before.findIndex((line, index) => line !== after[index]);
  const start = at === -1 ? before.length : at;
  return [
    `the transcript differs from line ${start + 1} on`,
    ...before.slice(Math.max(0, start - linesAround), start).map((line) => `    ${safeLine(line, 200)}`),
    ...before.slice(start, start + linesShown).map((line) => `  - ${safeLine(line, 200)}`),
    ...after.slice(start, start + linesShown).map((line) => `  + ${safeLine(line, 200)}`),
  ].join("\n");
}
