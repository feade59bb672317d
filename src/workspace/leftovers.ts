import { posix } from "node:path";
import { safeLine } from "../core/text.ts";
import { driftOf, type Found, loadPresent } from "./verify.ts";
import { foldersOf, keyOf, type Lock, lockFile } from "./lock.ts";
import { type Leftover, leftoverKinds, leftoverOf, listSkillsFolder, placeOf, type WritableDisk } from "./workspace.ts";

/**
 * Ends what an interrupted run began (T42). Nothing that is there gives way: such a folder may have come with a clone,
 * and what it would replace may be somebody's work (T44). A staged folder takes its place where nothing is and the lock
 * file names it, else it is taken away. What had made room comes back where nothing is, and goes where all is as locked.
 * What was to go is gone once the lock file names it no more. Whatever comes is a folder, and byte for byte what is
 * locked: a clone brings no skill to life by a name that nobody looks at. Returns what stays, by its path, for a person
 * to look at.
 */
export async function settleLeftovers(
  disk: WritableDisk,
  root: string,
  lock: Lock,
  folders: readonly string[] = foldersOf(lock.keys()),
): Promise<readonly string[]> {
  await disk.files.tidy(posix.join(root, lockFile));
  const staying: string[] = [];
  for (const folder of folders) {
    const entries = await listSkillsFolder(disk.files, root, folder);
    for (const what of leftoverKinds)
      for (const { name: found } of entries) {
        const left = leftoverOf(found);
        if (left?.what !== what) continue;
        const path = posix.join(folder, found);
        const isSettled = await settle(disk, root, lock, { ...left, key: keyOf(folder, left.name), path });
        if (!isSettled) staying.push(path);
      }
  }
  return staying;
}

interface Settling extends Leftover {
  readonly key: string;
  /** Where it lies, below the root. */
  readonly path: string;
}

async function settle(disk: WritableDisk, root: string, lock: Lock, settling: Settling): Promise<boolean> {
  const { what, key } = settling;
  const [path, place] = [posix.join(root, settling.path), placeOf(root, key)];
  const there = await loadPresent(disk, place);
  const locked = lock.get(key);
  const isAsLocked = (found: Found) => locked !== undefined && driftOf(locked, found).length === 0;
  const isOver = what === "gone" && locked === undefined;
  if (there === "missing" && isAsLocked(await loadPresent(disk, path))) await disk.folders.move(path, place);
  else if (what === "new" || isOver || isAsLocked(there)) await disk.folders.remove(path);
  else return false;
  return true;
}

/** T44: whose it is, and whether somebody wants it, is not for us to say. */
export function noteOfStaying(path: string): string {
  const why = "its place is taken, or it is not as locked";
  return `${safeLine(path)} looks like what an interrupted change put aside, and is not put back: ${why}. Look at it, then move or remove it`;
}
