import { safeLine } from "../../core/text.ts";
import { pathFault } from "../../skill/bundle.ts";
import type { YamlMap, YamlNode } from "../../skill/yaml.ts";
import { whyNotLinear } from "../../scan/linear.ts";
import type { CaseReader } from "./read-case.ts";
import type { CaseCheck, Check } from "./skill-case.ts";

const mostChecks = 200;
const longestName = 256;
const longestText = 16_384;

type ReadCheck = (reader: CaseReader, node: YamlNode) => Check | undefined;

const readers: Readonly<Record<Check["is"], ReadCheck>> = {
  toolCalled: (reader, node) => ({ is: "toolCalled", tool: reader.textOf(node, "toolCalled", longestName) }),
  toolDenied: (reader, node) => ({ is: "toolDenied", tool: reader.textOf(node, "toolDenied", longestName) }),
  toolCalledWith: readCalledWith,
  fileContains: readFileContains,
  fileModified: (reader, node) => ({ is: "fileModified", path: readPath(reader, node, "fileModified") }),
  responseContains: (reader, node) => ({
    is: "responseContains",
    text: reader.textOf(node, "responseContains", longestText),
  }),
  responseMatches: readMatches,
  skillInvoked: (reader, node) => ({ is: "skillInvoked", skill: reader.textOf(node, "skillInvoked", longestName) }),
  skillRouted: (reader, node) => ({ is: "skillRouted", skill: reader.textOf(node, "skillRouted", longestName) }),
};

const known: readonly string[] = Object.keys(readers);

/** The checks of a case: maps of one key each, any of them under `not`. */
export function readChecks(reader: CaseReader, root: YamlMap): readonly CaseCheck[] {
  return reader.items(root, "checks", mostChecks).flatMap((node) => {
    const check = readCheck(reader, node, [...known, "not"]);
    return check === undefined ? [] : [check];
  });
}

function readCheck(reader: CaseReader, node: YamlNode, words: readonly string[]): CaseCheck | undefined {
  const map = reader.map(node, "checks", "one key, such as toolCalled: read");
  if (map === undefined) return undefined;
  const [first, ...others] = map.entries;
  if (first === undefined || others.length > 0) {
    reader.say("checks: expected one key in each item; begin a new item for the next check", map.line);
    return undefined;
  }
  const [word, { value, line }] = first;
  if (word === "not" && words.includes(word)) {
    const denied = readCheck(reader, value, known);
    return denied && { ...denied, isNot: true };
  }
  const read = Object.entries(readers).find(([name]) => name === word)?.[1];
  if (read === undefined) reader.refuseUnknown(map, words, "check");
  const check = read?.(reader, value);
  return check && { check, isNot: false, line };
}

function readCalledWith(reader: CaseReader, node: YamlNode): Check | undefined {
  const map = reader.map(node, "toolCalledWith", "{ tool, input } or { tool, contains }");
  if (map === undefined) return undefined;
  reader.refuseUnknown(map, ["tool", "input", "contains"], "part of toolCalledWith");
  const [input, contains] = [reader.value(map, "input"), reader.value(map, "contains")];
  for (const part of [input, contains])
    if (part !== undefined && (typeof part !== "object" || Array.isArray(part)))
      reader.say("toolCalledWith: expected fields of the call's input, such as input: { path: a.txt }", map.line);
  if (input === undefined && contains === undefined)
    reader.say("toolCalledWith: expected input or contains; toolCalled asks for any call", map.line);
  const tool = reader.text(map, "tool", longestName, "needed") ?? "";
  return { is: "toolCalledWith", tool, input: input ?? {}, contains: contains ?? {} };
}

function readFileContains(reader: CaseReader, node: YamlNode): Check | undefined {
  const map = reader.map(node, "fileContains", "{ path, text }");
  if (map === undefined) return undefined;
  reader.refuseUnknown(map, ["path", "text"], "part of fileContains");
  const path = map.entries.get("path")?.value;
  if (path === undefined) reader.say("fileContains: expected the path of a file", map.line);
  const text = reader.text(map, "text", longestText, "needed") ?? "";
  return { is: "fileContains", path: path === undefined ? "" : readPath(reader, path, "fileContains"), text };
}

/** A path in the workspace, as it is or not at all. */
export function readPath(reader: CaseReader, node: YamlNode, key: string): string {
  const path = reader.textOf(node, key, longestText);
  const fault = path === "" ? undefined : pathFault(path);
  if (fault !== undefined) reader.say(`${key}: ${fault.message.replace(/; left out$/, "")}`, node.line);
  return path;
}

function readMatches(reader: CaseReader, node: YamlNode): Check | undefined {
  const pattern = readPattern(reader.textOf(node, "responseMatches", longestText));
  if (typeof pattern !== "string") return { is: "responseMatches", pattern };
  reader.say(`responseMatches: ${pattern}`, node.line, "eval.case-pattern");
  return undefined;
}

/** What a pattern is held against: at so many places, a hostile one may take all its steps. */
export const longestMatched = 32_768;

const longestPattern = 500;
const mostWays = 2000;

/** A regular expression of a case, or why it is refused: one that backtracks without end would hang every run (T26). */
export function readPattern(source: string): RegExp | string {
  if (source === "" || source.length > longestPattern) return `expected 1 to ${longestPattern} characters`;
  try {
    const pattern = new RegExp(source, "u");
    const why = /\\k/.test(source) ? "it refers back to a group" : (whyNotLinear(pattern) ?? whyTooManyWays(source));
    return why === undefined ? pattern : `it could take too long: ${why}; bound each repetition, as in .{0,80}`;
  } catch (error) {
    return safeLine(error instanceof Error ? error.message : "it is no regular expression", 200);
  }
}

/**
 * Each alternative and each `?` doubles the ways to read a text, and each counted repetition multiplies them: thirty
 * choices in a row are exponential, though none of them repeats. Lazy marks count too: more than there are is fine.
 */
function whyTooManyWays(source: string): string | undefined {
  const bare = source.replace(/\\u\{[^}]*\}|\\./gsu, "x").replace(/\[[^\]]*\]/g, "x");
  const choices = bare.match(/\||(?<!\()\?/g)?.length ?? 0;
  const counts = [...bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least));
  const ways = counts.reduce((product, count) => product * Math.max(1, count), 2 ** choices);
  return ways > mostWays ? `there are ${ways} ways to read one place with it, and ${mostWays} are enough` : undefined;
}
