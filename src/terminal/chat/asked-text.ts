import { normalize } from "node:path/posix";
import { canonicalJson, type Plain } from "../../core/canonical.ts";
import { safeLine } from "../../core/text.ts";
import { primaryName } from "../../agent/agent-event.ts";
import type { CallAsked } from "../../agent/loop/caller.ts";
import type { ToolInput } from "../../agent/tool.ts";
import { agentName } from "./call-lines.ts";
import { type FilePatch, parsePatch } from "../../agent/tools/unified-diff.ts";
import { cellsIn, type Line, type Span, span, wrap } from "../line.ts";
import { plural } from "../wording.ts";
import { foldedLines } from "./shown.ts";

/** Of a whole call, as it is shown: nobody reads more before they say yes. */
const mostCharacters = 200_000;
/** Of the line that was too much. */
const fewSpans = 20;
/** In the title; a longer one stands in the box alone, as all of them do. */
const longestNames = 120;
const mostNames = 3;

/** A line of what is asked, for windows of any width. */
export interface AskedLine {
  readonly spans: Line;
  /** What its rows begin with, the first and the others. */
  readonly first: Line;
  readonly rest: Line;
}

/** All that a call would do, in words. */
export interface AskedText {
  readonly title: Line;
  readonly lines: readonly AskedLine[];
  /** False: it goes on, and is too long to be read. */
  readonly isWhole: boolean;
}

export function askedText(asked: CallAsked): AskedText {
  const patches = patchesIn(asked.input);
  const lines: AskedLine[] = [];
  let left = mostCharacters;
  for (const each of linesOf(fieldsOf(asked.input, patches))) {
    left -= each.spans.reduce((sum, { text }) => sum + text.length, 1);
    lines.push(left < 0 ? { ...each, spans: each.spans.slice(0, fewSpans) } : each);
    if (left < 0) break;
  }
  return { title: titleOf(asked, patches), lines, isWhole: left >= 0 };
}

export function rowsOf({ spans, first, rest }: AskedLine, columns: number): Line[] {
  const rows = wrap(spans, columns - cellsIn(rest));
  return rows.map((row, index) => (index === 0 ? first : rest).concat(row));
}

/** What the tools with files do to them. */
const verbs: ReadonlyMap<string, string> = new Map([
  ["read", "read"],
  ["list", "list"],
  ["search", "search"],
  ["write", "write"],
  ["replace", "change"],
  ["patch", "change"],
]);

/** The tool says which field counts: what else a model puts beside it has no effect. */
function titleOf({ id, tool, input }: CallAsked, patches: readonly FilePatch[]): Line {
  const who = safeLine(id === primaryName ? tool : `${agentName(id)}: ${tool}`);
  const verb = verbs.get(tool);
  const paths = tool === "patch" ? patches.map(({ path }) => path) : [input["path"]].filter(isText);
  if (verb === undefined || paths.length === 0)
    return [say(`${who} wants to ${Object.hasOwn(input, "command") ? "run" : "do"}:`)];
  return [say(`${who} wants to ${verb} `), span(namesOf(paths), "bold", "underline"), say(":")];
}

function say(text: string): Span {
  return span(text, "bold", "yellow");
}

/** Where they lead to, so that no detour hides it; in quotes where it would be unclear where one ends. */
function namesOf(paths: readonly string[]): string {
  const names = paths.slice(0, mostNames).map((path) => {
    const name = normalize(path);
    return /^[\w@+./-]+$/.test(name) ? name : JSON.stringify(name);
  });
  const more = paths.length > mostNames ? ` and ${paths.length - mostNames} more` : "";
  const text = `${names.join(", ")}${more}`;
  const isShort = text.length <= longestNames && span(text).text.length <= longestNames;
  return isShort ? text : plural(paths.length, "file");
}

interface Field {
  readonly name: string;
  readonly text: string;
}

const weighty = ["command", "path", "paths"];

/** What matters first, wherever a model put it; the files of a patch before the patch. */
function fieldsOf(input: ToolInput, patches: readonly FilePatch[]): Field[] {
  const names = Object.keys(input);
  const first = weighty.filter((name) => names.includes(name));
  const fieldOf = (name: string) => ({
    name,
    text: isText(input[name]) ? input[name] : canonicalJson(input[name] ?? null),
  });
  return [
    ...first.map(fieldOf),
    ...patches.map(({ path, change }) => ({ name: `${change}s`, text: path })),
    ...names.filter((name) => !first.includes(name)).map(fieldOf),
  ];
}

/** One that cannot be read is not applied either; it is shown as any other text. */
function patchesIn(input: ToolInput): readonly FilePatch[] {
  const text = Object.hasOwn(input, "patch") ? input["patch"] : undefined;
  try {
    return isText(text) ? parsePatch(text) : [];
  } catch {
    return [];
  }
}

/** The command itself where there is nothing else. No row of a value but the first begins where fields do. */
function* linesOf(fields: readonly Field[]): Generator<AskedLine> {
  const [only] = fields;
  const isBare = fields.length === 1 && only?.name === "command";
  const setIn = isBare ? [] : [span("    ")];
  for (const { name, text } of fields) {
    let lead = isBare ? [] : [...nameOf(name), span(": ", "dim")];
    for (const spans of foldedLines(text)) {
      yield { spans: [...lead, ...spans], first: lead.length > 0 ? [] : setIn, rest: setIn };
      lead = [];
    }
  }
}

/** A name that is no word is in quotes: it may say anything, and be as long as any value. */
function nameOf(name: string): Line {
  if (/^[\w.-]{1,64}$/.test(name)) return [span(name, "dim")];
  const [spans = []] = foldedLines(JSON.stringify(name));
  return spans;
}

function isText(value: Plain | undefined): value is string {
  return typeof value === "string";
}
