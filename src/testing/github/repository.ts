import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMutex } from "../../core/async.ts";
import type { Git } from "./git.ts";
import { type Commit, createCommit, createTag, createTree, type GitObject } from "./objects.ts";
import type { FileContent, PushOptions, RepositoryOptions } from "./script.ts";
import type { ObjectStore } from "./store.ts";

/** What is known of a repository. */
export interface Repository {
  fullName: string;
  readonly id: number;
  ownerId: number;
  readonly folder: string;
  readonly defaultBranch: string;
  readonly access: RepositoryOptions["private"];
  readonly parent: Repository | undefined;
  readonly store: ObjectStore;
  /** `refs/heads/…` and `refs/tags/…` with the id each one holds: what git has in the folder, without asking it. */
  readonly refs: Map<string, string>;
  tampered: string | undefined;
}

/** What is done to the refs of one repository, one thing after the other. */
export interface Pusher {
  push(files: Readonly<Record<string, FileContent | null>>, options: PushOptions): Promise<string>;
  set(ref: string, id: string): Promise<void>;
  tag(name: string, commit: string): Promise<void>;
  delete(ref: string): Promise<void>;
}

export function createPusher(git: Git, repository: Repository): Pusher {
  const { store, refs, folder } = repository;
  const inTurn = createMutex();
  const set = async (ref: string, id: string): Promise<void> => {
    await git.run([`--git-dir=${folder}`, "update-ref", ref, id]);
    refs.set(ref, id);
  };
  /** As git does it for a commit that is there, without the price of a process. */
  const advance = async (branch: string, commit: string): Promise<void> => {
    // Whether another name is a good one only git knows.
    if (!refs.has(branch) && branch !== `refs/heads/${repository.defaultBranch}`) return set(branch, commit);
    await writeFile(join(folder, branch), `${commit}\n`);
    refs.set(branch, commit);
  };
  return {
    push(files, options) {
      // The time is told at once, so that the order of asking decides it, not that of the disk.
      const time = store.nextTime();
      return inTurn(async () => {
        const branch = `refs/heads/${options.branch ?? repository.defaultBranch}`;
        const commit = await addCommit(repository, files, options, branch, time);
        await advance(branch, commit);
        return commit;
      });
    },
    set: (ref, id) => inTurn(() => set(ref, id)),
    tag(name, commit) {
      const object = createTag(name, commit, store.nextTime());
      return inTurn(async () => {
        await store.add([object]);
        await set(`refs/tags/${name}`, object.id);
      });
    },
    delete: (ref) =>
      inTurn(async () => {
        if (!refs.has(ref)) throw new Error(`there is no ${ref} in ${repository.fullName}`);
        await git.run([`--git-dir=${folder}`, "update-ref", "-d", ref]);
        refs.delete(ref);
      }),
  };
}

async function addCommit(
  repository: Repository,
  files: Readonly<Record<string, FileContent | null>>,
  options: PushOptions,
  branch: string,
  time: number,
): Promise<string> {
  const { store } = repository;
  const { from = headOf(repository, branch), zone = "+0000", signed: isSigned = false } = options;
  const parent = from === null ? undefined : store.commit(from);
  if (from !== null && !parent) throw new Error(`there is no commit ${from} in ${repository.fullName}`);
  const objects: GitObject[] = [];
  const tree = createTree(parent?.tree, files, (id) => store.read(id), objects);
  const message = options.message ?? `Change ${Object.keys(files).length} files`;
  const parents = parent ? [parent.id] : [];
  const commit = createCommit({ tree, parents, message, time, zone, isSigned });
  await store.add([...objects, commit]);
  return commit.id;
}

function headOf({ refs, defaultBranch }: Repository, branch: string): string | null {
  return refs.get(branch) ?? refs.get(`refs/heads/${defaultBranch}`) ?? null;
}

/** A private repository is there for its token alone. */
export function mayRead({ access }: Repository, token: string | undefined): boolean {
  return access === undefined || access.token === token;
}

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
