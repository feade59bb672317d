import type { Digest } from "../core/digest.ts";
import type { EntryId } from "../core/ids.ts";
import { safeLine, safeName } from "../core/text.ts";
import type { Value } from "../skill/core-value.ts";
import { splitTools } from "../skill/manifest.ts";
import type { ScopeDeclaration } from "../skill/scope-file.ts";
import type { Skill } from "../skill/skill.ts";
import type { ForbiddenTool, ToolPattern } from "./tools/tools.ts";

/** A capability skill as code declares it (SC-1). In a bundle it is `scope.yaml`, with SKILL.md's name and description. */
export interface CapabilityDefinition extends Partial<Omit<ScopeDeclaration, "allowedTools" | "executionProtocol">> {
  readonly allowedTools: ScopeDeclaration["allowedTools"];
  readonly executionProtocol: ScopeDeclaration["executionProtocol"];
  readonly name: string;
  readonly description: string;
}

/** Where a definition comes from. Names without a source are looked for among its own source's, then the built-ins. */
export interface Origin {
  /** A source's id; `session` for what code declares, `built-in` for ours. */
  readonly source: string;
  readonly entry: EntryId;
  readonly digest: Digest;
  /** The text of its contract: only when the host opted in for this load (SC-10). */
  readonly contract: ContractSource | null;
}

export interface ContractSource {
  readonly digest: Digest;
  readonly code: string;
}

/** A definition that was read: copied, frozen, its patterns parsed once. */
export interface CapabilitySkill extends ScopeDeclaration, Origin {
  /** `source/name`; of a built-in its name alone. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly allowed: "*" | readonly ToolPattern[];
  readonly forbidden: readonly ForbiddenTool[];
}

/** What a bundle brings to a scope; `unusable` says why it may not be used in one (SK-4). */
export type BundleCapability =
  | { readonly definition: CapabilityDefinition; readonly origin: Origin; readonly unusable?: never }
  | { readonly unusable: string; readonly definition?: never; readonly origin?: never };

const nothingDeclared = { allowedTools: "*", executionProtocol: [] } as const;

/** A parsed bundle as a definition (SC-1). One with neither `scope.yaml` nor `disallowed-tools` takes nothing away. */
export function capabilityOf(
  skill: Skill,
  { source, entry }: Pick<Origin, "source" | "entry">,
  contract: ContractSource | null,
): BundleCapability {
  const { manifest, scope, digest } = skill;
  if (scope.state === "unusable") return { unusable: "its scope.yaml cannot be read: half a restriction is none" };
  if (hasLostTools(skill)) return { unusable: "its disallowed-tools cannot all be read: half a restriction is none" };
  const declared: Partial<ScopeDeclaration> = scope.state === "declared" ? scope.declaration : {};
  const name = safeName(manifest.name);
  return {
    definition: {
      ...nothingDeclared,
      ...declared,
      name,
      description: safeLine(manifest.description ?? "", 1024).trim() || name,
      forbiddenTools: [...(declared.forbiddenTools ?? []), ...(manifest.disallowedTools ?? [])],
    },
    origin: { source, entry, digest, contract },
  };
}

/** Whether holding it takes anything away. A scope that cannot be read counts: half a restriction is none. */
export function restrictsTools({ scope, manifest }: Pick<Skill, "scope" | "manifest">): boolean {
  return scope.state !== "none" || (manifest.disallowedTools ?? []).length > 0;
}

/** The header keeps what it can of a list. What asks for less may be cut; what forbids may not. */
function hasLostTools({ manifest, frontmatter }: Skill): boolean {
  if (manifest.kind === "host-knowledge") return false;
  const written = ["disallowed-tools", "disallowed_tools"]
    .filter((field) => Object.hasOwn(frontmatter, field))
    .reduce((sum, field) => sum + countTools(frontmatter[field] ?? null), 0);
  return written > (manifest.disallowedTools ?? []).length;
}

function countTools(value: Value): number {
  if (value === null) return 0;
  if (typeof value === "string") return splitTools(value).length;
  if (typeof value !== "object") return 1;
  return isList(value) ? value.filter((item) => item !== null && item !== "").length : Number.POSITIVE_INFINITY;
}

function isList(value: object): value is readonly Value[] {
  return Array.isArray(value);
}
