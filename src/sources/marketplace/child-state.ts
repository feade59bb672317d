import { sha256 } from "../../core/digest.ts";
import type { Child } from "./child.ts";
import type { ChildState } from "./children.ts";
import type { Provenance } from "../provenance.ts";
import type { PinnedTree } from "../read-skills.ts";
import { renderRef } from "../ref.ts";

/** Skills by their paths in the source, with where each comes from. */
type Seen = Iterable<readonly [string, Provenance | null]>;

/** Which trees are at which paths, in a word. Null: of one of them nobody knows. */
export function treesOf(seen: Seen): string | null {
  const trees: string[] = [];
  for (const [path, from] of seen) {
    if (from === null) return null;
    trees.push(JSON.stringify([path, from.hosts, from.repositoryId, from.tree]));
  }
  return sha256(Buffer.from(trees.toSorted().join("\n")));
}

interface HowRead {
  /** Null: not all of it could be read. Without `under` it is read with its marketplace, every time. */
  readonly settled: { readonly under: string | null; readonly seen: Seen } | null;
  /** Whether all that it names is known. */
  readonly isWhole: boolean;
}

/** What is kept of a plugin whose skills were read. */
export function readState(child: Child, at: PinnedTree, skills: number, { settled, isWhole }: HowRead): ChildState {
  const { before } = child;
  const ref = renderRef(at.ref);
  const settledBefore = before.ref === ref ? before.settled : null;
  const seen = [...(settled?.seen ?? [])];
  return {
    name: child.plugin.name,
    outcome: "read",
    where: child.where,
    commit: at.commit.id,
    repositoryId: at.facts.id,
    ownerId: at.facts.ownerId,
    ref,
    // What it named before is still here, and stays with it.
    skills: isWhole ? skills : Math.max(skills, before.skills),
    settled: settled === null ? settledBefore : at.commit.id,
    under: settled?.under ?? null,
    paths: seen.map(([path]) => path).toSorted(),
    trees: settled === null ? null : treesOf(seen),
    reason: settled !== null ? null : "not all of it could be read, or its commit is on no branch or tag",
  };
}
