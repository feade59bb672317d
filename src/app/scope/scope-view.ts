import type { Finding } from "../../base/finding.ts";
import { displayName, type ToolPattern } from "../../base/tools/tools.ts";
import { effectiveList, effectiveTools, type ToolStanding } from "../../use/scope/effective.ts";
import type { ScopeError } from "../../use/scope/registry.ts";
import type { Scope, ScopeGroup } from "../../use/scope/scope.ts";
import { errorFinding } from "../../use/scope/scope-faults.ts";
import type { ScopeSet } from "./scope-set.ts";

/** What `scope compose` answers with. Skills are named as briefly as they can be told apart. */
export interface ScopeView {
  readonly skills: readonly string[];
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
  readonly protocol: readonly string[];
  readonly groups: readonly { readonly skills: readonly string[]; readonly allowed: "*" | readonly string[] }[];
  /** Every tool of the catalogue. */
  readonly tools: readonly Pick<ToolStanding, "name" | "decision" | "why">[];
  /** Errors first: they say which skill they are about, and the reason (SC-4). */
  readonly findings: readonly (Finding & Partial<Pick<ScopeError, "skill" | "reason">>)[];
}

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
export function briefNames({ skills }: Scope): (id: string) => string {
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
