import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import type { Included } from "../../use/compose/composition.ts";
import { restrictsTools } from "../../use/scope/capability.ts";
import { createCapabilities } from "../../use/scope/registry.ts";
import type { Scope } from "../../use/scope/scope.ts";
import type { App } from "../app.ts";
import { registerCandidate } from "../scope/scope-set.ts";
import { storedCandidates } from "../scope/stored-candidates.ts";

/**
 * The scope of skills that are in a prompt, of the very bytes that are (SC-7). Null: none of them restricts anything.
 * Undefined: they are others by now. Throws `entry.unusable` when they cannot be held together: then nothing is asked.
 */
export async function attachedScope(
  app: App,
  included: readonly Pick<Included, "entry" | "digest">[],
): Promise<Scope | null | undefined> {
  if (included.length === 0) return null;
  const digests = new Map(included.map(({ entry, digest }) => [entry, digest]));
  const { all } = await storedCandidates(app, [...digests.keys()]);
  const registry = createCapabilities();
  const ids: string[] = [];
  for (const candidate of all) {
    if (candidate.skill === null || candidate.skill.digest !== digests.get(candidate.entry)) return undefined;
    if (!restrictsTools(candidate.skill)) continue;
    const { skill, why } = registerCandidate(registry, candidate);
    if (skill === undefined) throw unusable(candidate.entry, why);
    ids.push(skill.id);
  }
  if (all.length < digests.size) return undefined;
  if (ids.length === 0) return null;
  const [error] = registry.validate(ids).errors;
  if (error !== undefined) throw unusable(error.skill, error.reason);
  return registry.compose(ids);
}

function unusable(entry: string, why: string): AppError {
  return new AppError("entry.unusable", `the attached skills cannot be held together: ${safeLine(entry, 120)}: ${why}`);
}
