import { posix } from "node:path";
import { skillFile, type Bundle } from "../skill/bundle.ts";
import { plainFolder } from "../skill/agent-folders.ts";
import { foldersOf, keyOf, compareBytes, type LockedFiles } from "./lock.ts";
import { type Disk, kindOf, leftoverOf, listSkillsFolder, placeOf, type Workspace } from "./workspace.ts";
import { type Digest, sha256 } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import { blocks } from "../core/finding.ts";
import { limits } from "../core/limits.ts";
import type { Files } from "../core/world.ts";
import type { BundleDiff } from "../diff/diff.ts";
import { loadBundle } from "../skill/load-bundle.ts";
import type { Candidate } from "./candidate.ts";

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

/** How a file, or the folder as a whole (`.`), differs from what is locked. */
export interface Drift {
  readonly path: string;
  readonly how: "missing" | "extra" | "changed" | "executable" | "not executable" | "unusable";
  /** In words, where there is more to say. */
  readonly why?: string;
}

/** A skill as it lies in the workspace. */
interface Present {
  readonly bundle: Bundle;
  readonly executable: ReadonlySet<string>;
  /** Folders named `.git`: no bundle has them, and no skill brings them. */
  readonly gitFolders: readonly string[];
}

/** What lies at a place: a skill's files, nothing, or something that is no folder. */
export type Found = Present | "missing" | "no folder";

/** Reads with bounds and follows nothing. */
export async function loadPresent({ files, folders }: Disk, path: string): Promise<Found> {
  const kind = await kindOf(files, path);
  if (kind !== "folder") return kind === undefined ? "missing" : "no folder";
  const gitFolders: string[] = [];
  const noticing = noticingGit(files, (found) => gitFolders.push(found.slice(path.length + 1)));
  const bundle = await loadBundle(noticing, { path, role: "leaf" }, limits.skill.ingest);
  const executable = new Set<string>();
  for (const file of bundle.files) if (await isExecutable(folders, `${path}/${file.path}`)) executable.add(file.path);
  return { bundle, executable, gitFolders };
}

/** What is left out of every bundle is still something that lies in the folder. */
function noticingGit(files: Files, onGit: (path: string) => void): Files {
  const list = async (folder: string, max: number) => {
    const listing = await files.list(folder, max);
    if (listing.entries.some(({ name, kind }) => name === ".git" && kind === "folder")) onGit(`${folder}/.git`);
    return listing;
  };
  return { ...files, list };
}

async function isExecutable(folders: Disk["folders"], path: string): Promise<boolean> {
  try {
    return await folders.isExecutable(path);
  } catch (error) {
    // Gone since it was read; whether it is there is told by what was read.
    if (error instanceof AppError && error.code === "path.missing") return false;
    throw error;
  }
}

/** IN-25: everything that differs, by name. Nothing: byte for byte what is locked. */
export function driftOf(locked: LockedFiles, found: Found): readonly Drift[] {
  if (found === "missing") return [{ path: ".", how: "missing" }];
  if (found === "no folder") return [{ path: ".", how: "unusable", why: "it is not a folder" }];
  const present = new Map(found.bundle.files.map(({ path, digest }) => [path, digest]));
  const executable = new Set(locked.executable);
  const known = Array.from(locked.files, ([path, digest]): Drift[] => {
    const digestNow = present.get(path);
    if (digestNow === undefined) return [{ path, how: "missing" }];
    if (digestNow !== digest) return [{ path, how: "changed" }];
    if (found.executable.has(path) === executable.has(path)) return [];
    return [{ path, how: executable.has(path) ? "not executable" : "executable" }];
  });
  const extra = [...[...present.keys()].filter((path) => !locked.files.has(path)), ...found.gitFolders];
  // Links, devices, names that no skill may have, and what was not read: none of it is what is locked.
  const refused = found.bundle.findings.filter(blocks);
  return [
    ...known.flat(),
    ...extra.map((path): Drift => ({ path, how: "extra" })),
    ...refused.map(({ at, message }): Drift => ({ path: at.file, how: "unusable", why: message })),
  ];
}

/** The same for what is the same, to the byte; short, so that it can be kept while the bytes are let go. */
export function fingerprintOf(found: Found): Digest {
  return sha256(Buffer.from(JSON.stringify(typeof found === "string" ? found : partsOf(found))));
}

function partsOf({ bundle, executable, gitFolders }: Present): readonly unknown[] {
  const files = bundle.files.map(({ path, digest }) => [path, digest, executable.has(path)]);
  // A disk lists in any order.
  return [files, gitFolders.toSorted(), bundle.findings.map(({ code, at }) => `${code} ${at.file}`).toSorted()];
}

export interface FileChange {
  readonly path: string;
  readonly how: "added" | "removed" | "changed" | "executable" | "not executable";
  /** In bytes; null: there is none. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface Changes {
  readonly files: readonly FileChange[];
  /** Line by line, what matters for security first (RV-4). */
  readonly diff: BundleDiff;
}

/** What becomes of the folder as it lies there. Pure. */
export async function changesTo(found: Found, { bundle, locked }: Candidate): Promise<Changes> {
  const [old, oldExecutable, gitFolders] =
    found === "missing" || found === "no folder"
      ? [[], new Set<string>(), []]
      : [found.bundle.files, found.executable, found.gitFolders];
  const [was, is] = [
    new Map(old.map((file) => [file.path, file])),
    new Map(bundle.files.map((file) => [file.path, file])),
  ];
  const executable = new Set(locked.executable);
  const paths = [...new Set([...was.keys(), ...is.keys()])].toSorted(compareBytes);
  const files = paths.flatMap((path): FileChange[] => {
    const [earlier, later] = [was.get(path), is.get(path)];
    const sizes = { before: earlier?.bytes.length ?? null, after: later?.bytes.length ?? null };
    if (earlier === undefined || later === undefined)
      return [{ path, how: earlier === undefined ? "added" : "removed", ...sizes }];
    if (earlier.digest !== later.digest) return [{ path, how: "changed", ...sizes }];
    if (oldExecutable.has(path) === executable.has(path)) return [];
    return [{ path, how: executable.has(path) ? "executable" : "not executable", ...sizes }];
  });
  const gone = gitFolders.map((path): FileChange => ({ path, how: "removed", before: null, after: null }));
  const { diffBundles } = await import("../diff/diff.ts");
  return { files: [...files, ...gone], diff: diffBundles(typeof found === "string" ? null : found.bundle, bundle) };
}
