import { compareTexts, safeLine } from "../core/text.ts";
import { canonicalTools, displayName } from "./tools/tools.ts";
import type { CapabilitySkill } from "./capability.ts";
import type { ScopeError, ScopeErrorCode, ValidateOptions, Validation } from "./registry.ts";
import { type Names, type RuleRef, rulesOf } from "./resolve.ts";
import { setFindings } from "./findings.ts";

/** The host's tools: as it calls them, and what all of them are by canonical names. */
export interface Catalogue {
  readonly names: readonly string[];
  readonly tools: ReadonlySet<string>;
}

/** Skills that were named, each once; and an error for each name that is nobody's, or that several have. */
export function resolveNames(
  names: readonly string[],
  known: Names,
): { readonly skills: readonly CapabilitySkill[]; readonly unknown: readonly ScopeError[] } {
  const skills = new Set<CapabilitySkill>();
  const unknown: ScopeError[] = [];
  for (const name of new Set(names)) {
    const { skill, choices } = known.ask(name);
    if (skill === undefined) unknown.push(unknownSkill(name, choices));
    else skills.add(skill);
  }
  return { skills: [...skills], unknown };
}

/** Everything that keeps a set from being used, and what else is worth knowing of it (SC-4). Touches nothing. */
export function validateSet(names: readonly string[], known: Names, options: ValidateOptions = {}): Validation {
  const { skills, unknown } = resolveNames(names, known);
  const catalogue = options.catalogue === undefined ? null : readCatalogue(options.catalogue);
  const tools = catalogue === null ? [] : skills.flatMap((skill) => unknownTools(skill, catalogue));
  const errors = [...unknown, ...ruleErrors(skills, known), ...tools].toSorted(byPlace);
  return { errors, findings: setFindings(skills, catalogue, options) };
}

function readCatalogue(given: Iterable<string>): Catalogue {
  const names = [...given];
  return { names, tools: new Set(names.flatMap((name) => canonicalTools(name))) };
}

const longestChoice = 5;

function unknownSkill(name: unknown, choices: readonly string[]): ScopeError {
  const skill = typeof name === "string" ? safeLine(name) : "(not a name)";
  if (choices.length === 0)
    return { code: "UNKNOWN_SKILL", skill, reason: "there is no capability skill of this name" };
  const shown = choices.slice(0, longestChoice).map((id) => safeLine(id, 160));
  const more = choices.length > longestChoice ? ` and ${choices.length - longestChoice} more` : "";
  const reason = `several skills have this name; name one by its id: ${shown.join(", ")}${more}`;
  return { code: "UNKNOWN_SKILL", skill, reason };
}

function ruleErrors(skills: readonly CapabilitySkill[], known: Names): ScopeError[] {
  const held = new Set(skills);
  const broken = new Map<string, ScopeError>();
  for (const skill of skills)
    for (const rule of rulesOf(skill)) {
      const target = known.first(rule.keys);
      const code = brokenBy(rule, target !== undefined && held.has(target));
      if (code === null) continue;
      const key = [skill.id, code, target?.id ?? rule.keys[0]].join("\n");
      if (!broken.has(key)) broken.set(key, ruleError(code, skill, rule, target));
    }
  return [...broken.values()];
}

function brokenBy({ type }: RuleRef, isHeld: boolean): ScopeErrorCode | null {
  if (type === "requires") return isHeld ? null : "MISSING_REQUIRED";
  if (!isHeld) return null;
  return type === "incompatible" ? "INCOMPATIBLE_SKILLS" : "FORBIDDEN_COMBINATION";
}

function ruleError(
  code: ScopeErrorCode,
  { id }: CapabilitySkill,
  rule: RuleRef,
  target: CapabilitySkill | undefined,
): ScopeError {
  const shown = `"${safeLine(target?.id ?? rule.target, 160)}"`;
  const because = rule.reason === null ? "" : `: ${safeLine(rule.reason, 200)}`;
  return { code, skill: id, reason: `${brokenRule(code, shown)}${because}` };
}

/** What is not registered may exist all the same: a registry need not hold more than the skills that were asked for. */
function brokenRule(code: ScopeErrorCode, target: string): string {
  if (code === "INCOMPATIBLE_SKILLS") return `is incompatible with ${target}`;
  if (code === "FORBIDDEN_COMBINATION") return `forbids ${target} in the same set`;
  return `requires ${target}, which is not in the set`;
}

/** An entry that stands for two tools is known when the host has one of them. */
function unknownTools({ id, allowed }: CapabilitySkill, { tools }: Catalogue): ScopeError[] {
  if (allowed === "*") return [];
  const missing = allowed.filter((pattern) => !pattern.tools.some((tool) => tools.has(tool)));
  return [...new Set(missing.map((pattern) => displayName(pattern.tools)))].map((tool) => ({
    code: "UNKNOWN_TOOL",
    skill: id,
    reason: `allows "${safeLine(tool, 160)}", which is no tool of this host`,
  }));
}

function byPlace(a: ScopeError, b: ScopeError): number {
  return compareTexts(a.skill, b.skill) || compareTexts(a.code, b.code) || compareTexts(a.reason, b.reason);
}
