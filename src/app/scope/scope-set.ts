import { AppError } from "../../base/error.ts";
import { blocks, type Finding } from "../../base/finding.ts";
import { builtIns } from "../../use/scope/built-ins.ts";
import { capabilityOf, type CapabilitySkill } from "../../use/scope/capability.ts";
import { composeScope, withForbidden } from "../../use/scope/compose-scope.ts";
import { namedTools } from "../../use/scope/effective.ts";
import { createCapabilities, type PrimaryRegistry, type ScopeError } from "../../use/scope/registry.ts";
import { idOf } from "../../use/scope/resolve.ts";
import type { Scope } from "../../use/scope/scope.ts";
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
  /** Of those that are known. */
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
  const asked = names.map((name) => askFor(registry, candidates, name));
  const held = asked.flatMap(({ skill }) => skill ?? []);
  const others = candidates.all.flatMap((candidate) => registerCandidate(registry, candidate).skill ?? []);
  const { errors, findings } = registry.validate(
    held.map(({ id }) => id),
    { strict, catalogue: tools },
  );
  const scope = composeScope(held, { strict });
  return {
    scope: withForbidden(scope, forbidden, "workspace") ?? scope,
    errors: [...asked.flatMap(({ error }) => error ?? []), ...errors],
    findings: [...candidates.findings, ...asked.flatMap(({ said }) => said), ...findings],
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
    return skill === undefined ? { error: unknown(name, why), said } : { skill, said };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: unknown(name, error.message), said: [] };
  }
}

function unknown(skill: string, reason: string): ScopeError {
  return { code: "UNKNOWN_SKILL", skill, reason };
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
  const known = registry.get(idOf(candidate.source, candidate.name));
  if (known?.entry === candidate.entry) return { skill: known, findings: [], why: "" };
  const findings = registry.register(capability.definition, capability.origin);
  const against = findings.find(blocks);
  if (against !== undefined) return { findings, why: against.message };
  const skill = registry.get(idOf(candidate.source, candidate.name));
  return skill === undefined ? { findings, why: "it could not be registered" } : { skill, findings, why: "" };
}
