import { posix } from "node:path";
import { driftOf, type Found, loadPresent } from "./drift.ts";
import { isFolderName } from "./folder-name.ts";
import { type Lock, lockFile } from "./lock.ts";
import { type Disk, listSkillsFolder, placeOf } from "./workspace.ts";
import type { FilesToWrite, Randomness } from "../../base/world.ts";

/** Changing a workspace: besides reading it, a lock file and folders are written. */
export interface WritableDisk extends Disk {
  readonly files: Disk["files"] & FilesToWrite;
  readonly random: Randomness;
}

/** A folder of ours beside the skills, while a change is under way: the new one, or the one it replaces. */
export interface Leftover {
  readonly folder: string;
  readonly what: "new" | "old";
}

/** A name that no skill's folder can have. */
export function leftoverName({ random }: WritableDisk, { folder, what }: Leftover): string {
  return `.${folder}.${Buffer.from(random.bytes(4)).toString("hex")}.${endings[what]}`;
}

const endings = { new: "tmp", old: "old" } as const;

export function leftoverOf(name: string): Leftover | undefined {
  const [, folder = "", ending] = /^\.([a-z0-9-]{1,64})\.[0-9a-f]{8}\.(tmp|old)$/.exec(name) ?? [];
  if (!isFolderName(folder)) return undefined;
  return { folder, what: ending === endings.new ? "new" : "old" };
}

/**
 * Ends what an interrupted run began (T42). Nothing that is there gives way: such a folder may have come with a clone,
 * and what it would replace may be somebody's work (T44). A staged folder takes its place where nothing is and the lock
 * file names it, else it is taken away. What had made room comes back where nothing is, and goes where all is as locked.
 * Returns the names of what stays, for a person to look at.
 */
export async function settleLeftovers(disk: WritableDisk, root: string, lock: Lock): Promise<readonly string[]> {
  await disk.files.tidy(posix.join(root, lockFile));
  const names = (await listSkillsFolder(disk.files, root)).map(({ name }) => name);
  const staying: string[] = [];
  for (const what of ["new", "old"] as const)
    for (const name of names) {
      const left = leftoverOf(name);
      if (left?.what !== what) continue;
      const isSettled = await settle(disk, { ...left, root, path: placeOf(root, name) }, lock);
      if (!isSettled) staying.push(name);
    }
  return staying;
}

interface Settling extends Leftover {
  readonly root: string;
  readonly path: string;
}

async function settle(disk: WritableDisk, { folder, what, root, path }: Settling, lock: Lock): Promise<boolean> {
  const place = placeOf(root, folder);
  const there = await loadPresent(disk, place);
  const locked = lock.get(folder);
  const isAsLocked = (found: Found) => locked !== undefined && driftOf(locked, found).length === 0;
  const isFree = there === "missing";
  if (isFree && (what === "old" || isAsLocked(await loadPresent(disk, path)))) await disk.folders.move(path, place);
  else if (what === "new" || isAsLocked(there)) await disk.folders.remove(path);
  else return false;
  return true;
}
