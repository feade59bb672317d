import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { isObjectId, type ObjectId } from "../ref.ts";
import { byKey, bytesOf, type Child, folderMode, type ProvenTree, type TreeEntry, treeId } from "./git.ts";

/**
 * Proves a recursive listing: every folder in it, from the one with this id down, must hash to the id that is said of
 * it (IN-8). Rejects with `digest.mismatch`. Modes, ids and names are proven by that, sizes are not; and a name may be
 * proven and still be one that nobody should use (T23).
 *
 * A folder with a name that is not UTF-8 cannot be hashed from a listing in JSON: it is unknown. `at` is where in the
 * whole tree the listing belongs; below the root the listed folder itself can be unknown too, as the path "".
 */
export function proveTree(id: ObjectId, listing: readonly TreeEntry[], at = ""): ProvenTree {
  return new TreeProof(listing, at, "all").prove(id);
}

/** As `proveTree` for a listing of one folder alone: the folders in it are unknown until `assemble` adds them. */
export function proveFolder(id: ObjectId, listing: readonly TreeEntry[], at = ""): ProvenTree {
  return new TreeProof(listing, at, "names").prove(id);
}

/**
 * Puts parts in place of folders that were unknown, each by its path; a part comes after the one that it lies in. What
 * no part is given for stays unknown (IN-10).
 */
export function assemble(root: ProvenTree, parts: Iterable<readonly [at: string, part: ProvenTree]>): ProvenTree {
  const entries = new Map(root.entries);
  const unknown = new Set(root.unknown);
  for (const [at, part] of parts) {
    if (!unknown.delete(at) || entries.get(at)?.id !== part.id) throw mismatch(at, "a listing of another folder came");
    for (const entry of part.entries.values()) {
      const path = join(at, entry.path);
      entries.set(path, { ...entry, path });
    }
    for (const path of part.unknown) unknown.add(join(at, path));
  }
  return inByteOrder(root.id, entries.values(), unknown);
}

interface ListedChild extends Child {
  readonly entry: TreeEntry;
}

interface OpenFolder {
  readonly path: string;
  /** Null: below a folder that is unknown, where nothing can be proven. */
  readonly id: ObjectId | null;
}

class TreeProof {
  readonly #at: string;
  readonly #depth: "all" | "names";
  /** What was listed and not looked at yet, by folder. */
  readonly #listed = new Map<string, ListedChild[]>();
  readonly #proven = new Map<string, TreeEntry>();
  readonly #unknown: string[] = [];

  constructor(listing: readonly TreeEntry[], at: string, depth: "all" | "names") {
    this.#at = at;
    this.#depth = depth;
    for (const entry of listing) this.#list(entry);
  }

  prove(id: ObjectId): ProvenTree {
    const open: OpenFolder[] = [{ path: "", id }];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop())
      for (const below of this.#proveFolder(folder)) open.push(below);
    for (const path of this.#listed.keys())
      throw this.#mismatch(path, "it is listed below something else than a folder");
    return inByteOrder(id, this.#proven.values(), this.#unknown);
  }

  #list(entry: TreeEntry): void {
    const { path, mode, id } = entry;
    const cut = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(cut, 0));
    if (!isHashable(entry)) throw this.#mismatch(folder, "it lists a name, mode or id that git cannot have");
    const children = this.#listed.get(folder) ?? [];
    children.push({ name: path.slice(cut + 1), mode, id, entry });
    this.#listed.set(folder, children);
  }

  /** Gives the folders that are to be looked at next. */
  #proveFolder({ path, id }: OpenFolder): OpenFolder[] {
    const children = this.#listed.get(path) ?? [];
    this.#listed.delete(path);
    const isProven = id !== null && treeId(children) === id;
    if (isProven) for (const { entry } of children) this.#keep(entry, path);
    else if (id !== null) this.#leave(path, children);
    const folders = children.filter(({ mode }) => mode === folderMode).map(({ entry }) => entry);
    if (this.#depth === "all") return folders.map((entry) => ({ path: entry.path, id: isProven ? entry.id : null }));
    if (isProven) for (const entry of folders) this.#unknown.push(entry.path);
    return [];
  }

  #keep(entry: TreeEntry, folder: string): void {
    // Hashing alone does not say so: bytes that were made by hand can have a name twice.
    if (this.#proven.has(entry.path)) throw this.#mismatch(folder, "it lists a name twice");
    this.#proven.set(entry.path, entry);
  }

  #leave(path: string, children: readonly Child[]): void {
    if (!children.some(({ name }) => name.includes("\ufffd")))
      throw this.#mismatch(path, "its names do not hash to its id");
    if (join(this.#at, path) === "")
      throw this.#mismatch(path, "it has a name that is not UTF-8, so that nothing of it can be proven");
    this.#unknown.push(path);
  }

  #mismatch(path: string, why: string): AppError {
    return mismatch(join(this.#at, path), why);
  }
}

/** What would make the bytes that are hashed ambiguous, or two paths the same. */
function isHashable({ path, mode, id }: TreeEntry): boolean {
  if (!/^[0-7]{6}$/.test(mode) || !isObjectId(id)) return false;
  const hasEmptyName = path === "" || path.startsWith("/") || path.endsWith("/") || path.includes("//");
  return !hasEmptyName && !path.includes("\0") && path.isWellFormed();
}

function inByteOrder(id: ObjectId, entries: Iterable<TreeEntry>, unknown: Iterable<string>): ProvenTree {
  const sorted = Array.from(entries, (entry) => ({ key: bytesOf(entry.path), entry })).toSorted(byKey);
  const paths = Array.from(unknown, (path) => ({ key: bytesOf(path), path })).toSorted(byKey);
  return {
    id,
    entries: new Map(sorted.map(({ entry }) => [entry.path, entry])),
    unknown: paths.map(({ path }) => path),
  };
}

function join(at: string, path: string): string {
  return at === "" || path === "" ? at + path : `${at}/${path}`;
}

function mismatch(path: string, why: string): AppError {
  const folder = path === "" ? "the root folder" : `the folder "${safeLine(path)}"`;
  return new AppError(
    "digest.mismatch",
    `${folder} was not listed as its commit has it: ${why}; nothing was taken in, try again later`,
  );
}
