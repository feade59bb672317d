import { compareTexts } from "../core/text.ts";
import type { CapabilitySkill } from "./capability.ts";
import { deepFrozen } from "./lists.ts";
import type { ComposeScopeOptions } from "./registry.ts";
import { keyOf, rulesOf } from "./resolve.ts";
import type { Scope, ScopeForbidden, ScopeGroup, ScopeSkill } from "./scope.ts";
import { parseForbidden } from "./tools/patterns.ts";
import type { ForbiddenTool, ToolPattern } from "./tools/tools.ts";

/** What no skill at all leaves: nothing. As a group it stays empty whatever it is joined with. */
const emptyGroup: ScopeGroup = deepFrozen({ skills: [], allowed: [] });
const openGroup: ScopeGroup = deepFrozen({ skills: [], allowed: "*" });

/** The scope of skills that are held together (SC-3). Neither their order nor a repetition changes anything. */
export function composeScope(skills: readonly CapabilitySkill[], { strict = false }: ComposeScopeOptions = {}): Scope {
  const held = eachOnce(skills, skillKey);
  const groups = strict ? held.map((skill) => [skill]) : groupsOf(held);
  // No two groups of one composition share a skill.
  return frozen({
    skills: held.map(shownOf),
    groups:
      held.length === 0
        ? [emptyGroup]
        : groups.map(groupOf).toSorted((a, b) => compareTexts(a.skills[0] ?? "", b.skills[0] ?? "")),
    forbidden: unite(held.map(({ id, forbidden }) => ({ entries: forbidden, by: [id] }))),
    protocol: held.flatMap(({ executionProtocol }) => executionProtocol),
  });
}

/** A child's scope: its parent's and its own together, so that it never has more than either (SC-5). Null: none asked for. */
export function joinScopes(parent: Scope | null, own: Scope | null): Scope | null {
  if (parent === null || own === null) return parent ?? own;
  const forbidden = [...parent.forbidden, ...own.forbidden];
  return frozen({
    skills: eachOnce([...parent.skills, ...own.skills], skillKey),
    groups: eachOnce([...parent.groups, ...own.groups], groupKey),
    forbidden: unite(forbidden.map((entry) => ({ entries: [entry], by: entry.by }))),
    protocol: [...parent.protocol, ...own.protocol],
  });
}

/** The scope with more forbidden, by something that is no skill, such as `workspace`. */
export function withForbidden(scope: Scope | null, tools: readonly string[], by: string): Scope | null {
  if (tools.length === 0) return scope;
  const entries = tools.map((tool) => deepFrozen(parseForbidden(tool)));
  const own = { skills: [], groups: [openGroup], forbidden: unite([{ entries, by: [by] }]), protocol: [] };
  if (scope === null) return frozen(own);
  return joinScopes(scope, { ...own, groups: [] });
}

const shown = new WeakMap<CapabilitySkill, ScopeSkill>();

function shownOf(skill: CapabilitySkill): ScopeSkill {
  const known = shown.get(skill);
  if (known !== undefined) return known;
  const { id, name, entry, digest } = skill;
  const made = Object.freeze({ id, name, entry, digest });
  shown.set(skill, made);
  return made;
}

/** Skills, patterns and what is forbidden come frozen already. */
function frozen({ skills, groups, forbidden, protocol }: Scope): Scope {
  return Object.freeze({
    skills: Object.freeze(skills),
    groups: Object.freeze(groups),
    forbidden: Object.freeze(forbidden),
    protocol: Object.freeze([...new Set(protocol)]),
  });
}

function groupOf(members: readonly CapabilitySkill[]): ScopeGroup {
  return Object.freeze({
    skills: Object.freeze(members.map(({ id }) => id).toSorted()),
    allowed: allowedBy(members),
  });
}

/** Together they allow what one of them does: a `"*"` among them is the group's. */
function allowedBy(members: readonly CapabilitySkill[]): ScopeGroup["allowed"] {
  const [first] = members;
  // Most groups are of one, whose entries are in order and frozen.
  if (first !== undefined && members.length === 1) return first.allowed;
  const byText = new Map<string, ToolPattern>();
  for (const { allowed } of members) {
    if (allowed === "*") return "*";
    for (const pattern of allowed) byText.set(pattern.text, pattern);
  }
  return Object.freeze([...byText.values()].toSorted((a, b) => compareTexts(a.text, b.text)));
}

interface Forbidding {
  readonly entries: readonly ForbiddenTool[];
  readonly by: readonly string[];
}

/** Each entry once, with all who forbid it. */
function unite(forbidding: readonly Forbidding[]): ScopeForbidden[] {
  const byText = new Map<string, { readonly entry: ForbiddenTool; readonly by: Set<string> }>();
  for (const { entries, by } of forbidding)
    for (const entry of entries) {
      const known = byText.get(entry.text);
      if (known === undefined) byText.set(entry.text, { entry, by: new Set(by) });
      else for (const id of by) known.by.add(id);
    }
  return [...byText.values()]
    .map(({ entry: { text, reach }, by }) => Object.freeze({ text, reach, by: Object.freeze([...by].toSorted()) }))
    .toSorted((a, b) => compareTexts(a.text, b.text));
}

function eachOnce<Value>(values: readonly Value[], nameOf: (value: Value) => string): Value[] {
  const byKey = new Map(values.map((value) => [nameOf(value), value]));
  return [...byKey].toSorted(([a], [b]) => compareTexts(a, b)).map(([, value]) => value);
}

/** The same id with other bytes is another skill: it was overridden since. */
function skillKey({ id, digest }: ScopeSkill): string {
  return `${id}\n${digest}`;
}

/** Ids first, so that groups stand in the order they have in a composition. */
function groupKey({ skills, allowed }: ScopeGroup): string {
  return [...skills, "", ...(allowed === "*" ? [allowed] : allowed.map(({ text }) => JSON.stringify(text)))].join("\n");
}

/**
 * The skills that stand together: strongly connected by `requires`, within one source (SC-3). Those alone are groups of
 * one. Tarjan's way with a list in place of recursion: a chain may be as long as the registry is large.
 */
export function groupsOf(skills: readonly CapabilitySkill[]): CapabilitySkill[][] {
  return componentsOf(requiredBy(skills)).map((group) => group.flatMap((at) => skills[at] ?? []));
}

/** For each skill the places of those it requires: of its own source, and in the set. */
function requiredBy(skills: readonly CapabilitySkill[]): number[][] {
  const places = new Map(skills.map((skill, at) => [keyOf(skill), at]));
  return skills.map((skill) => {
    const own = `${skill.source}/`;
    return (
      rulesOf(skill)
        .filter(({ type }) => type === "requires")
        // What a rule means is looked for everywhere: a namesake of its own source is not meant in place of another's.
        .flatMap(({ keys }) => keys.find((key) => places.has(key)) ?? [])
        .filter((key) => key.startsWith(own))
        .flatMap((key) => places.get(key) ?? [])
    );
  });
}

interface Visit {
  readonly node: number;
  next: number;
}

function componentsOf(edges: readonly (readonly number[])[]): number[][] {
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const isOpen = new Uint8Array(edges.length);
  const open: number[] = [];
  const components: number[][] = [];
  let count = 0;

  const enter = (node: number): Visit => {
    order[node] = low[node] = count++;
    isOpen[node] = 1;
    open.push(node);
    return { node, next: 0 };
  };
  const reach = (node: number, at: number | undefined) => {
    low[node] = Math.min(low[node] ?? 0, at ?? 0);
  };
  const close = (root: number): number[] => {
    const members = open.splice(open.lastIndexOf(root));
    for (const member of members) isOpen[member] = 0;
    return members;
  };

  for (let start = 0; start < edges.length; start++) {
    if (order[start] !== -1) continue;
    const path = [enter(start)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const { node } = visit;
      const to = edges[node]?.[visit.next++];
      if (to === undefined) {
        path.pop();
        const from = path.at(-1)?.node;
        if (from !== undefined) reach(from, low[node]);
        if (low[node] === order[node]) components.push(close(node));
      } else if (order[to] === -1) path.push(enter(to));
      else if (isOpen[to] === 1) reach(node, order[to]);
    }
  }
  return components;
}
