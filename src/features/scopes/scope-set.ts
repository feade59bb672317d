import { AppError } from "../../core/error.ts";
import { blocks, type Finding } from "../../core/finding.ts";
import { builtIns } from "../../scope/built-ins.ts";
import { capabilityOf, type CapabilitySkill } from "../../scope/capability.ts";
import { composeScope, joinScopes, withForbidden } from "../../scope/compose-scope.ts";
import { namedTools } from "../../scope/effective.ts";
import { createCapabilities, type PrimaryRegistry, type ScopeError } from "../../scope/registry.ts";
import { idOf } from "../../scope/resolve.ts";
import type { Scope } from "../../scope/scope.ts";
import { scopeFinding } from "../../scope/scope-faults.ts";
import type { Candidate, Candidates } from "./candidates.ts";

/** What is asked of a set of skills. */
export interface AskedScope {
  readonly names: readonly string[];
  readonly strict: boolean;
  /** The host's tools; without them those that the skills name, and none of these is unknown. */
  readonly tools?: readonly string[] | undefined;
  /** What the workspace forbids on top. */
  readonly forbidden?: readonly string[] | undefined;
}

/** A set of skills that was looked at: what it comes to, also when it cannot be used. */
export interface ScopeSet {
  /** Of those that are known; it leaves nothing while one of them is not. */
  readonly scope: Scope;
  /** Everything that speaks against using the set (SC-4). */
  readonly errors: readonly ScopeError[];
  readonly findings: readonly Finding[];
  readonly catalogue: readonly string[];
  /** Whether the catalogue is a host's, or what the skills name. */
  readonly isGiven: boolean;
}

/** SC-3, SC-4: validated and composed. Nothing is thrown for a set that cannot be used: all that is wrong is said. */
export function lookAtScope(candidates: Candidates, { names, strict, tools, forbidden = [] }: AskedScope): ScopeSet {
  const registry = createCapabilities();
  const asked = Array.from(new Set(names), (name) => askFor(registry, candidates, name));
  const held = asked.flatMap(({ skill }) => skill ?? []);
  const others = candidates.all.flatMap((candidate) => registerCandidate(registry, candidate).skill ?? []);
  const { errors, findings } = registry.validate(
    held.map(({ id }) => id),
    { strict, catalogue: tools },
  );
  const unknown = asked.flatMap(({ error }) => error ?? []);
  const scope = withForbidden(composeScope(held, { strict }), forbidden, "workspace");
  return {
    // Without the skill that is missing the others would leave more than was asked for.
    scope: (unknown.length === 0 ? scope : joinScopes(scope, composeScope([]))) ?? composeScope([]),
    errors: [...unknown, ...errors],
    findings: [
      ...candidates.findings,
      ...asked.flatMap(({ said }) => said),
      ...findings,
      ...shadowed(candidates, names),
    ],
    catalogue: tools ?? namedTools([...held, ...others]),
    isGiven: tools !== undefined,
  };
}

interface AskedSkill {
  readonly skill?: CapabilitySkill;
  readonly error?: ScopeError;
  /** What its files said; what registering it did is said again of the whole set. */
  readonly said: readonly Finding[];
}

export function isBuiltIn(name: string): boolean {
  return builtIns.some((each) => each.name === name);
}

function askFor(registry: PrimaryRegistry, { named }: Candidates, name: string): AskedSkill {
  const builtIn = isBuiltIn(name) ? registry.get(name) : undefined;
  if (builtIn !== undefined) return { skill: builtIn, said: [] };
  try {
    const candidate = named(name);
    const { skill, why } = registerCandidate(registry, candidate);
    const said = candidate.findings;
    return skill === undefined ? { error: unknownSkill(name, why), said } : { skill, said };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: unknownSkill(name, error.message), said: [] };
  }
}

function unknownSkill(skill: string, reason: string): ScopeError {
  return { code: "UNKNOWN_SKILL", skill, reason };
}

/** Built-in names are reserved: who asks for one is told of the skill that is not meant by it (SC-2). */
function shadowed({ all }: Candidates, names: readonly string[]): readonly Finding[] {
  const asked = new Set(names.filter(isBuiltIn));
  const hidden = all.filter(({ name }) => asked.has(name));
  return hidden.map(({ entry, name }) =>
    scopeFinding("scope.reserved", entry, `the built-in skill is meant by "${name}", and never this one`),
  );
}

interface Registered {
  readonly skill?: CapabilitySkill;
  readonly findings: readonly Finding[];
  /** Why it is not registered. */
  readonly why: string;
}

/** What cannot be used in a scope is not registered; who asks for it is told why (SK-4). */
export function registerCandidate(registry: PrimaryRegistry, candidate: Candidate): Registered {
  if (candidate.skill === null) return { findings: [], why: candidate.why ?? "it cannot be used" };
  const capability = capabilityOf(candidate.skill, candidate, candidate.contract);
  if (capability.unusable !== undefined) return { findings: [], why: capability.unusable };
  const id = idOf(candidate.source, candidate.alias);
  const known = registry.get(id);
  // Identical bytes are one skill (SK-13).
  if (known?.digest === candidate.skill.digest) return { skill: known, findings: [], why: "" };
  const findings = registry.register({ ...capability.definition, name: candidate.alias }, capability.origin);
  const against = findings.find(blocks);
  if (against !== undefined) return { findings, why: against.message };
  const skill = registry.get(id);
  return skill === undefined ? { findings, why: "it could not be registered" } : { skill, findings, why: "" };
}
