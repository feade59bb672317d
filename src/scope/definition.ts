import { canonicalJson } from "../core/canonical.ts";
import { type Digest, sha256 } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import { entryId } from "../core/ids.ts";
import { isPublicName, safeName } from "../core/text.ts";
import { parseForbidden, parsePattern } from "./tools/patterns.ts";
import type { ToolPattern } from "./tools/tools.ts";
import type { ScopeRule } from "../skill/scope-file.ts";
import type { CapabilityDefinition, CapabilitySkill, Origin } from "./capability.ts";
import { type DefinitionFields, readFields } from "./definition-fields.ts";
import { deepFrozen } from "./lists.ts";
import { builtInSource, foldName, idOf, sessionSource } from "./resolve.ts";
import { scopeFinding } from "./scope-faults.ts";
import { skillFindings } from "./findings.ts";

export interface ReadDefinition {
  /** Absent when a finding blocks. */
  readonly skill?: CapabilitySkill;
  readonly findings: readonly Finding[];
}

/**
 * A definition that can be used: copied, frozen, its patterns parsed once (SC-2). Never throws, whatever it is given.
 * `base` is what holds where the origin says nothing.
 */
export function readDefinition(
  definition: CapabilityDefinition,
  origin: Partial<Origin> = {},
  base: Partial<Origin> = {},
): ReadDefinition {
  const fields = readFields(definition, origin);
  if (typeof fields === "string") return refused("(not read)", fields);
  const whence = { source: sessionSource, ...base, ...fields.origin };
  const fault = nameFault(fields.name, whence.source);
  if (fault !== null) return refused(fields.name, fault);
  const skill = skillOf(fields, whence);
  return { skill, findings: skillFindings(skill) };
}

function refused(name: string, fault: string): ReadDefinition {
  return { findings: [scopeFinding("scope.invalid", name, fault)] };
}

/** A bundle's name is shown as it is, so that it may be any that can be shown; those of code are held to the form. */
function nameFault(name: string, source: string): string | null {
  const isOurs = source === sessionSource || source === builtInSource;
  if (isOurs && !isPublicName(name))
    return "a name is 1 to 64 lowercase letters, digits and single hyphens between them";
  return name === safeName(name) && foldName(name) !== "" ? null : "the name cannot be shown as it is";
}

function skillOf(
  { name, description, declaration }: DefinitionFields,
  { source, entry, digest, contract }: Partial<Origin> & Pick<Origin, "source">,
): CapabilitySkill {
  const { allowedTools, forbiddenTools } = declaration;
  return deepFrozen({
    ...declaration,
    id: idOf(source, name),
    name,
    description,
    source,
    entry: entry ?? entryId({ source, path: name }),
    digest: digest ?? digestOf({ name, description, declaration }),
    contract: contract ?? null,
    allowed: allowedTools === "*" ? "*" : patternsOf(allowedTools),
    forbidden: unique(forbiddenTools).map(parseForbidden),
  });
}

/** An entry in no known form is left out: it matches nothing. `skillFindings` says so. */
function patternsOf(tools: readonly string[]): ToolPattern[] {
  return unique(tools).flatMap((tool) => parsePattern(tool) ?? []);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

function digestOf({ name, description, declaration }: Omit<DefinitionFields, "origin">): Digest {
  const { outputContract, compatibilityRules, composabilityRules } = declaration;
  const text = canonicalJson({
    ...declaration,
    name,
    description,
    outputContract: outputContract === null ? null : { ...outputContract },
    compatibilityRules: plainRules(compatibilityRules),
    composabilityRules: plainRules(composabilityRules),
  });
  return sha256(Buffer.from(text));
}

function plainRules(rules: readonly ScopeRule[]): { type: string; skill: string; reason: string | null }[] {
  return rules.map(({ type, skill, reason }) => ({ type, skill, reason }));
}
