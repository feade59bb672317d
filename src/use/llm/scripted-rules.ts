import type { Finding } from "../../base/finding.ts";
import { safeLine } from "../../base/text.ts";
import { bodyOf } from "./echo-prompt.ts";

/** One answer, and what the last user message has to contain for it. */
interface Rule {
  readonly when?: string;
  readonly reply: string;
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

function readRule(value: unknown): Rule | string {
  const { when, reply, ...others } = bodyOf(value);
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return `has an unknown field "${safeLine(stranger, 64)}"; expected when, reply`;
  if (typeof reply !== "string") return "has no text as `reply`";
  if (when === undefined) return { reply };
  return typeof when === "string" ? { when, reply } : "has something else than text as `when`";
}

function fault(what: string): Finding {
  return { code: "script.invalid", level: "medium", message: `the script ${what}`, at: { file: "script", line: 1 } };
}
