import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { demandSourceId } from "../../registry/sync/sources.ts";
import { createCapabilities, type PrimaryRegistry } from "../../scope/registry.ts";
import type { FolderWorld } from "../bundles/folder-skills.ts";
import { type CandidateOptions, folderCandidates } from "./candidates.ts";
import { registerCandidate } from "./scope-set.ts";

export interface LoadedCapabilities {
  readonly registry: PrimaryRegistry;
  /** Skills that cannot be used in a scope, and why. */
  readonly unusable: readonly { readonly entry: EntryId; readonly name: string; readonly why: string }[];
  readonly findings: readonly Finding[];
}

/** The skills of folders in one registry. Of each folder the name is a source of its own. */
export async function loadCapabilities(
  world: FolderWorld,
  folder: string,
  options: CandidateOptions & { readonly into?: PrimaryRegistry | undefined },
): Promise<LoadedCapabilities> {
  const { source } = options;
  if (source !== undefined) demandSourceId(source);
  const registry = options.into ?? createCapabilities();
  const { all, findings } = await folderCandidates(world, folder, options);
  const unusable: { entry: EntryId; name: string; why: string }[] = [];
  const said = [...findings];
  for (const candidate of all) {
    const { skill, why, findings: registering } = registerCandidate(registry, candidate);
    if (skill === undefined) unusable.push({ entry: candidate.entry, name: candidate.name, why });
    said.push(...candidate.findings, ...registering);
  }
  return { registry, unusable, findings: said };
}
