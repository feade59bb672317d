import type { Finding } from "../core/finding.ts";
import type { SkillLimits } from "../core/limits.ts";
import { skillFile } from "./bundle.ts";
import { headerLine } from "./document.ts";
import { type FaultCode, finding } from "./faults.ts";
import { parseYaml, type YamlMap } from "./yaml.ts";

/** A header with values put in quotes, and the lines of the header on which they stand. */
interface Repaired {
  readonly header: string;
  readonly lines: readonly number[];
}

/**
 * The commonest fault of real headers: `description: Use this: when needed`. Quotes the top-level values that YAML
 * cannot read as they stand and nothing else, so that every other field reads exactly as before (SK-4). Undefined
 * when there are none.
 */
export function quoteBrokenValues(header: string): Repaired | undefined {
  const lines = header.split("\n");
  const repaired: string[] = [];
  const quotedLines: number[] = [];
  for (let at = 0; at < lines.length; ) {
    const [, key, value] = field.exec(lines[at] ?? "") ?? [];
    const end = key === undefined ? at + 1 : endOfValue(lines, at);
    const parts = lines.slice(at, end).with(0, value ?? "");
    const isQuoted = key !== undefined && isBroken(parts);
    if (isQuoted) quotedLines.push(at + 1);
    repaired.push((isQuoted ? quote(key, parts) : lines.slice(at, end)).join("\n"));
    at = end;
  }
  return quotedLines.length === 0 ? undefined : { header: repaired.join("\n"), lines: quotedLines };
}

/** A top-level value goes on over the lines that are indented or blank. */
function endOfValue(lines: readonly string[], start: number): number {
  let end = start + 1;
  while (end < lines.length && /^(?:[ \t]|$)/.test(lines[end] ?? "")) end++;
  while (end > start + 1 && (lines[end - 1] ?? "").trim() === "") end--;
  return end;
}

/** `key: value` at the margin. */
const field = /^([A-Za-z0-9_][A-Za-z0-9_ -]*:[ \t]+)(\S.*)$/;

function quote(key: string, parts: readonly string[]): string[] {
  const quoted = parts.map((part) => part.trimEnd().replaceAll("'", "''"));
  quoted[0] = `${key}'${quoted[0]}`;
  quoted[quoted.length - 1] += "'";
  return quoted;
}

/** What starts a value that is not a plain scalar. */
const indicator = /^(?:["'[\]{}|>&*!%@`#,]|[-?](?:\s|$))/;
/** Prose that starts like YAML and cannot be any: bold, code, a mention, a placeholder, a label with text behind it. */
const proseStart = /^(?:\*\*|[`@]|\{\{|\[[^[\]]*\][ \t]*[^\s,#\]}])/;

function isBroken(parts: readonly string[]): boolean {
  const [value = ""] = parts;
  return indicator.test(value) ? proseStart.test(value) : parts.some(hasColon);
}

/** An unquoted `: ` in the value; one in a comment behind it does no harm. */
function hasColon(part: string): boolean {
  const [colon, comment] = [part.search(/:(?:[ \t]|$)/), part.search(/[ \t]#/)];
  return colon !== -1 && (comment === -1 || colon < comment);
}

interface Frontmatter {
  /** Null when the file has no header, absent when the header cannot be read. */
  readonly root?: YamlMap | null;
  readonly findings: readonly Finding[];
}

/** Faults behind which there may be prose that only looks like YAML. */
const repairable: ReadonlySet<string> = new Set<FaultCode>(["yaml.invalid", "yaml.alias", "yaml.key"]);

/** Reads the header's YAML, a second time with its broken values quoted when the first try fails (SK-4). */
export function readFrontmatter(header: string | null, bounds: SkillLimits): Frontmatter {
  if (header === null)
    return { root: null, findings: [finding("header.missing", "there is no front-matter", skillFile)] };
  const { root, fault } = parseYaml(header, bounds);
  if (fault === undefined) return { root, findings: [] };

  const repaired = repairable.has(fault.code) ? quoteBrokenValues(header) : undefined;
  const second = repaired && parseYaml(repaired.header, bounds);
  if (second?.root === undefined) return { findings: [say(fault.code, fault.message, fault.line)] };
  const message = "a value that YAML cannot read was read as if quoted; put it in quotes";
  return { root: second.root, findings: repaired?.lines.map((line) => say("yaml.repaired", message, line)) ?? [] };
}

/** `line` counts from the header's first. */
function say(code: FaultCode, message: string, line: number): Finding {
  return finding(code, message, skillFile, line + headerLine - 1);
}
