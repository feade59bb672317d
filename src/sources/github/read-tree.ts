import { AppError, type ErrorCode } from "../../core/error.ts";
import { folderMode, type ProvenTree } from "../git/git.ts";
import { assemble, proveFolder, proveTree } from "../git/prove-tree.ts";
import type { ObjectId } from "../ref.ts";
import type { TreeListing } from "./answers.ts";

/** Asks for one listing: of a folder alone, or of everything below it as well. */
export type ListTree = (id: ObjectId, depth: "folder" | "all") => Promise<TreeListing>;

/** T8: how many listings one tree may take, and how many names. */
const mostListings = 64;
const mostEntries = 1_000_000;

/** What nothing at all hashes to: not every service has such a tree to give. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * A whole tree, proven. What the service truncates is walked folder by folder; a folder that cannot be had so is
 * unknown, which is not the same as empty (IN-10).
 */
export async function readTree(list: ListTree, id: ObjectId): Promise<ProvenTree> {
  if (id === emptyTree) return proveTree(id, []);
  const all = await list(id, "all");
  return all.isTruncated ? new Walk(list).from(id) : proveTree(id, all.entries);
}

interface Folder {
  readonly path: string;
  readonly id: ObjectId;
}

class Walk {
  readonly #list: ListTree;
  /** The first one said that it is truncated. */
  #listings = 1;
  #entries = 0;

  constructor(list: ListTree) {
    this.#list = list;
  }

  async from(id: ObjectId): Promise<ProvenTree> {
    const root = await this.#folder({ path: "", id });
    if (root === undefined) throw new AppError("upstream.invalid", "the root folder has more names than can be listed");
    const parts: [at: string, part: ProvenTree][] = [];
    const open = foldersIn(root, "");
    // From the top down: a part must come after the one that it lies in, and what is near the root matters most.
    for (let folder = open.shift(); folder !== undefined; folder = open.shift()) {
      const part = await this.#partOf(folder);
      if (part === undefined) continue;
      parts.push([folder.path, part.tree]);
      if (!part.isWhole) open.push(...foldersIn(part.tree, folder.path));
    }
    return assemble(root, parts);
  }

  /** Undefined: it stays unknown. A rate limit and a wrong hash end the walk. */
  async #partOf(folder: Folder): Promise<{ tree: ProvenTree; isWhole: boolean } | undefined> {
    try {
      const all = await this.#ask(folder, "all");
      if (all === undefined) return undefined;
      if (!all.isTruncated) return { tree: proveTree(folder.id, all.entries, folder.path), isWhole: true };
      const tree = await this.#folder(folder);
      return tree === undefined ? undefined : { tree, isWhole: false };
    } catch (error) {
      if (error instanceof AppError && leavesUnknown.has(error.code)) return undefined;
      throw error;
    }
  }

  async #folder(folder: Folder): Promise<ProvenTree | undefined> {
    const listing = await this.#ask(folder, "folder");
    if (listing === undefined || listing.isTruncated) return undefined;
    return proveFolder(folder.id, listing.entries, folder.path);
  }

  async #ask({ id }: Folder, depth: "folder" | "all"): Promise<TreeListing | undefined> {
    if (this.#listings >= mostListings || this.#entries >= mostEntries) return undefined;
    this.#listings++;
    const listing = await this.#list(id, depth);
    this.#entries += listing.entries.length;
    return listing;
  }
}

function foldersIn({ entries }: ProvenTree, at: string): Folder[] {
  return [...entries.values()]
    .filter(({ mode }) => mode === folderMode)
    .map(({ path, id }) => ({ path: at === "" ? path : `${at}/${path}`, id }));
}

const leavesUnknown: ReadonlySet<ErrorCode> = new Set([
  "source.missing",
  "upstream.unreachable",
  "upstream.timeout",
  "upstream.invalid",
]);
