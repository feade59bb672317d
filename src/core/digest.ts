import { createHash, timingSafeEqual } from "node:crypto";

/** sha256 as 64 lowercase hex digits: the one form of every digest inside Skillward. */
export type Digest = string;

export function sha256(bytes: Uint8Array): Digest {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What is listed of one file: enough to name it and to prove its bytes. */
export interface FileDigest {
  readonly path: string;
  readonly digest: Digest;
}

/**
 * One digest over a set of files (SK-12): sha256 over the files sorted by the bytes of their paths, each as
 * 4 bytes big-endian path length, the path in UTF-8, 32 bytes sha256. The prefix says where a path ends and a
 * hash has one length, so no two different sets encode alike.
 */
export function setDigest(files: readonly FileDigest[]): Digest {
  return sha256(encodeFileSet(files));
}

export function encodeFileSet(files: readonly FileDigest[]): Uint8Array {
  const records = files.map(({ path, digest }) => ({
    path: Buffer.from(path, "utf8"),
    hash: Buffer.from(digest, "hex"),
  }));
  records.sort((a, b) => Buffer.compare(a.path, b.path));
  return Buffer.concat(records.flatMap(({ path, hash }) => [lengthPrefix(path.length), path, hash]));
}

function lengthPrefix(length: number): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(length);
  return prefix;
}

/** How much of two texts is the same cannot be measured from outside. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
