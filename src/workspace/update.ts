import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { parseRef } from "../sources/ref.ts";
import { type Candidate, filesOf, judge, type OfferedSkill, offerOf } from "./candidate.ts";
import { type Changes, changesTo, type Drift, driftOf, loadPresent } from "./verify.ts";
import { type ExportedSkill, isExported, type Lock, type LockedSkill, lockFile } from "./lock.ts";
import { fetchNewest } from "./newest.ts";
import { PinnedTrees } from "./pinned-trees.ts";
import type { Placement } from "./place.ts";
import { type Failure, noteUnused, orFailure, placeOf, type Publishing } from "./workspace.ts";

/** What there is to say of one locked skill. */
export interface UpdateOutcome {
  readonly folder: string;
  /** `pinned`: one commit for good. `drifted`: changed here, and left alone. `newer`: can be updated. */
  readonly state: "pinned" | "unchanged" | "drifted" | "refused" | "failed" | "newer" | "updated";
  /** The commit that is locked. */
  readonly commit: string;
  readonly drift?: readonly Drift[];
  readonly offer?: OfferedSkill;
  readonly changes?: Changes;
  readonly error?: Failure;
}

export interface Update {
  readonly outcome: UpdateOutcome;
  /** There for `newer` alone. */
  readonly placement: Placement | null;
}

/** Everything is looked at before anything is asked or written: of the folders that are named, or of all. */
export async function planUpdates(
  publishing: Publishing,
  folders: readonly string[],
  force: boolean,
): Promise<readonly Update[]> {
  const trees = new PinnedTrees(publishing.github);
  const updates: Update[] = [];
  for (const [folder, locked] of chosen(publishing.workspace.lock, folders)) {
    const planned = await orFailure(() => planUpdate(publishing, trees, { folder, locked, force }));
    const { commit } = locked;
    updates.push(
      "error" in planned ? { outcome: { folder, state: "failed", commit, ...planned }, placement: null } : planned,
    );
  }
  noteUnused(
    publishing,
    updates.flatMap(({ outcome }) => outcome.offer?.accepted ?? []),
  );
  return updates;
}

function chosen(lock: Lock, folders: readonly string[]): readonly (readonly [string, LockedSkill])[] {
  const unknown = folders.find((folder) => !lock.has(folder));
  if (unknown !== undefined)
    throw new AppError(
      "record.missing",
      `"${safeLine(unknown)}" is not in ${lockFile}; \`skillward verify\` lists what is`,
    );
  const wanted = [...lock].filter(([folder]) => folders.length === 0 || folders.includes(folder));
  return wanted.flatMap(([folder, locked]) => {
    if (!isExported(locked)) return [[folder, locked] as const];
    // What came from a registry is brought up to date by whoever exports from there (SV-6).
    if (folders.length > 0) throw fromRegistry(folder, locked);
    return [];
  });
}

function fromRegistry(folder: string, { entry }: ExportedSkill): AppError {
  return new AppError(
    "usage.invalid",
    `${folder} came from a registry, where it is ${safeLine(entry, 240)}; \`skillward export\` brings it up to date`,
  );
}

async function planUpdate(
  publishing: Publishing,
  trees: PinnedTrees,
  { folder, locked, force }: { readonly folder: string; readonly locked: LockedSkill; readonly force: boolean },
): Promise<Update> {
  const { disk, workspace, accept } = publishing;
  const about = { folder, commit: locked.commit };
  const ref = locked.ref === null ? undefined : parseRef(locked.ref);
  if (ref === undefined) return { outcome: { ...about, state: "pinned" }, placement: null };
  const found = await loadPresent(disk, placeOf(workspace.root, folder));
  const drift = driftOf(locked, found);
  if (drift.length > 0 && !force) return { outcome: { ...about, state: "drifted", drift }, placement: null };
  const newest = await fetchNewest(publishing, trees, locked, ref);
  if (newest === "unchanged")
    return { outcome: { ...about, ...(drift.length === 0 ? same : { state: "drifted", drift }) }, placement: null };
  const judgement = judge(newest.findings, accept);
  const outcome = { ...about, offer: offerOf(newest, judgement), changes: await changesTo(found, newest) };
  if (judgement.refusing.length > 0) return { outcome: { ...outcome, state: "refused" }, placement: null };
  const mayReplace = force ? "anything" : "what is locked";
  const placement = placementOf(newest, locked, { mayReplace, accepted: judgement.accepted });
  return { outcome: { ...outcome, state: "newer" }, placement };
}

const same = { state: "unchanged" } as const;

function placementOf(
  newest: Candidate,
  before: LockedSkill,
  { mayReplace, accepted }: Pick<Placement, "mayReplace"> & Pick<LockedSkill, "accepted">,
): Placement {
  const { folder, locked } = newest;
  return { folder, before, after: { ...locked, accepted }, files: filesOf(newest), mayReplace };
}
