import { posix } from "node:path";
import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import type { FileToPlace } from "../../base/world.ts";
import { driftOf, loadPresent } from "./drift.ts";
import { leftoverName, type WritableDisk } from "./leftovers.ts";
import { type Lock, type LockedSkill, lockFile, renderLock } from "./lock.ts";
import { demandOwnFolders, loadLock, placeOf, skillsFolder } from "./workspace.ts";

/** One skill that is to be in a workspace from now on. */
export interface Placement {
  readonly folder: string;
  /** What the lock file says of it while this is decided; undefined: nothing. */
  readonly before: LockedSkill | undefined;
  readonly after: LockedSkill;
  readonly files: readonly FileToPlace[];
  /** What in the folder may give way: nothing, exactly what is locked, or whatever it is. */
  readonly mayReplace: "nothing" | "what is locked" | "anything";
}

/**
 * Puts a skill into its folder and into the lock file. The folder is staged beside its place and read back; what is in
 * its place makes room; then the lock file is replaced as a whole. From there on the next run ends what is begun, up to
 * there it puts back what was (`settleLeftovers`): at any moment there is the old folder or the new one to be had, never
 * a part of one. What made room did so before the lock file changed, so that a later run never has to replace anything.
 */
export async function placeSkill(disk: WritableDisk, root: string, placement: Placement): Promise<void> {
  const { folder, after, files } = placement;
  await demandOwnFolders(disk.files, root);
  const isReplacing = await demandReplaceable(disk, root, placement);
  const place = placeOf(root, folder);
  const staged = placeOf(root, leftoverName(disk, { folder, what: "new" }));
  const old = placeOf(root, leftoverName(disk, { folder, what: "old" }));
  try {
    await disk.folders.make(staged, files);
    demandSame(after, await loadPresent(disk, staged));
    if (isReplacing) await disk.folders.move(place, old);
    await writeLock(disk, root, placement);
  } catch (error) {
    // What cannot be put back or taken away now is by the next run; what went wrong before is what matters.
    if (isReplacing) await disk.folders.move(old, place).catch(() => {});
    await disk.folders.remove(staged).catch(() => {});
    throw error;
  }
  await disk.folders.move(staged, place);
  if (isReplacing) await disk.folders.remove(old);
}

/** Looked at once more: what was decided on may lie there no longer. True when something has to make room. */
async function demandReplaceable(
  disk: WritableDisk,
  root: string,
  { folder, before, mayReplace }: Placement,
): Promise<boolean> {
  const found = await loadPresent(disk, placeOf(root, folder));
  if (found === "missing") return false;
  if (mayReplace === "nothing") throw alreadyThere(root, folder);
  if (mayReplace === "what is locked" && (before === undefined || driftOf(before, found).length > 0))
    throw new AppError("disk.failed", `${folder} was changed by somebody meanwhile; nothing was written, look again`);
  return true;
}

/** T23: a disk that takes two names for one, or changes them, is found out before anything is replaced. */
function demandSame(after: LockedSkill, found: Awaited<ReturnType<typeof loadPresent>>): void {
  const [drift] = driftOf(after, found);
  if (drift === undefined) return;
  throw new AppError(
    "disk.failed",
    `this disk does not keep the skill as it is: ${safeLine(drift.path)} is ${drift.how}; nothing was changed`,
  );
}

/** Others may have added theirs while this one was fetched and looked at; of this skill nothing else may be said now. */
async function writeLock(disk: WritableDisk, root: string, { folder, before, after }: Placement): Promise<void> {
  const now = (await loadLock(disk.files, root)) ?? new Map();
  if (!isSame(now.get(folder), before))
    throw new AppError(
      "disk.failed",
      `${lockFile} was changed by somebody else meanwhile; nothing was written, try again`,
    );
  if (isSame(before, after)) return;
  const next: Lock = new Map([...now, [folder, after]]);
  await disk.files.write(posix.join(root, lockFile), Buffer.from(renderLock(next)));
}

function isSame(a: LockedSkill | undefined, b: LockedSkill | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return renderLock(new Map([["a", a]])) === renderLock(new Map([["a", b]]));
}

export function alreadyThere(root: string, folder: string): AppError {
  return new AppError(
    "record.exists",
    `${safeLine(posix.join(root, skillsFolder, folder), 240)} is there already and is not in ${lockFile}; nothing is overwritten: move it away first`,
  );
}
