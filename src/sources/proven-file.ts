import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import type { GitHub } from "./github/github.ts";
import { blobId } from "./git/objects.ts";
import type { PinnedTree } from "./read-skills.ts";
import { fullName } from "./repository.ts";

/** One file of a pinned tree, proven; null when it is not there, or is no regular file (T24). */
export async function provenFile(
  github: GitHub,
  { repository, commit, tree }: PinnedTree,
  path: string,
  most: number,
): Promise<Uint8Array | null> {
  const entry = tree.entries.get(path);
  if (entry === undefined || !/^100(?:644|755)$/.test(entry.mode)) return null;
  const name = `${safeLine(path)} of ${safeLine(fullName(repository))}`;
  if ((entry.size ?? 0) > most) throw new AppError("upstream.invalid", `${name} has more than ${most} bytes`);
  const bytes = await github.file(repository, commit.id, path, most);
  if (blobId(bytes) === entry.id) return bytes;
  throw new AppError(
    "digest.mismatch",
    `the bytes of ${name} are not the ones that the commit names; nothing was taken in`,
  );
}
