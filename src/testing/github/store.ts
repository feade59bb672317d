import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Commit, parseCommit, taggedBy, type GitObject, createPack } from "./objects.ts";
import { type Git, remembering } from "./git.ts";

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
  list(tree: string, isRecursive: boolean): Promise<readonly Listed[]>;
  /** Everything below a tree by its path. */
  files(tree: string): Promise<ReadonlyMap<string, Listed>>;
  /** Undefined without a common ancestor. */
  relation(base: string, head: string): Promise<Relation | undefined>;
  /** A bare repository of its own, whose objects are these. */
  createRepository(folder: string, defaultBranch: string): Promise<void>;
  /** Seconds since 1970: a minute more at each asking. */
  nextTime(): number;
}

/** As many as GitHub lists in a comparison. */
const mostCommits = 250;
const firstTime = 1_700_000_000;

export async function openStore(git: Git, folder: string): Promise<ObjectStore> {
  await createBare(folder, "main");
  const here = `--git-dir=${folder}`;
  // Git has them on disk; they are kept here as well, so that a question about one does not cost a process.
  const objects = new Map<string, GitObject>();
  const commits = new Map<string, Commit>();
  let time = firstTime;
  const list = remembering(async (key) => {
    const [tree = "", ...flags] = key.split(" ");
    return parseListing(await git.run([here, "ls-tree", "-l", "-z", ...flags, tree]));
  });
  const files = remembering(async (tree) => new Map((await list(`${tree} -r -t`)).map((entry) => [entry.path, entry])));
  const relation = remembering((key) => relate(git, here, ...divided(key)));
  return {
    read: (id) => objects.get(id),
    async add(added) {
      await git.run([here, "index-pack", "--stdin"], createPack(added));
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
    list: (tree, isRecursive) => list(isRecursive ? `${tree} -r -t` : tree),
    files,
    relation: (base, head) => relation(`${base} ${head}`),
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

function divided(key: string): [base: string, head: string] {
  const [base = "", head = ""] = key.split(" ");
  return [base, head];
}

function parseListing(bytes: Buffer): Listed[] {
  const rows = bytes.toString().split("\0").slice(0, -1);
  return rows.map((row) => {
    const tab = row.indexOf("\t");
    const [mode = "", kind = "", id = "", size = "-"] = row.slice(0, tab).split(/ +/);
    return { mode, kind, id, size: size === "-" ? null : Number(size), path: row.slice(tab + 1) };
  });
}

async function relate(git: Git, here: string, base: string, head: string): Promise<Relation | undefined> {
  if (base === head) return { base, behind: 0, ahead: 0, commits: [] };
  const said = async (...args: string[]): Promise<string> => (await git.run([here, ...args])).toString().trim();
  // It says by its exit code alone that there is none.
  const common = await said("merge-base", base, head).catch(() => "");
  if (common === "") return undefined;
  const sides = (await said("rev-list", "--left-right", "--reverse", `${base}...${head}`)).split("\n");
  const ahead = sides.filter((side) => side.startsWith(">")).map((side) => side.slice(1));
  return {
    base: common,
    behind: sides.length - ahead.length,
    ahead: ahead.length,
    commits: ahead.slice(0, mostCommits),
  };
}
