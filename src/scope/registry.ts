import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { builtIns } from "./built-ins.ts";
import type { CapabilityDefinition, CapabilitySkill, Origin } from "./capability.ts";
import { composeScope } from "./compose-scope.ts";
import { type ReadDefinition, readDefinition } from "./definition.ts";
import { byId } from "./lists.ts";
import { builtInSource, foldName, Names } from "./resolve.ts";
import type { Scope } from "./scope.ts";
import { scopeFinding } from "./scope-faults.ts";
import { resolveNames, validateSet } from "./validate.ts";

export interface ComposeScopeOptions {
  /** No groups: every skill for itself. */
  readonly strict?: boolean | undefined;
}

export interface ValidateOptions extends ComposeScopeOptions {
  /** The host's tools: what allows one that is not there is an error. Not looked at without it. */
  readonly catalogue?: Iterable<string> | undefined;
}

export type ScopeErrorCode =
  | "UNKNOWN_SKILL"
  | "MISSING_REQUIRED"
  | "INCOMPATIBLE_SKILLS"
  | "FORBIDDEN_COMBINATION"
  | "UNKNOWN_TOOL";

/** Why a set of skills cannot be used together (SC-4). */
export interface ScopeError {
  readonly code: ScopeErrorCode;
  /** The skill it is about, as it was named or by its id. */
  readonly skill: string;
  readonly reason: string;
}

export interface Validation {
  /** All of them, in the order of the skills. */
  readonly errors: readonly ScopeError[];
  /** What is worth knowing and refuses nothing. */
  readonly findings: readonly Finding[];
}

/** What a sub-agent sees of the registry, and a primary works with (SC-2). Through a view writing is `scope.readonly`. */
export interface CapabilityRegistry {
  /** By id, or by a name that is found: own source, built-ins, then whoever alone has it. */
  get(name: string): CapabilitySkill | undefined;
  list(): readonly CapabilitySkill[];
  validate(names: readonly string[], options?: ValidateOptions): Validation;
  /** Rejects unknown names (`record.missing`). `[]` is the empty scope, which allows nothing. */
  compose(names: readonly string[], options?: ComposeScopeOptions): Scope;
  /** Findings; nothing is registered when one of them blocks. */
  register(definition: CapabilityDefinition, origin?: Partial<Origin>): readonly Finding[];
  override(name: string, definition: CapabilityDefinition, origin?: Partial<Origin>): readonly Finding[];
}

/** The primary's own. */
export interface PrimaryRegistry extends CapabilityRegistry {
  /** The same registry, live, for reading. */
  view(): CapabilityRegistry;
}

const mostSkills = 100_000;
const reserved: ReadonlySet<string> = new Set(builtIns.map(({ name }) => foldName(name)));

/**
 * An empty registry but for the built-ins, owned by whoever made it. State lives in closures only: nothing that is
 * handed out leads back to it (SC-2, T33).
 */
export function createCapabilities(): PrimaryRegistry {
  const known = new Names();
  for (const skill of builtIns) known.set(skill);
  let listed: readonly CapabilitySkill[] | null = null;

  const keep = ({ skill, findings }: ReadDefinition, refusal: Finding | null): readonly Finding[] => {
    if (refusal !== null) return [refusal];
    if (skill === undefined) return findings;
    known.set(skill);
    listed = null;
    return findings;
  };

  const reading: Pick<CapabilityRegistry, "get" | "list" | "validate" | "compose"> = {
    get: (name) => known.ask(name).skill,
    list: () => (listed ??= Object.freeze(known.all().toSorted(byId))),
    validate: (names, options) => validateSet(names, known, options),
    compose: (names, options) => {
      const { skills, unknown } = resolveNames(names, known);
      if (unknown.length > 0) throw missing(unknown);
      return composeScope(skills, options);
    },
  };
  const view: CapabilityRegistry = sealed({ ...reading, register: refuseWriting, override: refuseWriting });

  return sealed({
    ...reading,
    register: (definition, origin) => {
      const read = readDefinition(definition, origin);
      return keep(read, read.skill === undefined ? null : whyNotNew(read.skill, known));
    },
    override: (name, definition, origin) => {
      const { skills, unknown } = resolveNames([name], known);
      const [old] = skills;
      if (old === undefined) throw missing(unknown);
      const { source, entry, contract } = old;
      const read = readDefinition(definition, origin, { source, entry, contract });
      return keep(read, whyNotInstead(old, read.skill));
    },
    view: () => view,
  });
}

/** `session` and `built-in` alike: names that the built-ins have mean them everywhere. */
function whyNotNew(skill: CapabilitySkill, known: Names): Finding | null {
  const { id, name, source } = skill;
  if (source === builtInSource || reserved.has(foldName(name)))
    return scopeFinding("scope.reserved", id, "the name of a built-in skill cannot be taken");
  if (known.has(skill)) return scopeFinding("scope.exists", id, "there is such a skill already; override it instead");
  if (known.size >= mostSkills) return scopeFinding("scope.full", id, `there are ${mostSkills} skills already`);
  return null;
}

function whyNotInstead(old: CapabilitySkill, skill: CapabilitySkill | undefined): Finding | null {
  if (old.source === builtInSource)
    return scopeFinding("scope.reserved", old.id, "a built-in skill cannot be overridden");
  const isOther = skill !== undefined && skill.id !== old.id;
  return isOther ? scopeFinding("scope.invalid", old.id, "what overrides a skill has its name and its source") : null;
}

function refuseWriting(): never {
  throw new AppError("scope.readonly", "the registry of capability skills is its primary agent's: it can only be read");
}

/** Its functions too: what a child could put on one of them, its primary would find there. */
function sealed<Registry extends CapabilityRegistry>(registry: Registry): Registry {
  for (const work of Object.values(registry)) Object.freeze(work);
  return Object.freeze(registry);
}

function missing(unknown: readonly ScopeError[]): AppError {
  return new AppError("record.missing", unknown.map(({ skill, reason }) => `"${skill}": ${reason}`).join("; "));
}
