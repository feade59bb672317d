import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import { type Candidate, fetchCandidate, filesOf, judge, skillAt } from "./candidate.ts";
import { type Drift, driftOf, loadPresent } from "./verify.ts";
import { advisingFrozen, repositoryOf } from "./locked-repository.ts";
import { type ExportedSkill, isExported, type LockedSkill } from "./lock.ts";
import { PinnedTrees } from "./pinned-trees.ts";
import { placeSkill } from "./place.ts";
import { type Failure, noteUnused, orFailure, placeOf, type Publishing } from "./workspace.ts";

export interface Installed {
  readonly folder: string;
  /**
   * `drifted`: left alone, since it may be somebody's work. `refused`: a finding stands in the way. `elsewhere`: it came
   * from a registry, which alone can bring it back (SV-6).
   */
  readonly state: "unchanged" | "installed" | "replaced" | "drifted" | "refused" | "elsewhere" | "failed";
  readonly drift?: readonly Drift[];
  readonly findings?: readonly Finding[];
  /** Codes that stand in the way until they are accepted, and those that were. */
  readonly refused?: readonly string[];
  readonly accepted?: readonly string[];
  readonly error?: Failure;
}

/**
 * IN-25: exactly what the lock file says, one skill after the other; what is there already costs no request. `frozen`
 * also puts back what was changed here.
 */
export async function installLocked(publishing: Publishing, frozen: boolean): Promise<readonly Installed[]> {
  const trees = new PinnedTrees(publishing.github);
  const results: Installed[] = [];
  for (const [folder, locked] of publishing.workspace.lock) {
    const outcome = await orFailure(() =>
      isExported(locked)
        ? lookAtExported(publishing, folder, locked)
        : installOne(publishing, trees, { folder, locked, frozen }),
    );
    results.push("error" in outcome ? { folder, state: "failed", ...outcome } : { folder, ...outcome });
  }
  noteUnused(
    publishing,
    results.flatMap(({ accepted = [] }) => accepted),
  );
  return results;
}

async function lookAtExported(
  { disk, workspace }: Publishing,
  folder: string,
  locked: ExportedSkill,
): Promise<Omit<Installed, "folder" | "error">> {
  const drift = driftOf(locked, await loadPresent(disk, placeOf(workspace.root, folder)));
  return drift.length === 0 ? { state: "unchanged" } : { state: "elsewhere", drift };
}

async function installOne(
  publishing: Publishing,
  trees: PinnedTrees,
  { folder, locked, frozen }: { readonly folder: string; readonly locked: LockedSkill; readonly frozen: boolean },
): Promise<Omit<Installed, "folder" | "error">> {
  const { disk, workspace, accept } = publishing;
  const found = await loadPresent(disk, placeOf(workspace.root, folder));
  const drift = driftOf(locked, found);
  if (drift.length === 0) return { state: "unchanged" };
  const isMissing = found === "missing";
  if (!isMissing && !frozen) return { state: "drifted", drift };
  const candidate = await fetchLocked(publishing, trees, locked);
  // T44: what the lock file says was accepted is a record; whoever installs accepts for themselves.
  const { findings } = candidate;
  const { refusing, accepted } = judge(findings, accept);
  const refused = [...new Set(refusing.map(({ code }) => code))];
  if (refused.length > 0) return { state: "refused", findings, refused, accepted };
  const mayReplace = isMissing ? "nothing" : "anything";
  await placeSkill(disk, workspace.root, {
    folder,
    before: locked,
    after: locked,
    files: filesOf(candidate),
    mayReplace,
  });
  return { state: isMissing ? "installed" : "replaced", findings, accepted };
}

/** Proven by the commit and by every digest of the lock file; or nothing. */
async function fetchLocked(
  { github, sets, onFile }: Publishing,
  trees: PinnedTrees,
  locked: LockedSkill,
): Promise<Candidate> {
  const repository = repositoryOf(locked, sets);
  return advisingFrozen(repository, locked, async () => {
    const at = await trees.locked(repository, locked);
    const skill = skillAt(at.tree, locked.path);
    if (skill === undefined) throw mismatch(locked, "has no skill there");
    if (skill.tree !== locked.tree) throw mismatch(locked, "has another tree there");
    const candidate = await fetchCandidate(github, at, skill, onFile);
    demandLocked(locked, candidate.locked);
    return candidate;
  });
}

function demandLocked(locked: LockedSkill, fetched: LockedSkill): void {
  const changed = [...fetched.files].find(([path, digest]) => locked.files.get(path) !== digest);
  if (changed !== undefined) throw mismatch(locked, `has other bytes in ${safeLine(changed[0])}`);
  if (fetched.digest !== locked.digest) throw mismatch(locked, "lacks a file");
  if (fetched.executable.toSorted().join("\n") !== locked.executable.toSorted().join("\n"))
    throw mismatch(locked, "makes other files executable");
}

function mismatch({ source, commit, path }: LockedSkill, what: string): AppError {
  return new AppError(
    "digest.mismatch",
    `${safeLine(path === "" ? "." : path)} of ${source} at ${commit.slice(0, 12)} is not what is locked: the commit ${what}; nothing was written`,
  );
}
