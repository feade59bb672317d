import { createHash } from "node:crypto";
import { isPrintableAscii } from "../../core/text.ts";
import type { ObjectId } from "../ref.ts";

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
