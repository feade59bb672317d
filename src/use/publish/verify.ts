import { type Drift, driftOf, loadPresent } from "./drift.ts";
import { leftoverOf } from "./leftovers.ts";
import { type Disk, listSkillsFolder, placeOf, type Workspace } from "./workspace.ts";

interface Verified {
  readonly folder: string;
  readonly state: "unchanged" | "drifted" | "missing";
  readonly drift: readonly Drift[];
}

export interface Verification {
  readonly root: string;
  readonly passes: boolean;
  readonly skills: readonly Verified[];
  /** Folders with which the lock has nothing to do: somebody's own skills. */
  readonly notLocked: readonly string[];
  /** What a change that was interrupted left behind. */
  readonly leftovers: readonly string[];
}

/** IN-25: whether the skills of a workspace are what its lock file says. Asks nobody and changes nothing. */
export async function verifyWorkspace(disk: Disk, { root, lock }: Workspace): Promise<Verification> {
  const skills: Verified[] = [];
  for (const [folder, locked] of lock) {
    const found = await loadPresent(disk, placeOf(root, folder));
    const drift = driftOf(locked, found);
    const state = found === "missing" ? "missing" : drift.length === 0 ? "unchanged" : "drifted";
    skills.push({ folder, state, drift });
  }
  const there = (await listSkillsFolder(disk.files, root)).filter(({ kind }) => kind !== "file");
  const names = there.map(({ name }) => name);
  const leftovers = names.filter((name) => leftoverOf(name) !== undefined);
  const notLocked = names.filter((name) => !lock.has(name) && !leftovers.includes(name));
  return { root, passes: skills.every(({ state }) => state === "unchanged"), skills, notLocked, leftovers };
}
