import { posix } from "node:path";
import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import type { FileToPlace } from "../core/world.ts";
import { driftOf, fingerprintOf, type Found, loadPresent } from "./verify.ts";
import type { WritableDisk } from "./workspace.ts";
import { foldersOf, type Locked, lockFile, mostLocked, renderLock } from "./lock.ts";
import { beside, changedMeanwhile, stageFolder, swapFolders } from "./swap.ts";
import { demandOwnFolders, loadLock, placeOf } from "./workspace.ts";

/** What the lock file is to say of one skill from now on. */
export interface LockChange {
  /** Its key in the lock file. */
  readonly folder: string;
  /** What the lock file says of it while this is decided; undefined: nothing. */
  readonly before: Locked | undefined;
  /** Undefined: nothing any more. */
  readonly after: Locked | undefined;
}

/** One skill that is to be in a workspace from now on. */
export interface Placement extends LockChange {
  readonly after: Locked;
  readonly files: readonly FileToPlace[];
  /** What in the folder may give way: nothing, exactly what is locked, or whatever it is. */
  readonly mayReplace: "nothing" | "what is locked" | "anything";
}

/** Puts a skill into its folder and into the lock file, as a whole (`swapFolders`). */
export async function placeSkill(disk: WritableDisk, root: string, placement: Placement): Promise<void> {
  const { folder, after, files } = placement;
  const demandOwn = () => demandOwnFolders(disk.files, root, foldersOf([folder]));
  await demandOwn();
  const place = placeOf(root, folder);
  const found = await loadPresent(disk, place);
  demandReplaceable(root, placement, found);
  const staged = await stageFolder(disk, place, after, files);
  const aside = found === "missing" ? null : beside(disk, place, "old");
  const swap = { place, staged, aside, was: fingerprintOf(found) };
  await swapFolders(disk, [swap], { demandOwn, commit: () => changeLock(disk, root, [placement]) });
}

/** Looked at once more: what was decided on may lie there no longer. */
function demandReplaceable(root: string, { folder, before, mayReplace }: Placement, found: Found): void {
  if (found === "missing") return;
  if (mayReplace === "nothing") throw alreadyThere(root, folder);
  if (mayReplace === "what is locked" && (before === undefined || driftOf(before, found).length > 0))
    throw changedMeanwhile(folder);
}

/** Others may have added theirs while these were fetched and looked at; of these skills nothing else may be said now. */
export async function changeLock(disk: WritableDisk, root: string, changes: readonly LockChange[]): Promise<void> {
  const now = (await loadLock(disk.files, root)) ?? new Map();
  if (changes.some(({ folder, before }) => !isSame(now.get(folder), before)))
    throw new AppError(
      "disk.failed",
      `${lockFile} was changed by somebody else meanwhile; nothing was written, try again`,
    );
  if (changes.every(({ before, after }) => isSame(before, after))) return;
  const next = new Map<string, Locked>(now);
  for (const { folder, after } of changes)
    if (after === undefined) next.delete(folder);
    else next.set(folder, after);
  const bytes = Buffer.from(renderLock(next));
  demandReadable(next.size, bytes.length);
  await disk.files.write(posix.join(root, lockFile), bytes);
}

/** A lock file that nobody could read again would lock everybody out. */
export function demandReadable(skills: number, bytes = 0): void {
  if (skills <= mostLocked.skills && bytes <= mostLocked.bytes) return;
  const most = `${mostLocked.skills} skills and ${mostLocked.bytes} bytes`;
  throw new AppError(
    "usage.invalid",
    `${lockFile} would have ${skills} skills and ${bytes} bytes; it takes ${most}: choose fewer, or another folder for some`,
  );
}

function isSame(a: Locked | undefined, b: Locked | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return renderLock(new Map([["a", a]])) === renderLock(new Map([["a", b]]));
}

export function alreadyThere(root: string, folder: string): AppError {
  return new AppError(
    "record.exists",
    `${safeLine(placeOf(root, folder), 240)} is there already and is not in ${lockFile}; nothing is overwritten: move it away first`,
  );
}
