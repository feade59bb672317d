import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Git, openGit } from "./git.ts";
import type { Repository } from "./repository.ts";
import { openStore } from "./store.ts";

/** All repositories by their names and ids, and who may read them. */
export interface Hub {
  readonly git: Git;
  /** Whatever the case of the name. */
  find(fullName: string): Repository | undefined;
  findById(id: number): Repository | undefined;
  /** The one that had this name, as long as nobody else has it. */
  findMoved(fullName: string): Repository | undefined;
  register(fullName: string, wish: Pick<Repository, "defaultBranch" | "access">): Promise<Repository>;
  fork(parent: Repository, fullName: string): Promise<Repository>;
  rename(repository: Repository, fullName: string, owner: "same" | "another"): void;
  remove(repository: Repository): void;
  knows(token: string): boolean;
  /** Starts a change that a test asked for, and lets `close` wait for it. */
  change<Result>(act: () => Promise<Result>): Promise<Result>;
  /** Refuses every change and git command from now on, waits for what is under way and removes the repositories. */
  close(): Promise<void>;
}

/** A change that is under way. */
interface Change {
  made?: Promise<unknown>;
}

export async function openHub(): Promise<Hub> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "skillward-github-")));
  const clean = (): Promise<void> => rm(root, { recursive: true, force: true, maxRetries: 3 });
  const git = await openGit(root).catch(async (error: unknown) => {
    await clean();
    throw error;
  });
  const names = createNames();
  const tokens = new Set<string>();
  const changes = new Set<Change>();
  let isClosed = false;
  const found = async (draft: Omit<Repository, "folder" | "tampered">): Promise<Repository> => {
    const repository = { ...draft, folder: join(root, `${draft.id}.git`), tampered: undefined };
    await draft.store.createRepository(repository.folder, draft.defaultBranch);
    for (const token of [draft.access?.token ?? [], draft.access?.others ?? []].flat()) tokens.add(token);
    names.set(repository);
    return repository;
  };
  return {
    git,
    find: names.find,
    findById: names.findById,
    findMoved: names.findMoved,
    async register(fullName, wish) {
      // Ids are given in the order of asking, not in that of the disk.
      const ids = names.take(fullName);
      const store = await openStore(join(root, `${ids.id}-objects.git`));
      return found({ ...wish, ...ids, fullName, parent: undefined, store, refs: new Map() });
    },
    async fork(parent, fullName) {
      const { defaultBranch, access, store } = parent;
      const [ids, refs] = [names.take(fullName), new Map(parent.refs)];
      const fork = await found({ defaultBranch, access, ...ids, fullName, parent, store, refs });
      const rows = [...fork.refs].map(([ref, id]) => `create ${ref} ${id}\n`);
      await git.run([`--git-dir=${fork.folder}`, "update-ref", "--stdin"], Buffer.from(rows.join("")));
      return fork;
    },
    rename: names.rename,
    remove: names.remove,
    knows: (token) => tokens.has(token),
    change(act) {
      const change: Change = {};
      changes.add(change);
      // Nothing is chained to it: a change that fails while nobody waits for it must not go unnoticed.
      const made = (async () => {
        try {
          if (isClosed) throw new Error("nothing was changed: the fake is closed");
          return await act();
        } finally {
          changes.delete(change);
        }
      })();
      change.made = made;
      return made;
    },
    async close() {
      isClosed = true;
      // A test may wait for its push only after it has closed the fake: here the push has a handler until then.
      await Promise.all([git.close(), Promise.allSettled([...changes].flatMap(({ made }) => made ?? []))]);
      await clean();
    },
  };
}

type Names = Pick<Hub, "find" | "findById" | "findMoved" | "rename" | "remove"> & {
  /** Ids for a new repository. An owner keeps the id, unless the name was used before: then it is somebody else. */
  take(fullName: string): { readonly id: number; readonly ownerId: number };
  set(repository: Repository): void;
};

function createNames(): Names {
  const [byName, moved, byId] = [
    new Map<string, Repository>(),
    new Map<string, Repository>(),
    new Map<number, Repository>(),
  ];
  const owners = new Map<string, number>();
  const used = new Set<string>();
  let [lastId, lastOwner] = [100_000, 7_000];
  const newOwner = (login: string): number => {
    lastOwner += 1;
    owners.set(login, lastOwner);
    return lastOwner;
  };
  const set = (repository: Repository): void => {
    const name = keyOf(repository.fullName);
    const before = byName.get(name);
    if (before && before !== repository) byId.delete(before.id);
    moved.delete(name);
    used.add(name);
    byName.set(name, repository);
    byId.set(repository.id, repository);
  };
  return {
    find: (fullName) => byName.get(keyOf(fullName)),
    findById: (id) => byId.get(id),
    findMoved(fullName) {
      const repository = moved.get(keyOf(fullName));
      return repository && byId.get(repository.id);
    },
    take(fullName) {
      const login = loginOf(fullName);
      lastId += 1;
      const known = used.has(keyOf(fullName)) ? undefined : owners.get(login);
      used.add(keyOf(fullName));
      return { id: lastId, ownerId: known ?? newOwner(login) };
    },
    set,
    rename(repository, fullName, owner) {
      const login = loginOf(fullName);
      const before = keyOf(repository.fullName);
      if (byId.get(repository.id) !== repository) throw new Error(`${repository.fullName} is gone`);
      byName.delete(before);
      const known = owners.get(login);
      if (owner === "same") owners.set(login, repository.ownerId);
      else repository.ownerId = known === undefined || known === repository.ownerId ? newOwner(login) : known;
      repository.fullName = fullName;
      set(repository);
      if (before !== keyOf(fullName)) moved.set(before, repository);
    },
    remove(repository) {
      if (!byId.delete(repository.id)) return;
      byName.delete(keyOf(repository.fullName));
    },
  };
}

function keyOf(fullName: string): string {
  return fullName.toLowerCase();
}

function loginOf(fullName: string): string {
  const [login = "", name = "", ...more] = keyOf(fullName).split("/");
  if (login === "" || name === "" || more.length > 0) throw new Error(`not a name: ${JSON.stringify(fullName)}`);
  return login;
}
