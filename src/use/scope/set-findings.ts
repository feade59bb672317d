import type { Finding } from "../../base/finding.ts";
import { hasPrefix } from "../../base/tools/calls.ts";
import type { ForbiddenTool } from "../../base/tools/tools.ts";
import type { CapabilitySkill } from "./capability.ts";
import { leavesNothing } from "./empty.ts";
import { byId, compareTexts } from "./order.ts";
import { namedBy, stepWords } from "./protocol-tools.ts";
import type { ComposeScopeOptions } from "./registry.ts";
import { scopeFinding } from "./scope-faults.ts";
import { skillFindings, stepFinding } from "./skill-findings.ts";
import type { Catalogue } from "./validate.ts";

/** What is worth knowing of a set before it is used, each thing once, in the order of the skills (SC-4). */
export function setFindings(
  skills: readonly CapabilitySkill[],
  catalogue: Catalogue | null,
  options: ComposeScopeOptions,
): Finding[] {
  const held = skills.toSorted(byId);
  const isTool = toolsIn(held, catalogue);
  const findings = held.flatMap((skill) => [
    ...skillFindings(skill),
    ...stepFindings(skill, isTool),
    ...(catalogue === null ? [] : unknownForbidden(skill, catalogue)),
  ]);
  const isEmpty = held.length > 0 && leavesNothing(held, catalogue?.names ?? null, options);
  return isEmpty ? [...findings, emptyFinding(held)] : findings;
}

/** What the host or anybody of the set takes for a tool. */
function toolsIn(skills: readonly CapabilitySkill[], catalogue: Catalogue | null): (tool: string) => boolean {
  let named: ReadonlySet<string> | null = null;
  return (tool) => {
    named ??= new Set(skills.flatMap(namedBy));
    return catalogue?.tools.has(tool) === true || named.has(tool);
  };
}

function stepFindings(skill: CapabilitySkill, isTool: (tool: string) => boolean): Finding[] {
  return stepWords(skill)
    .others.filter(({ tools }) => tools.some(isTool))
    .map((word) => stepFinding(skill, word));
}

function unknownForbidden({ id, forbidden }: CapabilitySkill, { tools }: Catalogue): Finding[] {
  return forbidden
    .filter((entry) => !isKnown(entry, tools))
    .map(({ text }) =>
      scopeFinding("scope.unknown-forbidden", id, "this host has no tool that this entry forbids", text),
    )
    .toSorted((a, b) => compareTexts(a.excerpt ?? "", b.excerpt ?? ""));
}

function isKnown({ reach }: ForbiddenTool, tools: ReadonlySet<string>): boolean {
  if (reach.kind === "everything") return true;
  if (reach.kind === "prefix") return [...tools].some((tool) => hasPrefix(tool, reach.prefix));
  return reach.tools.some((tool) => tools.has(tool));
}

function emptyFinding(held: readonly CapabilitySkill[]): Finding {
  const others = held.length - 1;
  const who = others === 0 ? "the skill alone leaves" : `the skill and ${others} more together leave`;
  return scopeFinding("scope.empty", held[0]?.id ?? "", `${who} no tool that could be called`);
}
