import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Commit, parseCommit, parseTree, taggedBy, type GitObject, createPack } from "./objects.ts";

/** One name in a tree, as git lists it. */
export interface Listed {
  readonly mode: string;
  readonly kind: string;
  readonly id: string;
  /** Null for what is no file. */
  readonly size: number | null;
  readonly path: string;
}

export interface Relation {
  readonly base: string;
  readonly behind: number;
  readonly ahead: number;
  /** Those of the head that the base has not, the oldest first. */
  readonly commits: readonly string[];
}

/** The objects that a repository and its forks share, as on GitHub: whoever has an id reads it through any of them. */
export interface ObjectStore {
  read(id: string): GitObject | undefined;
  add(objects: readonly GitObject[]): Promise<void>;
  /** Peels annotated tags; undefined when the id is not one of a commit. */
  commit(id: string): Commit | undefined;
  /** The only commit whose id begins so. */
  abbreviated(start: string): Commit | undefined;
  list(tree: string, isRecursive: boolean): readonly Listed[];
  /** Everything below a tree by its path. */
  files(tree: string): ReadonlyMap<string, Listed>;
  /** Undefined without a common ancestor. */
  relation(base: string, head: string): Relation | undefined;
  /** A bare repository of its own, whose objects are these. */
  createRepository(folder: string, defaultBranch: string): Promise<void>;
  /** Seconds since 1970: a minute more at each asking. */
  nextTime(): number;
}

/** As many as GitHub lists in a comparison. */
const mostCommits = 250;
const firstTime = 1_700_000_000;

export async function openStore(folder: string): Promise<ObjectStore> {
  await createBare(folder, "main");
  // Git has them on disk; they are kept here as well, so that a question about one does not cost a process.
  const objects = new Map<string, GitObject>();
  const commits = new Map<string, Commit>();
  let time = firstTime;
  const read = (id: string): GitObject | undefined => objects.get(id);
  const listings = new Map<string, ReadonlyMap<string, Listed>>();
  return {
    read,
    async add(added) {
      // What `git index-pack` makes of them, without the price of a process.
      const { name, pack, index } = createPack(added);
      await writeFile(join(folder, "objects/pack", `${name}.pack`), pack);
      await writeFile(join(folder, "objects/pack", `${name}.idx`), index);
      for (const object of added) {
        objects.set(object.id, object);
        if (object.kind === "commit") commits.set(object.id, parseCommit(object));
      }
    },
    commit(id) {
      const object = objects.get(id);
      return commits.get(object?.kind === "tag" ? taggedBy(object) : id);
    },
    abbreviated(start) {
      const fitting = [...commits.keys()].filter((id) => id.startsWith(start));
      return fitting.length === 1 ? commits.get(fitting[0] ?? "") : undefined;
    },
    list: (tree, isRecursive) => listTree(read, tree, isRecursive),
    files(tree) {
      const known = listings.get(tree);
      const files = known ?? new Map(listTree(read, tree, true).map((entry) => [entry.path, entry]));
      listings.set(tree, files);
      return files;
    },
    relation: (base, head) => relate(commits, base, head),
    async createRepository(path, defaultBranch) {
      await createBare(path, defaultBranch);
      await writeFile(join(path, "objects", "info", "alternates"), `${join(folder, "objects")}\n`);
    },
    nextTime: () => (time += 60),
  };
}

/** What `git init --bare` makes of an empty folder, without the price of a process. */
async function createBare(folder: string, branch: string): Promise<void> {
  for (const inside of ["objects/info", "objects/pack", "refs/heads", "refs/tags"])
    await mkdir(join(folder, inside), { recursive: true });
  await writeFile(join(folder, "HEAD"), `ref: refs/heads/${branch}\n`);
  await writeFile(join(folder, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
}

/** As `git ls-tree -l` lists a tree, and `-r -t` what is below it. */
function listTree(read: ObjectStore["read"], tree: string, isRecursive: boolean, below = ""): Listed[] {
  return parseTree(read(tree)?.bytes ?? Buffer.alloc(0)).flatMap(([name, { mode, id }]) => {
    const kind = { "40000": "tree", "160000": "commit" }[mode] ?? "blob";
    const size = kind === "blob" ? (read(id)?.bytes.length ?? null) : null;
    const entry = { mode: mode.padStart(6, "0"), kind, id, size, path: below + name };
    const inside = isRecursive && kind === "tree" ? listTree(read, id, true, `${entry.path}/`) : [];
    return [entry, inside].flat();
  });
}

function relate(commits: ReadonlyMap<string, Commit>, base: string, head: string): Relation | undefined {
  const [ofBase, ofHead] = [ancestry(commits, base), ancestry(commits, head)];
  const known = new Set(ofBase);
  const ahead = ofHead.findIndex((id) => known.has(id));
  const common = ofHead[ahead];
  if (common === undefined) return undefined;
  const added = ofHead.slice(0, ahead).toReversed();
  return { base: common, behind: ofBase.indexOf(common), ahead, commits: added.slice(0, mostCommits) };
}

/** A commit and those before it. None has two parents. */
function ancestry(commits: ReadonlyMap<string, Commit>, newest: string): string[] {
  const ids: string[] = [];
  for (let at: string | undefined = newest; at !== undefined; at = commits.get(at)?.parents[0]) ids.push(at);
  return ids;
}
