import { parseRecord } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import type { Line, Look } from "../line.ts";
import { hang, span } from "../line.ts";
import { plural } from "../wording.ts";
import { linesIn } from "./shown.ts";

/** What of an input tells best what a call is about, the first that is there. */
const telling = ["command", "path", "pattern", "text", "query", "name", "skill", "task", "url"];
const longestSubject = 160;
const mostOfPatch = 65_536;

/** A call in a few words: `read src/a.ts`. The input is as a model wrote it. */
export function callTitle(tool: string, input: string): string {
  const subject = safeLine(subjectOf(input), longestSubject);
  return `${safeLine(tool, 64)}${subject === "" ? "" : ` ${subject}`}`;
}

function subjectOf(input: string): string {
  const read = parseRecord(input);
  if (read === undefined) return input;
  if (typeof read["patch"] === "string") return patchedPaths(read["patch"]);
  const texts = Object.entries(read).filter(([, value]) => typeof value === "string");
  const key = telling.find((name) => texts.some(([field]) => field === name));
  const [, value = ""] = texts.find(([field]) => field === key) ?? texts[0] ?? [];
  return String(value);
}

const patched = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\r\n]+)/gm;

/** The files that a patch names, without reading it as one: that is the tool's. */
function patchedPaths(patch: string): string {
  const paths = [...patch.slice(0, mostOfPatch).matchAll(patched)].map(([, path = ""]) => path);
  return [...new Set(paths)].filter((path) => path !== "/dev/null").join(", ");
}

/** A sub-agent that nobody named has an id for a name, of which the beginning tells it from the others. */
export function agentName(name: string): string {
  return /^[0-9a-f]{24}$/.test(name) ? `sub-agent ${name.slice(0, 6)}` : safeLine(name, 64);
}

export type CallSign = "running" | "asked" | "done" | "failed" | "denied";

const signs: Readonly<Record<CallSign, readonly [sign: string, ...look: Look[]]>> = {
  running: ["●", "cyan"],
  asked: ["?", "yellow"],
  done: ["✓", "green"],
  failed: ["✗", "red"],
  denied: ["⊘", "yellow"],
};

/** One folded line of a call, or of a sub-agent that is so many steps below. */
export function callLine(sign: CallSign, title: string, note = "", depth = 0): Line {
  const [mark, ...look] = signs[sign];
  const isBad = sign === "failed" || sign === "denied";
  const said = note === "" ? [] : [span(` · ${note}`, ...(isBad ? look : (["dim"] as const)))];
  return [span("  ".repeat(Math.min(depth, 8))), span(`${mark} `, ...look), span(title), ...said];
}

const succeeded = "Exit code 0.";

/** The same on as many rows as it takes, between words; what follows the first is set in. */
export function callRows(columns: number, ...[sign, title, note, depth]: Parameters<typeof callLine>): Line[] {
  const [indent, mark, ...rest] = callLine(sign, title, note, depth);
  if (indent === undefined || mark === undefined) return [];
  return hang([indent, mark], [indent, span("  ")], rest, columns);
}

/** How a call went. A command that failed has told the model so, and is no error of the tool. */
export function resultSign(tool: string, content: string, isError: boolean): CallSign {
  const hasFailed = isError || (tool === "shell" && !content.startsWith(succeeded));
  return hasFailed ? "failed" : "done";
}

/** What came of a call: its one line, or how many there are; of an error the first. */
export function resultNote(tool: string, content: string, isError: boolean): string {
  const lines = linesIn(content.trim());
  const [first = ""] = lines;
  if (first === "") return "nothing";
  // What it printed is the model's to read: how it ended is what a person wants to know.
  if (tool === "shell") return safeLine(first, longestSubject);
  return isError || lines.length === 1 ? safeLine(first, longestSubject) : plural(lines.length, "line");
}
