import type { Finding, Level } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { type Capabilities, type CapabilityKind, capabilityKinds } from "../../scan/capabilities.ts";
import { jsonWithoutOrders, withoutOrders } from "./safe-output.ts";
import type { Call } from "./command.ts";
import type { Output } from "./output.ts";

/** The result of a command: as JSON when that was asked for, else as `render` writes it for a person. */
export function show<Value>(output: Output, { options }: Call, value: Value, render: (value: Value) => string): void {
  output.print(
    options["json"] === true ? jsonWithoutOrders(JSON.stringify(value, null, 2)) : withoutOrders(render(value)),
  );
}

/** What to do next, beside the result; a program that reads JSON needs no advice. */
export function hint(output: Output, { options }: Call, text: string): void {
  if (options["json"] !== true) output.note(output.style("dim", text));
}

/** A longer cell ends its line: one long id does not push the others apart, and is still there as a whole. */
const widestColumn = 48;

/** Rows under a heading, each column as wide as its widest cell. The last one is not padded. */
export function renderTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  style: Output["style"],
): string {
  const widths = heading.map((name) => name.length);
  for (const row of rows)
    for (const [column, { length }] of row.entries())
      if (length <= widestColumn) widths[column] = Math.max(widths[column] ?? 0, length);
  return [style("dim", renderRow(heading, widths)), ...rows.map((row) => renderRow(row, widths))].join("\n");
}

function renderRow(row: readonly string[], widths: readonly number[]): string {
  let [line, indent] = ["", 0];
  for (const [column, cell] of row.slice(0, -1).entries()) {
    const width = widths[column] ?? 0;
    indent += width + 2;
    line += cell.length > width ? `${cell}\n${" ".repeat(indent)}` : `${cell.padEnd(width)}  `;
  }
  return `${line}${row.at(-1) ?? ""}`.trimEnd();
}

/** `key: value` lines, the values in one column. */
export function renderFields(
  fields: readonly (readonly [name: string, value: string])[],
  style: Output["style"],
): string {
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `${style("dim", name.padEnd(width))}  ${value}`.trimEnd()).join("\n");
}

export const colours: Readonly<Record<Level, Parameters<Output["style"]>[0]>> = {
  info: "dim",
  low: "dim",
  medium: "yellow",
  high: "red",
  critical: "red",
};

export function renderFindings(findings: readonly Finding[], style: Output["style"]): string[] {
  return findings.flatMap(({ code, level, message, at, excerpt, decoded }) => {
    const where = at.line > 1 ? `${at.file}:${at.line}` : at.file;
    return [
      `  ${style(colours[level], level.padEnd(8))} ${safeLine(where, 120)}  ${code}  ${safeLine(message, 300)}`,
      ...(excerpt === undefined ? [] : [`           ${style("dim", "seen")}     ${safeLine(excerpt, 120)}`]),
      ...(decoded === undefined ? [] : [`           ${style("dim", "decoded")}  ${safeLine(decoded, 300)}`]),
    ];
  });
}

/** As much of a digest as a person compares. */
export function short(digest: string): string {
  return digest.slice(0, 12);
}

/** To the second, in universal time. */
export function when(at: number | null): string {
  return at === null ? "never" : `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

export function waitsForReview(skills: number): string {
  return `${plural(skills, "skill")} ${skills === 1 ? "waits" : "wait"} for review: skillward review`;
}

/** Lines of at most `width` characters: broken at a blank where there is one, else inside a word. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && lengthOf(line) + 1 + lengthOf(word) > width) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
    while (lengthOf(line) > width) {
      const characters = Array.from(line);
      lines.push(characters.slice(0, width).join(""));
      line = characters.slice(width).join("");
    }
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}

function lengthOf(text: string): number {
  return text.length <= 1 ? text.length : Array.from(text).length;
}

const words: Readonly<Record<CapabilityKind, string>> = {
  secrets: "reads secrets",
  network: "network",
  shell: "shell",
};

/** What a skill can reach for (RV-14): facts, which are nobody's fault. Of each kind so many are named. */
export function renderCapabilities(capabilities: Capabilities, mostNamed = 20): string {
  const parts = capabilityKinds.flatMap((kind) => {
    const named = capabilities[kind];
    if (named.length === 0) return [];
    const shown = named.slice(0, mostNamed).map((each) => safeLine(each, 60));
    const more = named.length > mostNamed ? [`${named.length - mostNamed} more`] : [];
    return [`${words[kind]}: ${[...shown, ...more].join(", ")}`];
  });
  return parts.join("; ") || "no secrets, network or shell that the scanner saw";
}

/** A small job is done before anyone could read a counter. */
const worthShowing = 200;

/** Counts on one line of a terminal; elsewhere says a plain line at every tenth part (IN-23). */
export function progressOn(
  output: Output,
  doing: string,
): (done: number, total: number, details?: string | null) => void {
  let lastTenth = 0;
  return (done, total, details = null) => {
    // What comes from afar is slow enough to be watched from the first piece on.
    const isSlow = details !== null;
    if (total < worthShowing && !(isSlow && output.isWatched)) return;
    const line = `${doing}: ${done} of ${total}${isSlow ? ` ${details}` : ""}`;
    if (output.isWatched) {
      if (done === total) output.progress("");
      else if (isSlow || done % 50 === 0) output.progress(line);
      return;
    }
    const tenth = Math.floor((done / total) * 10);
    if (tenth > lastTenth) output.note(line);
    lastTenth = tenth;
  };
}
