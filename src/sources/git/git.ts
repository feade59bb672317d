import { createHash } from "node:crypto";
import { isPrintableAscii } from "../../core/text.ts";
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

/** One name in one folder: what the id of the folder is made of. */
export interface Child {
  readonly name: string;
  readonly mode: string;
  readonly id: ObjectId;
}

/** How a folder is listed; in the object itself git leaves the zero out. */
export const folderMode = "040000";

export function blobId(bytes: Uint8Array): ObjectId {
  return objectId("blob", bytes);
}

export function commitId(bytes: Uint8Array): ObjectId {
  return objectId("commit", bytes);
}

/**
 * The id of a folder, its children in any order. A name has no NUL, a mode and an id are digits only: with anything
 * else, two different folders could be the same bytes.
 */
export function treeId(children: readonly Child[]): ObjectId {
  const records = children.map(recordOf).toSorted(byKey);
  const bytes = Buffer.alloc(records.reduce((sum, { head }) => sum + head.length + idBytes, 0));
  let at = 0;
  for (const { head, id } of records) {
    at += bytes.write(head, at, "latin1");
    at += bytes.write(id, at, "hex");
  }
  return objectId("tree", bytes);
}

const idBytes = 20;

/** A text whose characters are the bytes of another one in UTF-8: compared as text, it is in byte order. */
export function bytesOf(text: string): string {
  return isPrintableAscii(text) ? text : Buffer.from(text).toString("latin1");
}

/** Git compares folders as if their names ended in `/`. */
function recordOf({ name, mode, id }: Child) {
  const bytes = bytesOf(name);
  return { key: mode === folderMode ? `${bytes}/` : bytes, head: `${mode.replace(/^0/, "")} ${bytes}\0`, id };
}

export function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}

function objectId(kind: "blob" | "tree" | "commit", bytes: Uint8Array): ObjectId {
  return createHash("sha1").update(`${kind} ${bytes.length}\0`).update(bytes).digest("hex");
}
