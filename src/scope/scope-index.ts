import { LruCache } from "../core/lru-cache.ts";
import { PathEntries } from "./path-entries.ts";
import type { Scope, ScopeForbidden, ScopeGroup } from "./scope.ts";
import { forbids } from "./tools/calls.ts";
import type { ForbiddenTool, ReadCall, ToolPattern } from "./tools/tools.ts";

/** Groups that let some calls of a tool through, by the same entries. */
export interface ToolLimit {
  /** The ids of their skills, in order. */
  readonly skills: readonly string[];
  /** Equal patterns of one tool are one object in all its limits. */
  readonly patterns: ReadonlySet<ToolPattern>;
}

/** All that a scope says of one canonical tool. A call passes when nothing of this is against it (SC-3). */
export interface ToolRules {
  /** Forbid it altogether. */
  readonly banned: readonly ScopeForbidden[];
  /** Whose they are. */
  readonly bannedBy: readonly string[];
  /** Forbid some calls of it, by their paths. */
  readonly partly: PathEntries;
  /** The ids of the skills whose groups have no entry for it; null when every group has one. Empty: of an empty scope. */
  readonly closed: readonly string[] | null;
  /** Groups that have only patterns for it; those that have all of it are in none of these lists. */
  readonly limits: readonly ToolLimit[];
}

/** A scope is read once, not at every call; nothing but the scope itself keeps what was read of it alive. */
const indexes = new WeakMap<Scope, ScopeIndex>();

/** Tools of one scope whose rules are kept. They name every group that is against a tool, which adds up. */
const mostKept = 256;

export function toolRules(scope: Scope, tool: string): ToolRules {
  return (indexes.get(scope) ?? indexed(scope)).rulesOf(tool);
}

function indexed(scope: Scope): ScopeIndex {
  const index = new ScopeIndex(scope);
  // One that can still change is kept nowhere: it is read anew whenever a tool of it is asked for.
  if (isSettled(scope)) indexes.set(scope, index);
  return index;
}

/** What one group has for one tool. */
interface GroupEntries {
  readonly group: ScopeGroup;
  readonly patterns: ToolPattern[];
}

const nothingPartly = new PathEntries([]);

class ScopeIndex {
  /** Groups that take something away. */
  readonly #groups: readonly ScopeGroup[];
  readonly #entries = new Map<string, GroupEntries[]>();
  readonly #forbidden = new Map<string, ScopeForbidden[]>();
  /** Forbidden without a tool being named: all of a server, everything. */
  readonly #unnamed: ScopeForbidden[] = [];
  readonly #kept = new LruCache<ToolRules>({ entries: mostKept });
  /** Of every tool that no entry names: there is no end of them, and one answer. */
  readonly #ofOthers: ToolRules;

  constructor(scope: Scope) {
    this.#groups = scope.groups.filter(({ allowed }) => allowed !== "*");
    for (const group of this.#groups) this.#addGroup(group);
    for (const forbidden of scope.forbidden) this.#addForbidden(forbidden);
    this.#ofOthers = { banned: [], bannedBy: [], partly: nothingPartly, closed: skillsOf(this.#groups), limits: [] };
  }

  rulesOf(tool: string): ToolRules {
    if (this.#entries.has(tool) || this.#forbidden.has(tool))
      return this.#kept.get(tool) ?? this.#kept.set(tool, this.#read(tool));
    const banned = this.#unnamedFor(tool);
    return banned.length === 0 ? this.#ofOthers : { ...this.#ofOthers, banned, bannedBy: whose(banned) };
  }

  #read(tool: string): ToolRules {
    const entries = this.#entries.get(tool) ?? [];
    const forbidden = this.#forbidden.get(tool) ?? [];
    const banned = [...forbidden.filter((entry) => !isPartial(entry)), ...this.#unnamedFor(tool)];
    const open = new Set(entries.map(({ group }) => group));
    return {
      banned,
      bannedBy: whose(banned),
      partly: new PathEntries(forbidden.filter(isPartial)),
      closed: skillsOf(this.#groups.filter((group) => !open.has(group))),
      limits: limitsOf(entries),
    };
  }

  #unnamedFor(tool: string): readonly ScopeForbidden[] {
    if (this.#unnamed.length === 0) return this.#unnamed;
    const call: ReadCall = { name: tool, tools: [tool], words: null, paths: null, refused: null };
    return this.#unnamed.filter((entry) => forbids(entry, call));
  }

  #addGroup(group: ScopeGroup): void {
    if (group.allowed === "*") return;
    for (const pattern of group.allowed)
      for (const tool of pattern.tools) {
        const last = this.#entries.get(tool)?.at(-1);
        if (last?.group === group) last.patterns.push(pattern);
        else addTo(this.#entries, tool, { group, patterns: [pattern] });
      }
  }

  #addForbidden(forbidden: ScopeForbidden): void {
    const { reach } = forbidden;
    if (reach.kind === "prefix" || reach.kind === "everything") this.#unnamed.push(forbidden);
    else for (const tool of reach.tools) addTo(this.#forbidden, tool, forbidden);
  }
}

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Whether it leaves some paths alone. */
function isPartial({ reach }: ForbiddenTool): boolean {
  return reach.kind === "paths" && reach.segments.some((segment) => segment !== "**");
}

/** The ids of those who forbid, in order, each once. Decisions hand them out, so that nobody may change them. */
export function whose(forbidden: readonly ScopeForbidden[]): readonly string[] {
  const [first, ...more] = forbidden;
  if (first !== undefined && more.length === 0 && Object.isFrozen(first.by)) return first.by;
  return Object.freeze([...new Set(forbidden.flatMap(({ by }) => by))].toSorted());
}

function skillsOf(groups: readonly ScopeGroup[]): readonly string[] | null {
  return groups.length === 0 ? null : idsOf(groups);
}

/** Kept, and handed out with every decision. */
function idsOf(groups: readonly ScopeGroup[]): readonly string[] {
  return Object.freeze([...new Set(groups.flatMap(({ skills }) => skills))].toSorted());
}

interface Numbered {
  readonly pattern: ToolPattern;
  readonly number: number;
}

type Known = Map<string, Numbered>;

/** Groups with equal patterns are one limit: skills of one team mostly name the same few. */
function limitsOf(entries: readonly GroupEntries[]): readonly ToolLimit[] {
  const known: Known = new Map();
  const limits = new Map<string, { groups: ScopeGroup[]; patterns: ReadonlySet<ToolPattern> }>();
  for (const { group, patterns } of entries) {
    if (patterns.some(({ argument }) => argument === null)) continue;
    const same = patterns.map((pattern) => knownAs(pattern, known));
    const key = same.map(({ number }) => number).join(" ");
    const limit = limits.get(key);
    if (limit !== undefined) limit.groups.push(group);
    else limits.set(key, { groups: [group], patterns: new Set(same.map(({ pattern }) => pattern)) });
  }
  return Array.from(limits.values(), ({ groups, patterns }) => ({ skills: idsOf(groups), patterns }));
}

/** By what it says, not by how it was written: that is only shown. */
function knownAs(pattern: ToolPattern, known: Known): Numbered {
  const key = keyOf(pattern);
  const same = known.get(key) ?? { pattern, number: known.size };
  known.set(key, same);
  return same;
}

function keyOf({ tools, argument }: ToolPattern): string {
  const said = argument?.kind === "command" ? [argument.isOpen, ...argument.words] : (argument?.segments ?? []);
  return [argument?.kind, tools.length, ...tools, ...said].join("\0");
}

/** Entries that were found frozen: they belong to skills, and come again in every scope of theirs. */
const frozen = new WeakSet<object>();

/** Whether nothing that a call is held against can change any more. */
export function isSettled(scope: Scope): boolean {
  const { groups, forbidden } = scope;
  if (!Object.isFrozen(scope) || !Object.isFrozen(groups) || !Object.isFrozen(forbidden)) return false;
  return forbidden.every(isFrozenThrough) && groups.every(isGroupSettled);
}

function isGroupSettled(group: Scope["groups"][number]): boolean {
  const { skills, allowed } = group;
  if (!Object.isFrozen(group) || !Object.isFrozen(skills)) return false;
  return allowed === "*" || (Object.isFrozen(allowed) && allowed.every(isFrozenThrough));
}

function isFrozenThrough(value: unknown): boolean {
  if (typeof value !== "object" || value === null || frozen.has(value)) return true;
  if (!Object.isFrozen(value) || !Object.values(value).every(isFrozenThrough)) return false;
  frozen.add(value);
  return true;
}
