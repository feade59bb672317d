import { canonicalTools, type ForbiddenTool } from "../../base/tools/tools.ts";
import type { CapabilitySkill } from "./capability.ts";
import { composeScope } from "./compose-scope.ts";
import { effectiveTools } from "./effective.ts";
import { forbidsAll } from "./reach.ts";
import type { ComposeScopeOptions } from "./registry.ts";
import type { Scope } from "./scope.ts";

/** Whether skills leave no tool that could be called: of the host's, or of those named where no host says its tools. */
export function leavesNothing(
  skills: readonly CapabilitySkill[],
  catalogue: readonly string[] | null,
  options: ComposeScopeOptions,
): boolean {
  const narrow = skills.find(({ allowed }) => allowed !== "*");
  // Without a catalogue there is always one more tool that nobody named.
  if (catalogue === null && narrow === undefined)
    return skills.some(({ forbidden }) => forbidden.some(({ reach }) => reach.kind === "everything"));
  if (leavesPlainTool(skills, catalogue ?? (narrow === undefined ? [] : toolsIn(narrow)))) return false;
  const scope = composeScope(skills, options);
  return effectiveTools(scope, candidates(scope, catalogue)).every(({ decision }) => decision === "deny");
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
  const lists = groups.filter(({ allowed }) => allowed !== "*").map((group) => new Set(toolsIn(group)));
  const names = catalogue ?? [...(lists[0] ?? [])];
  return names.filter((name) => canonicalTools(name).every((tool) => lists.every((tools) => tools.has(tool))));
}

function toolsIn({ allowed }: Pick<CapabilitySkill, "allowed">): readonly string[] {
  return allowed === "*" ? [] : allowed.flatMap(({ tools }) => tools);
}
