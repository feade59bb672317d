import { AppError } from "../core/error.ts";
import { LruCache } from "../core/lru-cache.ts";
import type { GitHub } from "../sources/github/github.ts";
import { type KnownPin, type Pin, pinRepository } from "../sources/github/pin.ts";
import { treeAt } from "../sources/read-repo.ts";
import type { PinnedTree } from "../sources/read-skills.ts";
import type { Ref } from "../sources/ref.ts";
import { fullName, type Repository } from "../sources/repository.ts";
import type { LockedSkill } from "./lock.ts";

/** Nothing is known of a repository that is asked for the first time. */
const unknown: KnownPin = {
  repositoryId: null,
  ownerId: null,
  defaultBranch: null,
  etags: { repository: null, commit: null },
  commit: null,
};

/** Of all trees that are kept together: five times what GitHub lists at once. A lock file may name a thousand commits. */
const mostEntries = 500_000;

type Kept = { readonly tree: PinnedTree } | { readonly error: AppError };

/**
 * Repositories at commits, asked for one after the other, each once however many of its skills are locked, as long as
 * there is room. A failure is kept too: what was refused for one skill is refused for its neighbours.
 */
export class PinnedTrees {
  readonly #github: GitHub;
  readonly #kept = new LruCache<Kept>({ weight: mostEntries, weightOf });

  constructor(github: GitHub) {
    this.#github = github;
  }

  /** Where a ref is now; null: the default branch. With what is locked, it is said when a tag moved (T11). */
  current(repository: Repository, ref: Ref | null, locked?: LockedSkill): Promise<PinnedTree> {
    const before = locked?.commit ?? null;
    return this.#once([...nameOf(repository), ref, before], async () => {
      const pin = await this.#pin(repository, ref, unknown);
      return treeAt(this.#github, repository, pin, before);
    });
  }

  /** What a lock file says, to the commit. The ids must be the ones that it says (T12). */
  locked(repository: Repository, { commit, repositoryId, ownerId, proof }: LockedSkill): Promise<PinnedTree> {
    return this.#once([...nameOf(repository), commit, repositoryId, ownerId, proof.reachable], async () => {
      const pin = await this.#pin(repository, { kind: "commit", id: commit }, { ...unknown, repositoryId, ownerId });
      // IN-9: also a commit out of a lock file may be a stranger's; the hint spares requests, and proves nothing.
      return treeAt(this.#github, repository, pin, null, proof.reachable);
    });
  }

  async #pin(repository: Repository, ref: Ref | null, known: KnownPin): Promise<Pin> {
    const pin = await pinRepository(this.#github, repository, ref, known);
    if (!("unchanged" in pin)) return pin;
    throw new AppError("upstream.invalid", "the service answers a question that was not asked");
  }

  async #once(key: readonly unknown[], make: () => Promise<PinnedTree>): Promise<PinnedTree> {
    const text = JSON.stringify(key);
    const kept = this.#kept.get(text) ?? this.#kept.set(text, await outcomeOf(make));
    if ("error" in kept) throw kept.error;
    return kept.tree;
  }
}

async function outcomeOf(make: () => Promise<PinnedTree>): Promise<Kept> {
  try {
    return { tree: await make() };
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

function weightOf(kept: Kept): number {
  return "error" in kept ? 1 : 1 + kept.tree.tree.entries.size;
}

function nameOf(repository: Repository): readonly string[] {
  return [repository.hosts.name, fullName(repository)];
}
