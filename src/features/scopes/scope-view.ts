import { AppError } from "../../core/error.ts";
import { effectiveList, effectiveTools } from "../../scope/effective.ts";
import { type CallDecision, decide } from "../../scope/gate.ts";
import type { ScopeError } from "../../scope/registry.ts";
import { errorFinding } from "../../scope/scope-faults.ts";
import type { Scope, ScopeGroup } from "../../scope/scope.ts";
import { fits, forbids, readCall } from "../../scope/tools/calls.ts";
import {
  canonicalTools,
  displayName,
  type ReadCall,
  type ToolCall,
  type ToolPattern,
} from "../../scope/tools/tools.ts";
import type { ScopeSet } from "./scope-set.ts";
import type { ExplainedCall, ScopeView } from "./schema.ts";

export function viewOf({ scope, catalogue, errors, findings }: ScopeSet): ScopeView {
  const nameOf = briefNames(scope);
  return {
    skills: scope.skills.map(({ id }) => nameOf(id)),
    ...effectiveList(scope, catalogue),
    protocol: scope.protocol,
    // What stands for nobody is no group to show: it only keeps an unknown skill from widening.
    groups: scope.groups
      .filter(({ skills }) => skills.length > 0)
      .map(({ skills, allowed }) => ({ skills: skills.map(nameOf), allowed: writtenOf(allowed) })),
    tools: effectiveTools(scope, catalogue, nameOf).map(({ name, decision, why }) => ({ name, decision, why })),
    findings: [...errors.map((error) => errorView(error, nameOf)), ...findings],
  };
}

function errorView(error: ScopeError, nameOf: (id: string) => string): ScopeView["findings"][number] {
  const { skill, reason } = error;
  return { ...errorFinding(error), skill: nameOf(skill), reason };
}

/** A name that two skills of the set have is shown as its id. */
function briefNames({ skills }: Scope): (id: string) => string {
  const counts = new Map<string, number>();
  for (const { name } of skills) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = new Map(skills.map(({ id, name }) => [id, counts.get(name) === 1 ? name : id]));
  return (id) => names.get(id) ?? id;
}

function writtenOf(allowed: ScopeGroup["allowed"]): "*" | readonly string[] {
  return allowed === "*" ? allowed : [...new Set(allowed.map(writtenPattern))];
}

function writtenPattern({ text, tools, argument }: ToolPattern): string {
  return argument === null ? displayName(tools) : text;
}

/** The host of this question has the tools of the catalogue, and no policy of its own. */
export function explainCall({ scope, catalogue, errors, findings, isGiven }: ScopeSet, typed: string): ExplainedCall {
  const call = typedCall(typed);
  const host = { catalogue: new Set(isGiven ? catalogue : [...catalogue, call.tool]), word: () => "allow" as const };
  const decision = errors.length === 0 ? decide(host, scope, [], call) : notUsable(errors);
  const read = readCall(call);
  const nameOf = briefNames(scope);
  const against = read.tools.length === 0 ? [] : scope.forbidden.filter((entry) => forbids(entry, read));
  return {
    call: typed,
    decision: decision.verdict,
    code: decision.verdict === "deny" ? decision.code : null,
    why: isSeen(call, typed) ? decision.why : `${decision.why}; a scope looks at no argument of this tool`,
    argv: decision.verdict === "deny" ? null : decision.argv,
    groups: scope.groups.map((group) => ({ skills: group.skills.map(nameOf), fits: fittingIn(group, read) })),
    forbidden: against.map(({ text, by }) => ({ entry: text, by: by.map(nameOf) })),
    findings: [...errors.map(errorFinding), ...findings],
  };
}

/** Nobody gets as far as a call with a set that is refused. */
function notUsable(errors: readonly ScopeError[]): CallDecision {
  const codes = [...new Set(errors.map(({ code }) => code))].join(", ");
  return { verdict: "deny", code: "TOOL_NOT_ALLOWED", why: `these skills cannot be used together: ${codes}`, by: [] };
}

/** An entry for each tool that the call means. */
function fittingIn({ allowed }: ScopeGroup, call: ReadCall): string | null {
  if (allowed === "*") return "*";
  const found = call.tools.map((tool) => allowed.find((entry) => fits(entry, { ...call, tools: [tool] })));
  if (found.length === 0 || found.includes(undefined)) return null;
  return [...new Set(found.flatMap((entry) => entry?.text ?? []))].join(", ");
}

/** Whether all that was typed was judged. */
function isSeen({ tool, command, paths }: ToolCall, typed: string): boolean {
  return tool === typed || command !== undefined || paths !== undefined;
}

/** A tool's name, or with an argument. */
export const callForm = /^([^()]{1,256})(?:\(([\s\S]{0,8192})\))?$/;
const withPaths = new Set(["read", "list", "search", "write", "replace", "patch"]);

/** `Bash(git status)` is a command, `Edit(src/a.ts)` a path: written as a pattern is, and read as a call. */
function typedCall(typed: string): ToolCall {
  const [, tool, argument] = callForm.exec(typed) ?? [];
  if (tool === undefined)
    throw new AppError("usage.invalid", "--call: expected a tool's name, or with an argument: 'Bash(git status)'");
  if (argument === undefined) return { tool };
  const tools = canonicalTools(tool);
  if (tools.includes("shell")) return { tool, command: argument };
  if (tools.some((each) => withPaths.has(each))) return { tool, paths: [argument] };
  return { tool };
}
