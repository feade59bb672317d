import type { Finding } from "../core/finding.ts";
import { isRecord } from "../core/json/json.ts";
import { safeLine } from "../core/text.ts";
import { bodyOf, listOf } from "./protocols/prompt.ts";

/** A call that a script makes. */
export interface ScriptedCall {
  readonly tool: string;
  /** What is no text is sent as JSON, by default `{}`; a text as it is, so that a script can send what is no JSON. */
  readonly input?: unknown;
}

/** How a model fails: without a status its connection is reset. */
export interface ScriptedFailure {
  /** What its service answers with, from 400 to 599. */
  readonly status?: number;
  /** What it says of it. */
  readonly message?: string;
  /** How many characters of `reply` are told before, to who listens; none without it. */
  readonly after?: number;
}

/** One answer, and what has to be the case for it. It says something, calls something, or both; or it fails. */
export interface Rule {
  /** What the model has to have heard last. */
  readonly when?: string;
  /** Which answer of the conversation it has to be, counted from 1. */
  readonly turn?: number;
  /** What has to be in the system messages. */
  readonly system?: string;
  readonly reply?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly fail?: ScriptedFailure;
}

export interface Script {
  readonly rules: readonly Rule[];
}

const longestScript = 1024 * 1024;
const mostRules = 1000;

/** Never throws: what is no rule is left out with a finding. Rules are numbered from 1. */
export function parseScript(text: string): { script: Script; findings: readonly Finding[] } {
  const list = parseList(text);
  if (typeof list === "string") return { script: { rules: [] }, findings: [fault(list)] };
  const read = list.slice(0, mostRules).map(readRule);
  const rules = read.filter((rule) => typeof rule !== "string");
  const faults = read.flatMap((rule, index) => (typeof rule === "string" ? [fault(`rule ${index + 1} ${rule}`)] : []));
  const cut = list.length > mostRules ? [fault(`has ${list.length} rules; only the first ${mostRules} are used`)] : [];
  return { script: { rules }, findings: [...faults, ...cut] };
}

/** The rules as they were written, or why there are none. */
function parseList(text: string): readonly unknown[] | string {
  if (text.length > longestScript) return `is longer than ${longestScript} characters`;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : "is not a list of rules";
  } catch (error) {
    return `is not JSON: ${safeLine(error instanceof Error ? error.message : "")}`;
  }
}

const mostCalls = 128;
const longestTool = 256;

function readRule(value: unknown): Rule | string {
  const { when, turn, system, reply, calls, fail, ...others } = bodyOf(value);
  const [stranger] = Object.keys(others);
  if (stranger !== undefined)
    return `has an unknown field "${safeLine(stranger, 64)}"; expected when, turn, system, reply, calls, fail`;
  if (reply === undefined && calls === undefined && fail === undefined)
    return "has no text as `reply` and no `calls`, nor does it `fail`";
  if (!isTextOrNone(reply)) return "has something else than text as `reply`";
  if (!isTextOrNone(when)) return "has something else than text as `when`";
  if (!isTextOrNone(system)) return "has something else than text as `system`";
  if (!isNumberOrNone(turn, 1)) return "has something else than a number from 1 as `turn`";
  if (fail !== undefined && calls !== undefined) return "has `calls` beside `fail`: a model that fails makes none";
  const read = calls === undefined ? undefined : readCalls(calls);
  if (typeof read === "string") return read;
  const failure = fail === undefined ? undefined : readFailure(fail);
  if (typeof failure === "string") return failure;
  return present<Rule>({ when, turn, system, reply, calls: read, fail: failure });
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isNumberOrNone(value: unknown, least: number, most = Infinity): value is number | undefined {
  if (value === undefined) return true;
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}

function readCalls(value: unknown): readonly ScriptedCall[] | string {
  const list = listOf(value);
  if (list.length === 0 || list.length > mostCalls) return `needs a list of 1 to ${mostCalls} calls as \`calls\``;
  const calls = list.map(readCall).filter((call) => call !== undefined);
  if (calls.length === list.length) return calls;
  return `has a call that is not { tool, input } with a text of at most ${longestTool} characters as \`tool\``;
}

/** Any text: a script may also try what is no name of a tool. */
function readCall(value: unknown): ScriptedCall | undefined {
  const { tool, input, ...others } = bodyOf(value);
  if (typeof tool !== "string" || tool.length > longestTool || Object.keys(others).length > 0) return undefined;
  return input === undefined ? { tool } : { tool, input };
}

function readFailure(value: unknown): ScriptedFailure | string {
  const { status, message, after, ...others } = bodyOf(value);
  if (!isRecord(value) || Object.keys(others).length > 0) return "has a `fail` that is not { status, message, after }";
  if (!isNumberOrNone(status, 400, 599)) return "has something else than a number from 400 to 599 as `fail.status`";
  if (!isTextOrNone(message)) return "has something else than text as `fail.message`";
  if (!isNumberOrNone(after, 0)) return "has something else than a number from 0 as `fail.after`";
  return present<ScriptedFailure>({ status, message, after });
}

/** The same with no more than the fields that it has. */
function present<Fields extends object>(fields: { [Field in keyof Fields]: Fields[Field] | undefined }): Fields;
function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function fault(what: string): Finding {
  return { code: "script.invalid", level: "medium", message: `the script ${what}`, at: { file: "script", line: 1 } };
}
