import type { Digest } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import { type EntryId, parseEntryId } from "../core/ids.ts";
import { safeLine } from "../core/text.ts";
import type { Registry } from "../registry/registry.ts";
import { type Trust, trusts } from "../sources/trust.ts";
import { type Drift, driftOf, fingerprintOf, type Found, loadPresent } from "./verify.ts";
import { folderOf } from "./locked-repository.ts";
import type { WritableDisk } from "./workspace.ts";
import {
  compareBytes,
  type ExportedSkill,
  inByteOrder,
  isExported,
  isFolderName,
  keyOf,
  type Locked,
  parseKey,
} from "./lock.ts";
import { alreadyThere, changeLock, demandReadable, type LockChange } from "./place.ts";
import { beside, removeStaged, stageFolder, type Swap, swapFolders } from "./swap.ts";
import { demandOwnFolders, placeOf, type Workspace } from "./workspace.ts";

type UsedBundle = Awaited<ReturnType<Registry["use"]>>;

/** An approved skill that is to be written out. */
export interface Exportable extends Nameable {
  /** Its bytes, verified at this moment (invariant 1). Rejects with `entry.unusable`. */
  load(): Promise<UsedBundle>;
}

/** What is written where, and what may give way for it. */
export interface Exporting {
  readonly disk: WritableDisk;
  readonly workspace: Workspace;
  /** The id of the store that it comes from. */
  readonly registry: string;
  /** Where an agent looks for skills, below the root. */
  readonly folder: string;
  readonly skills: readonly Exportable[];
  /** Whether these are all that is to be there. Else what was written before and is still approved is left out of it. */
  readonly isAll: boolean;
  /** Why an entry may not be used now; undefined: it may. */
  readonly whyNot: (entry: EntryId) => string | undefined;
  /** Also over what was changed here, or written by another registry. */
  readonly force: boolean;
  /** Takes away what is not to be there any more. */
  readonly prune: boolean;
}

/** What became of one skill. */
export interface Exported {
  readonly entry: EntryId;
  /** As the lock file calls it; null: it got none. */
  readonly folder: string | null;
  /**
   * `same`: another one with its very bytes is there. `drifted`: changed here, and left alone. `left`: was written
   * before, is not to be there any more, and lies there still.
   */
  readonly state: "written" | "replaced" | "unchanged" | "same" | "removed" | "left" | "drifted" | "refused";
  readonly reason?: string;
  readonly drift?: readonly Drift[];
}

/** One skill of an export, decided on: what is said of it, and what is to be done. */
interface Step {
  readonly line: Exported;
  readonly swap?: Swap;
  readonly change?: LockChange;
}

/**
 * SV-6: writes approved skills into an agent's folder, all of them together or none; nothing at all when all is as it
 * should be. Nothing that was not written by an export gives way.
 */
export async function exportSkills(exporting: Exporting): Promise<readonly Exported[]> {
  const { disk, workspace } = exporting;
  await demandOwn(exporting);
  const steps = await planSteps(exporting);
  const swaps = steps.flatMap(({ swap }) => swap ?? []);
  const changes = steps.flatMap(({ change }) => change ?? []);
  const commit = () => changeLock(disk, workspace.root, changes);
  await swapFolders(disk, swaps, { demandOwn: () => demandOwn(exporting), commit });
  return steps.map(({ line }) => line);
}

/** Each time before something is written: what was a folder may be a link by now (T24). */
function demandOwn({ disk, workspace, folder }: Exporting): Promise<void> {
  return demandOwnFolders(disk.files, workspace.root, [folder]);
}

/** Everything is decided and staged before anything gives way. */
async function planSteps(exporting: Exporting): Promise<readonly Step[]> {
  const { disk, folder, skills } = exporting;
  const { named, nameless } = nameFolders(skills);
  const wanted = new Map(Array.from(named, ([name, skill]) => [keyOf(folder, name), skill]));
  // Before thousands of them are staged.
  demandReadable(new Set([...exporting.workspace.lock.keys(), ...wanted.keys()]).size);
  const steps: Step[] = nameless.map(({ skill, state, reason }) => ({
    line: { entry: skill.entry, folder: null, state, reason },
  }));
  try {
    for (const [key, skill] of inByteOrder(wanted)) steps.push(await planSkill(exporting, key, skill));
    for (const [key, locked, reason] of unwanted(exporting, wanted))
      steps.push(await planRemoval(exporting, key, locked, reason));
    return steps;
  } catch (error) {
    await removeStaged(
      disk,
      steps.flatMap(({ swap }) => swap?.staged ?? []),
    );
    throw error;
  }
}

async function planSkill(exporting: Exporting, key: string, skill: Exportable): Promise<Step> {
  const { disk, workspace, registry } = exporting;
  const { entry, digest } = skill;
  const place = placeOf(workspace.root, key);
  const before = workspace.lock.get(key);
  const found = await loadPresent(disk, place);
  const line = { entry, folder: key };
  const refusal = refusalOf(exporting, key, before, found);
  if (refusal !== undefined) return { line: { ...line, state: "refused", reason: refusal } };
  const drift = before === undefined || found === "missing" ? [] : driftOf(before, found);
  if (drift.length > 0 && !exporting.force) return { line: { ...line, state: "drifted", drift } };
  const isThere = found !== "missing" && drift.length === 0;
  if (isThere && before?.digest === digest && isOwn(before, registry) && before.entry === entry)
    return { line: { ...line, state: "unchanged" } };
  const bundle = await orReason(() => skill.load());
  if (typeof bundle === "string") return { line: { ...line, state: "refused", reason: bundle } };
  const after = lockedOf(registry, entry, bundle);
  const files = bundle.files.map(({ path, bytes }) => ({ path, bytes, executable: false }));
  await demandOwn(exporting);
  const staged = await stageFolder(disk, place, after, files);
  const aside = found === "missing" ? null : beside(disk, place, "old");
  return {
    line: { ...line, state: aside === null ? "written" : "replaced" },
    swap: { place, staged, aside, was: fingerprintOf(found) },
    change: { folder: key, before, after },
  };
}

/** Only what an export of this registry wrote may give way, or what a person says may. */
function refusalOf(
  { workspace, registry, force }: Exporting,
  key: string,
  before: Locked | undefined,
  found: Found,
): string | undefined {
  if (before === undefined) return found === "missing" ? undefined : alreadyThere(workspace.root, key).message;
  if (!isExported(before)) return `${key} was added from ${before.source} and is not overwritten; remove it first`;
  if (before.registry === registry || force) return undefined;
  return `${key} was written by another registry, as ${safeLine(before.entry, 240)}; --force takes its place`;
}

function isOwn(locked: Locked, registry: string): locked is ExportedSkill {
  return isExported(locked) && locked.registry === registry;
}

function lockedOf(registry: string, entry: EntryId, { digest, files }: UsedBundle): ExportedSkill {
  const digests = new Map(files.map((file) => [file.path, file.digest]));
  return { registry, entry, digest, files: digests, executable: [] };
}

/** What of this registry lies there and is not to be there any more, and why. */
function* unwanted(
  { workspace, registry, folder, isAll, whyNot }: Exporting,
  wanted: ReadonlyMap<string, Exportable>,
): Generator<readonly [key: string, locked: ExportedSkill, reason: string]> {
  const names = new Map(Array.from(wanted, ([key, { entry }]) => [entry, key]));
  for (const [key, locked] of workspace.lock) {
    if (!isOwn(locked, registry) || parseKey(key)?.folder !== folder || wanted.has(key)) continue;
    const now = names.get(locked.entry);
    const moved = now === undefined ? undefined : `it is called ${now} now`;
    const reason = whyNot(locked.entry) ?? moved ?? (isAll ? "it is not among what is exported any more" : undefined);
    if (reason !== undefined) yield [key, locked, reason];
  }
}

async function planRemoval(
  { disk, workspace, force, prune }: Exporting,
  key: string,
  before: ExportedSkill,
  reason: string,
): Promise<Step> {
  const line = { entry: before.entry, folder: key, reason };
  if (!prune) return { line: { ...line, state: "left" } };
  const place = placeOf(workspace.root, key);
  const found = await loadPresent(disk, place);
  const drift = found === "missing" ? [] : driftOf(before, found);
  if (drift.length > 0 && !force) return { line: { ...line, state: "drifted", drift } };
  const change = { folder: key, before, after: undefined };
  const swap = { place, staged: null, aside: beside(disk, place, "gone"), was: fingerprintOf(found) };
  return { line: { ...line, state: "removed" }, change, ...(found === "missing" ? {} : { swap }) };
}

/** T17: a skill whose bytes are not the approved ones is not written, and the others are. */
async function orReason<Result>(act: () => Promise<Result>): Promise<Result | string> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof AppError && error.code === "entry.unusable") return error.message;
    throw error;
  }
}

/** A skill that wants a name where each can be had once. */
export interface Nameable {
  readonly entry: EntryId;
  /** As its manifest says. */
  readonly name: string;
  readonly digest: Digest;
  readonly trust: Trust;
}

/** Why a skill did not get its name. `same`: one with the very same bytes has it. */
interface Nameless<Skill extends Nameable> {
  readonly skill: Skill;
  readonly state: "refused" | "same";
  readonly reason: string;
}

/** SK-15: one name, one skill. The more trusted one has it, of equals the one whose id comes first; never by what it says. */
export function byRank(a: Pick<Nameable, "trust" | "entry">, b: Pick<Nameable, "trust" | "entry">): number {
  return trusts.indexOf(b.trust) - trusts.indexOf(a.trust) || compareBytes(a.entry, b.entry);
}

/** Pure. The folder of each skill, and those that get none. */
function nameFolders<Skill extends Nameable>(
  skills: readonly Skill[],
): { readonly named: ReadonlyMap<string, Skill>; readonly nameless: readonly Nameless<Skill>[] } {
  const named = new Map<string, Skill>();
  const nameless: Nameless<Skill>[] = [];
  for (const skill of skills.toSorted(byRank)) {
    const folder = folderNameOf(skill);
    const other = folder === undefined ? undefined : named.get(folder);
    if (folder === undefined) nameless.push({ skill, state: "refused", reason: unnameable(skill) });
    else if (other !== undefined) nameless.push(twinOf(skill, other));
    else named.set(folder, skill);
  }
  return { named, nameless };
}

/** Its own name, as the specification wants it; of one that no folder can have, the name of the folder it came from. */
function folderNameOf({ name, entry }: Nameable): string | undefined {
  const { source, path } = parseEntryId(entry) ?? { source: "", path: "" };
  return [name, folderOf(path, source)].find(isFolderName);
}

function unnameable({ name }: Nameable): string {
  return `neither its name "${safeLine(name, 80)}" nor that of its folder can be the name of a skill's folder: lowercase letters, digits and single hyphens between them`;
}

function twinOf<Skill extends Nameable>(skill: Skill, other: Skill): Nameless<Skill> {
  const shown = safeLine(other.entry, 240);
  if (skill.digest === other.digest) return { skill, state: "same", reason: `it has the same bytes as ${shown}` };
  const reason = `${shown} has the same name and is more trusted or comes first; name the one you want`;
  return { skill, state: "refused", reason };
}
