import { createHash } from "node:crypto";

type ObjectKind = "blob" | "tree" | "commit" | "tag";

/** An object of git: what it holds, and the id that follows from it. */
export interface GitObject {
  readonly id: string;
  readonly kind: ObjectKind;
  readonly bytes: Buffer;
}

export function createObject(kind: ObjectKind, content: string | Uint8Array): GitObject {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
  const id = createHash("sha1").update(`${kind} ${bytes.length}\0`).update(bytes).digest("hex");
  return { id, kind, bytes };
}
