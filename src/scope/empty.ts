import { canonicalTools, type ForbiddenTool } from "./tools/tools.ts";
import type { CapabilitySkill } from "./capability.ts";
import { composeScope } from "./compose-scope.ts";
import { areNeverMet, PathEntries, forbidsAll } from "./path-entries.ts";
import type { ComposeScopeOptions } from "./registry.ts";
import type { Scope } from "./scope.ts";

/** Whether skills leave no tool that could be called: of the host's, or of those named where no host says its tools. */
export function leavesNothing(
  skills: readonly CapabilitySkill[],
  catalogue: readonly string[] | null,
  options: ComposeScopeOptions,
): boolean {
  if (skills.some(({ forbidden }) => forbidden.some(({ reach }) => reach.kind === "everything"))) return true;
  const narrow = skills.find(hasList);
  // Without a catalogue there is always one more tool that nobody named.
  if (catalogue === null && narrow === undefined) return false;
  if (leavesPlainTool(skills, catalogue ?? (narrow === undefined ? [] : [...toolsIn(narrow)]))) return false;
  const scope = composeScope(skills, options);
  if (catalogue === null && !scope.groups.some(hasList)) return false;
  return !candidates(scope, catalogue).some((name) => canonicalTools(name).every((tool) => mayPass(scope, tool)));
}

function hasList({ allowed }: Pick<CapabilitySkill, "allowed">): boolean {
  return allowed !== "*";
}

/** The usual case, without composing: groups only ever add to what each skill for itself would leave. */
function leavesPlainTool(skills: readonly CapabilitySkill[], names: readonly string[]): boolean {
  return names.some((name) => {
    const tools = canonicalTools(name);
    return tools.length > 0 && skills.every((skill) => tools.every((tool) => leavesAll(skill, tool)));
  });
}

/** Every call of the tool: by a plain entry, and nothing that is forbidden comes near it. */
function leavesAll({ allowed, forbidden }: CapabilitySkill, tool: string): boolean {
  const isAllowed = allowed === "*" || allowed.some(({ tools, argument }) => argument === null && tools.includes(tool));
  return isAllowed && !forbidden.some((entry) => forbidsAll(entry, tool) || isPartly(entry, tool));
}

function isPartly({ reach }: ForbiddenTool, tool: string): boolean {
  return reach.kind === "paths" && reach.tools.includes(tool);
}

/** Tools for which every group has some entry: what is not among them is denied without asking further. */
function candidates({ groups }: Scope, catalogue: readonly string[] | null): readonly string[] {
  const [first, ...others] = groups.filter(hasList);
  if (first === undefined) return catalogue?.filter((name) => canonicalTools(name).length > 0) ?? [];
  const left = new Set(toolsIn(first));
  for (const group of others) {
    if (left.size === 0) break;
    const tools = toolsIn(group);
    for (const tool of left) if (!tools.has(tool)) left.delete(tool);
  }
  return (catalogue ?? [...left]).filter((name) => {
    const tools = canonicalTools(name);
    return tools.length > 0 && tools.every((tool) => left.has(tool));
  });
}

/** As `effectiveTools` says it, without an index of the scope, which costs more than one answer is worth. */
function mayPass({ groups, forbidden }: Scope, tool: string): boolean {
  if (forbidden.some((entry) => forbidsAll(entry, tool))) return false;
  const lists = groups
    .map(({ allowed }) => (allowed === "*" ? [] : allowed.filter(({ tools }) => tools.includes(tool))))
    .filter((list) => list.length > 0 && list.every(({ argument }) => argument !== null));
  return lists.length === 0 || !areNeverMet(lists, new PathEntries(forbidden.filter((entry) => isPartly(entry, tool))));
}

function toolsIn({ allowed }: Pick<CapabilitySkill, "allowed">): ReadonlySet<string> {
  const found = new Set<string>();
  if (allowed !== "*") for (const { tools } of allowed) for (const tool of tools) found.add(tool);
  return found;
}
