import type { Finding } from "../../../base/finding.ts";
import { safeLine } from "../../../base/text.ts";
import type { CapabilitySkill } from "../../scope/capability.ts";
import { joinScopes } from "../../scope/compose-scope.ts";
import type { ScopeError } from "../../scope/registry.ts";
import type { Scope } from "../../scope/scope.ts";
import type { SpawnHost } from "./spawn-host.ts";

/** What a child may use, and the skills it asked for itself. */
export interface SkillSet {
  readonly scope: Scope | null;
  readonly skills: readonly CapabilitySkill[];
  readonly findings: readonly Finding[];
}

/** SC-5: against the primary's registry at every depth; the scope is the parent's and its own together. All in one go. */
export function readSet(
  { capabilities, strict }: Pick<SpawnHost, "capabilities" | "strict">,
  parent: Scope | null,
  names: readonly string[],
  catalogue: readonly string[],
): SkillSet | { readonly errors: readonly ScopeError[] } {
  if (names.length === 0) return { scope: parent, skills: [], findings: [] };
  const { errors, findings } = capabilities.validate(names, { strict, catalogue });
  if (errors.length > 0) return { errors };
  const own = capabilities.compose(names, { strict });
  const skills = own.skills.map(({ id }) => capabilities.get(id)).filter((skill) => skill !== undefined);
  if (skills.length < own.skills.length) throw new Error("a skill of the set is not in the registry");
  return { scope: joinScopes(parent, own), skills, findings };
}

const mostShown = 10;

export function errorText(errors: readonly ScopeError[]): string {
  const shown = errors.slice(0, mostShown).map(({ code, skill, reason }) => `${code} ${safeLine(skill)}: ${reason}`);
  const more = errors.length - mostShown;
  return `Skill validation failed: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}
