import { posix } from "node:path";
import { skillFile } from "../skill/bundle.ts";
import { plainFolder } from "../skill/agent-folders.ts";
import { type Drift, driftOf, loadPresent } from "./drift.ts";
import { leftoverOf } from "./leftovers.ts";
import { foldersOf, keyOf } from "./lock.ts";
import { type Disk, kindOf, listSkillsFolder, placeOf, type Workspace } from "./workspace.ts";

interface Verified {
  /** As the lock file calls it. */
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
  const beside = (await Promise.all(foldersOf(lock.keys()).map((folder) => foldersIn(disk, root, folder)))).flat();
  const leftovers = beside.filter(isLeftover);
  const notLocked = beside.filter((key) => !lock.has(key) && !isLeftover(key));
  return { root, passes: skills.every(({ state }) => state === "unchanged"), skills, notLocked, leftovers };
}

function isLeftover(key: string): boolean {
  return leftoverOf(posix.basename(key)) !== undefined;
}

/** What lies in a folder for skills. At the root itself that is not all: other things live there too. */
async function foldersIn({ files }: Disk, root: string, folder: string): Promise<readonly string[]> {
  const there = (await listSkillsFolder(files, root, folder)).filter(({ kind }) => kind !== "file");
  const names = there.map(({ name }) => name);
  if (folder !== plainFolder) return names.map((name) => keyOf(folder, name));
  const keys: string[] = [];
  for (const name of names)
    if (leftoverOf(name) !== undefined || (await isSkill({ files }, posix.join(root, name))))
      keys.push(keyOf(folder, name));
  return keys;
}

async function isSkill({ files }: Pick<Disk, "files">, folder: string): Promise<boolean> {
  return (await kindOf(files, folder)) === "folder" && (await kindOf(files, posix.join(folder, skillFile))) === "file";
}
