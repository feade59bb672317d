import { safeLine } from "../core/text.ts";
import { covers, overlaps } from "./tools/patterns.ts";
import { canonicalTools, displayName, type ForbiddenTool, type ToolPattern } from "./tools/tools.ts";
import type { CapabilitySkill } from "./capability.ts";
import type { ContractFacts } from "./contract/contract.ts";
import { areNeverMet } from "./path-entries.ts";
import type { Scope } from "./scope.ts";
import { toolRules, type ToolLimit, type ToolRules, whose } from "./scope-index.ts";
import { someOf } from "./lists.ts";

/** How one tool of the host stands under a scope. */
export interface ToolStanding {
  /** As the host calls it. */
  readonly name: string;
  /** `allow`: all its calls pass, or those that `limited` lets through. */
  readonly decision: "allow" | "deny";
  readonly why: string;
  /** Null when it makes no difference what a call says; else the entries that do, as they were written. */
  readonly limited: readonly string[] | null;
}

/** What a scope comes to for these tools, in the order of their names, each once (SC-3). `nameOf` names skills by id. */
export function effectiveTools(
  scope: Scope,
  catalogue: readonly string[],
  nameOf: NameOf = (id) => id,
): readonly ToolStanding[] {
  return sorted(catalogue).map((name) => standingOf(scope, name, nameOf));
}

type NameOf = (id: string) => string;

function standingOf(scope: Scope, name: string, nameOf: NameOf): ToolStanding {
  const tools = canonicalTools(name);
  const denied = (why: string): ToolStanding => ({ name, decision: "deny", why, limited: null });
  if (tools.length === 0) return denied("this is no name that a tool can have");
  const rules = tools.map((tool) => toolRules(scope, tool));

  const banned = rules.flatMap((each) => each.banned);
  if (banned.length > 0) return denied(`forbidden by ${someOf(whose(banned).map(nameOf))}`);
  const closed = rules.find((each) => each.closed !== null)?.closed ?? null;
  if (closed !== null)
    return denied(closed.length === 0 ? "the scope is empty" : `not allowed by ${someOf(closed.map(nameOf))}`);
  const apart = rules.find(({ limits, partly }) => areNeverMet(limits.map(listOf), partly));
  if (apart !== undefined) return denied(`no call fits what ${whoLimits(apart, nameOf)} let through, all together`);
  return allowed(name, rules);
}

function allowed(name: string, rules: readonly ToolRules[]): ToolStanding {
  const lists = rules.flatMap(({ limits }) => limits.map((limit) => writtenIn(listOf(limit))));
  const needed = sorted(lists.flat());
  const refused = writtenIn(rules.flatMap(({ partly }) => partly.all));
  const only = needed.length === 0 ? [] : [`only calls that fit ${eachOf(lists)} pass`];
  const none = refused.length === 0 ? [] : [`none that fits ${someOf(refused)} does`];
  const limits = [...only, ...none];
  if (limits.length === 0) return { name, decision: "allow", why: "nothing is against it", limited: null };
  return { name, decision: "allow", why: limits.join("; "), limited: sorted([...needed, ...refused]) };
}

const mostLists = 3;

/** A call has to fit one entry of every list. */
function eachOf(lists: readonly (readonly string[])[]): string {
  const parts = sorted(lists.map((list) => (list.length === 1 ? someOf(list) : `one of ${someOf(list)}`)));
  const shown = parts.slice(0, mostLists);
  const more = parts.length > shown.length ? [`what ${parts.length - shown.length} more let through`] : [];
  return [...shown, ...more].join(" and ");
}

function patternsIn({ limits }: ToolRules): readonly ToolPattern[] {
  return limits.flatMap(listOf);
}

function listOf({ patterns }: ToolLimit): readonly ToolPattern[] {
  return [...patterns];
}

/** Whether every group lets every call of a pattern through. */
function isSharedBy({ closed, limits }: ToolRules, pattern: ToolPattern): boolean {
  return closed === null && limits.every(({ patterns }) => patterns.has(pattern) || coversSome(patterns, pattern));
}

function coversSome(patterns: ReadonlySet<ToolPattern>, narrow: ToolPattern): boolean {
  for (const wide of patterns) if (covers(wide, narrow)) return true;
  return false;
}

function whoLimits({ limits }: ToolRules, nameOf: NameOf): string {
  return someOf(sorted(limits.flatMap(({ skills }) => skills.map(nameOf))));
}

/** The effective set as two lists (SC-3). What is in `allowed` passes whatever else a call says. */
export function effectiveList(
  scope: Scope,
  catalogue: readonly string[],
): { readonly allowed: readonly string[]; readonly forbidden: readonly string[] } {
  const standings = effectiveTools(scope, catalogue).filter(({ decision }) => decision === "allow");
  const whole = standings
    .filter(({ limited }) => limited === null)
    .map(({ name }) => displayName(canonicalTools(name)));
  const limited = standings.filter((standing) => standing.limited !== null);
  const tools = new Set(limited.flatMap(({ name }) => canonicalTools(name)));
  const patterns = Array.from(tools, (tool) => sharedPatterns(scope, tool)).flat();
  return { allowed: sorted([...whole, ...writtenIn(patterns)]), forbidden: sorted(scope.forbidden.map(forbiddenName)) };
}

/** Patterns of any group that hold in all of them, for each tool that they are about. */
function sharedPatterns(scope: Scope, tool: string): readonly ToolPattern[] {
  const candidates = new Set(patternsIn(toolRules(scope, tool)));
  return [...candidates].filter(
    (pattern) =>
      pattern.tools.every((each) => isSharedBy(toolRules(scope, each), pattern)) &&
      !scope.forbidden.some((forbidden) => overlaps(forbidden, pattern)),
  );
}

function forbiddenName({ text, reach }: ForbiddenTool): string {
  return reach.kind === "tools" ? displayName(reach.tools) : written(text);
}

/** Every tool that skills allow or forbid by name: the catalogue where no host says what there is. */
export function namedTools(skills: readonly CapabilitySkill[]): readonly string[] {
  return sorted(
    skills.flatMap(({ allowed: entries, forbidden }) => [
      ...(entries === "*" ? [] : entries.map(({ tools }) => displayName(tools))),
      ...forbidden.flatMap(({ reach }) => ("tools" in reach ? [displayName(reach.tools)] : [])),
    ]),
  );
}

/** What a contract is told of a scope (SC-10): a tool that some calls may use counts as allowed, not as forbidden. */
export function factsOf(scope: Scope | null, catalogue: readonly string[]): ContractFacts["scope"] {
  if (scope === null) return null;
  const tools = sorted(catalogue.flatMap(canonicalTools));
  const standings = effectiveTools(scope, tools);
  return {
    skills: scope.skills.map(({ id }) => id),
    allowed: standings.filter(({ decision }) => decision === "allow").map(({ name }) => name),
    forbidden: sorted([...tools.filter((tool) => toolRules(scope, tool).banned.length > 0), ...namedForbidden(scope)]),
    protocol: scope.protocol,
  };
}

/** Tools by name, whether or not the host has them, and entries about paths as they were written. */
function namedForbidden({ forbidden }: Scope): readonly string[] {
  return forbidden.flatMap(({ text, reach }) => {
    if (reach.kind === "tools") return reach.tools;
    return reach.kind === "paths" ? [written(text)] : [];
  });
}

function writtenIn(entries: readonly { readonly text: string }[]): readonly string[] {
  return sorted(entries.map(({ text }) => written(text)));
}

function written(text: string): string {
  return safeLine(text, 256);
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}
