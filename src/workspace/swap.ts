import { posix } from "node:path";
import type { Digest } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import type { FileToPlace } from "../core/world.ts";
import { driftOf, fingerprintOf, loadPresent } from "./verify.ts";
import { type Leftover, leftoverName, type WritableDisk } from "./workspace.ts";
import type { LockedFiles } from "./lock.ts";

/** A folder that is to be another one from now on, or gone. */
export interface Swap {
  readonly place: string;
  /** Where the new one lies; null: there is none. */
  readonly staged: string | null;
  /** Where what is there makes room to; null: nothing is there. */
  readonly aside: string | null;
  /** What was there when this was decided (`fingerprintOf`): nothing else gives way. */
  readonly was: Digest;
}

/** What swapping turns on. */
interface Swapping {
  /** Rejects where folders for skills are not the workspace's own any more: what is staged took its time. */
  readonly demandOwn: () => Promise<void>;
  /** Writes the lock file, in one step. */
  readonly commit: () => Promise<void>;
}

/** The new folder, beside its place and read back: what is staged is what will be there. */
export async function stageFolder(
  disk: WritableDisk,
  place: string,
  after: LockedFiles,
  files: readonly FileToPlace[],
): Promise<string> {
  const staged = beside(disk, place, "new");
  try {
    await disk.folders.make(staged, files);
    demandSame(after, await loadPresent(disk, staged));
    return staged;
  } catch (error) {
    await removeStaged(disk, [staged]);
    throw error;
  }
}

/** A name beside a place, for what lies there only while a change is under way. */
export function beside(disk: WritableDisk, place: string, what: Leftover["what"]): string {
  return posix.join(posix.dirname(place), leftoverName(disk, { name: posix.basename(place), what }));
}

/** Taken away as far as it can be now; what cannot is by the next run. */
export async function removeStaged(disk: WritableDisk, staged: readonly string[]): Promise<void> {
  for (const path of staged) await disk.folders.remove(path).catch(() => {});
}

/**
 * Puts staged folders into their places, all of them or none. What is in their places makes room; then `commit` writes
 * the lock file, which is one step. From there on the next run ends what is begun, up to there it puts back what was
 * (`settleLeftovers`): at any moment the old folders or the new ones are to be had, never a part of one. What made room
 * did so before the lock file changed, so that a later run never has to replace anything. It is read once more where
 * nobody finds it by its name any more: what somebody saved in it since it was looked at comes back with all of it.
 */
export async function swapFolders(
  disk: WritableDisk,
  swaps: readonly Swap[],
  { demandOwn, commit }: Swapping,
): Promise<void> {
  try {
    await demandOwn();
    for (const { place, aside } of swaps) if (aside !== null) await disk.folders.move(place, aside);
    for (const swap of swaps) await demandAsItWas(disk, swap);
    await commit();
  } catch (error) {
    // What cannot be put back or taken away now is by the next run; what went wrong before is what matters.
    for (const { place, aside } of swaps) if (aside !== null) await disk.folders.move(aside, place).catch(() => {});
    await removeStaged(
      disk,
      swaps.flatMap(({ staged }) => staged ?? []),
    );
    throw error;
  }
  for (const { place, staged } of swaps) if (staged !== null) await disk.folders.move(staged, place);
  for (const { aside } of swaps) if (aside !== null) await disk.folders.remove(aside);
}

async function demandAsItWas(disk: WritableDisk, { place, aside, was }: Swap): Promise<void> {
  if (fingerprintOf(await loadPresent(disk, aside ?? place)) === was) return;
  throw changedMeanwhile(place);
}

export function changedMeanwhile(what: string): AppError {
  return new AppError(
    "disk.failed",
    `${safeLine(what, 240)} was changed by somebody meanwhile; nothing was written, look again`,
  );
}

/** T23: a disk that takes two names for one, or changes them, is found out before anything is replaced. */
function demandSame(after: LockedFiles, found: Awaited<ReturnType<typeof loadPresent>>): void {
  const [drift] = driftOf(after, found);
  if (drift === undefined) return;
  throw new AppError(
    "disk.failed",
    `this disk does not keep the skill as it is: ${safeLine(drift.path)} is ${drift.how}; nothing was changed`,
  );
}
