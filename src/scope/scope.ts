import type { Digest } from "../core/digest.ts";
import type { EntryId } from "../core/ids.ts";
import type { ForbiddenTool, ToolPattern } from "./tools/tools.ts";

/** A skill that takes part in a scope: enough to show it and to write down what became of it. */
export interface ScopeSkill {
  /** `source/name`; of a built-in its name alone. */
  readonly id: string;
  readonly name: string;
  readonly entry: EntryId;
  /** Of the bundle, or of the definition when code declared it. */
  readonly digest: Digest;
}

/** Skills that stand together: what one of them allows, the group allows (SC-3). */
export interface ScopeGroup {
  /** Ids, in order. */
  readonly skills: readonly string[];
  /** `"*"` is the identity: it takes nothing away. */
  readonly allowed: "*" | readonly ToolPattern[];
}

export interface ScopeForbidden extends ForbiddenTool {
  /** The ids of the skills that forbid it, or what else does: `workspace`. */
  readonly by: readonly string[];
}

/**
 * The most an agent may use while it holds these skills (SC-3). A call is allowed when every group has an entry that
 * fits and no forbidden one does. The groups are kept: patterns are never intersected as text.
 */
export interface Scope {
  readonly skills: readonly ScopeSkill[];
  readonly groups: readonly ScopeGroup[];
  readonly forbidden: readonly ScopeForbidden[];
  /** Advisory (SC-8). */
  readonly protocol: readonly string[];
}
