import type { ObjectId } from "../ref.ts";

/** One name in a tree of git, by its whole path. */
export interface TreeEntry {
  readonly path: string;
  /** As git writes it: `100644`, `100755`, `040000` (a folder), `120000` (a link), `160000` (a submodule). */
  readonly mode: string;
  readonly id: ObjectId;
  /** Of a file; null for anything else. */
  readonly size: number | null;
}

/** A tree whose ids were recomputed from its names, modes and ids, from the root down (IN-8). */
export interface ProvenTree {
  readonly id: ObjectId;
  /** By path, in byte order. Folders are among them. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Folders whose listing could not be had or proven: what is in them is not known (IN-10). */
  readonly unknown: readonly string[];
}

/** What the service says about one commit. */
export interface CommitFacts {
  readonly id: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** Whether its own bytes could be put together and hash to its id. */
  readonly proof: "hashed" | "by API";
}
