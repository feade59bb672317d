import type { Commit } from "./commit.ts";
import type { Repository } from "./repository.ts";

/**
 * The commit that a name means, in the order in which GitHub looks: an object's id, a ref by its whole name, a branch, a
 * tag, the beginning of an id. Any commit that is there is found by its id, also one that only a fork has.
 */
export function resolveCommit(repository: Repository, name: string): Commit | undefined {
  const { store, refs, defaultBranch } = repository;
  const known = store.commit(name);
  if (known) return known;
  const full = name === "HEAD" ? `refs/heads/${defaultBranch}` : name;
  const places = [full, `refs/${full}`, `refs/heads/${full}`, `refs/tags/${full}`];
  const ref = places.map((place) => refs.get(place)).find((id) => id !== undefined);
  if (ref !== undefined) return store.commit(ref);
  return /^[0-9a-f]{7,39}$/.test(name) ? store.abbreviated(name) : undefined;
}

/** `ref/path` in segments, where either may have slashes: the longest ref that there is wins. */
export function resolvePath(
  repository: Repository,
  segments: readonly string[],
): { readonly commit: Commit; readonly path: string } | undefined {
  for (let length = segments.length - 1; length > 0; length -= 1) {
    const commit = resolveCommit(repository, segments.slice(0, length).join("/"));
    if (commit) return { commit, path: segments.slice(length).join("/") };
  }
  return undefined;
}
