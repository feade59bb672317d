import { sha256 } from "../../src/core/digest.ts";
import { parseForbidden, parsePattern } from "../../src/scope/tools/patterns.ts";
import type { ToolPattern } from "../../src/scope/tools/tools.ts";
import { deepFrozen } from "../../src/scope/lists.ts";
import type { HostPolicy, HostWord } from "../../src/scope/gate.ts";
import type { Scope } from "../../src/scope/scope.ts";

interface WrittenScope {
  /** By skill: each is a group of its own. */
  readonly allowed: Readonly<Record<string, "*" | readonly string[]>>;
  readonly forbidden?: Readonly<Record<string, readonly string[]>>;
  readonly protocol?: readonly string[];
}

/** A scope as composing would make it, without the registry. An entry in no known form is left out. */
export function scopeOf({ allowed, forbidden = {}, protocol = [] }: WrittenScope): Scope {
  return deepFrozen({
    skills: Object.keys(allowed).map((id) => ({
      id,
      name: id.split("/").at(-1) ?? id,
      entry: `team:${id}`,
      digest: sha256(Buffer.from(id)),
    })),
    groups: Object.entries(allowed).map(([id, tools]) => ({
      skills: [id],
      allowed: tools === "*" ? tools : patterns(tools),
    })),
    forbidden: Object.entries(forbidden).flatMap(([id, tools]) =>
      tools.map((text) => ({ ...parseForbidden(text), by: [id] })),
    ),
    protocol,
  });
}

/** What composing no skill at all makes. */
export const emptyScope: Scope = deepFrozen({
  skills: [],
  groups: [{ skills: [], allowed: [] }],
  forbidden: [],
  protocol: [],
});

export function patterns(texts: readonly string[]): readonly ToolPattern[] {
  return texts.flatMap((text) => parsePattern(text) ?? []);
}

export function hostOf(catalogue: readonly string[], word: HostWord = "allow"): HostPolicy {
  return { catalogue: new Set(catalogue), word: () => word };
}
