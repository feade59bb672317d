import { AppError, type ErrorCode } from "../core/error.ts";
import type { EntryId } from "../core/ids.ts";
import { safeLine } from "../core/text.ts";
import type { EntryKind, Files, FilesToWrite, Folders, Listing, Randomness } from "../core/world.ts";
import type { HostSets } from "../net/host-set.ts";
import { decodeUtf8 } from "../skill/document.ts";
import type { OnFile } from "../sources/github/fetch-skills.ts";
import type { GitHub } from "../sources/github/github.ts";
import { foldersOf, isFolderName, type Lock, lockFile, mostLocked, parseKey } from "./lock.ts";
import { parseLock } from "./parse-lock.ts";
import { posix } from "node:path";

/** What the flows here look at the disk with. */
export interface Disk {
  readonly files: Files;
  readonly folders: Folders;
}

/** Changing a workspace: besides reading it, a lock file and folders are written. */
export interface WritableDisk extends Disk {
  readonly files: Disk["files"] & FilesToWrite;
  readonly random: Randomness;
}

/** A folder with skills from elsewhere. */
export interface Workspace {
  readonly root: string;
  readonly lock: Lock;
  /** Whether it has a lock file at all. */
  readonly isLocked: boolean;
}

export async function openWorkspace(files: Files, said: string | undefined): Promise<Workspace> {
  const root = await findRoot(files, said);
  const lock = await loadLock(files, root);
  await demandOwnFolders(files, root, foldersOf(lock?.keys() ?? []));
  return { root, lock: lock ?? new Map(), isLocked: lock !== undefined };
}

/** A check or an installation in the wrong place must not pass for one that found nothing to do. */
export function demandLocked({ root, isLocked }: Workspace): void {
  if (isLocked) return;
  throw new AppError(
    "path.missing",
    `there is no ${lockFile} in ${safeLine(root, 240)}; \`skillward add\` makes one, --dir names another folder`,
  );
}

/** The folder that was said, else the nearest one upward that has a lock file or is a repository, else this one. */
async function findRoot(files: Files, said: string | undefined): Promise<string> {
  // Links are followed here, and only here: this is a path that a person named or stands in.
  const start = await files.resolve(said ?? ".");
  if (said !== undefined) return start;
  for (let folder = start; ; folder = posix.dirname(folder)) {
    if ((await kindOf(files, posix.join(folder, lockFile))) !== undefined) return folder;
    if ((await kindOf(files, posix.join(folder, ".git"))) !== undefined) return folder;
    if (folder === posix.dirname(folder)) return start;
  }
}

/** What a workspace has locked; undefined without a lock file. */
export async function loadLock(files: Files, root: string): Promise<Lock | undefined> {
  const path = posix.join(root, lockFile);
  const kind = await kindOf(files, path);
  if (kind === undefined) return undefined;
  if (kind !== "file") throw new AppError("path.wrong-kind", `${safeLine(path, 240)} is not a regular file; not read`);
  const bytes = await files.read(path, mostLocked.bytes);
  const text = bytes instanceof Uint8Array ? decodeUtf8(bytes) : undefined;
  if (text === undefined)
    throw new AppError(
      "config.invalid",
      `${safeLine(path, 240)} cannot be used: it has more than ${mostLocked.bytes} bytes or is not UTF-8`,
    );
  return parseLock(text);
}

/**
 * Refuses a workspace in which a folder for skills is, or lies behind, a symbolic link: a cloned repository may bring
 * one, and what is written there would be written elsewhere (T24, T44).
 */
export async function demandOwnFolders(files: Files, root: string, folders: readonly string[]): Promise<void> {
  for (const inside of new Set(folders.flatMap(withThoseAbove))) {
    const kind = await kindOf(files, posix.join(root, inside));
    if (kind === undefined || kind === "folder") continue;
    const what = kind === "link" ? "a symbolic link" : "not a folder";
    throw new AppError(
      "path.wrong-kind",
      `${safeLine(posix.join(root, inside), 240)} is ${what}, and nothing is read or written through it; make it a folder`,
    );
  }
}

/** `a/b` lies in `a`. */
function withThoseAbove(folder: string): string[] {
  const above = posix.dirname(folder);
  return above === "." ? [folder] : [...withThoseAbove(above), folder];
}

/** Where the skill of a lock file's key lies. */
export function placeOf(root: string, key: string): string {
  const { folder, name } = parseKey(key) ?? impossible(key);
  return posix.join(root, folder, name);
}

function impossible(key: string): never {
  throw new AppError("usage.invalid", `"${safeLine(key)}" cannot be the folder of a skill`);
}

const mostFolders = 20_000;

/** What lies in a folder for skills; nothing when there is no such folder. */
export async function listSkillsFolder(files: Files, root: string, folder: string): Promise<Listing["entries"]> {
  const path = posix.join(root, folder);
  if ((await kindOf(files, path)) === undefined) return [];
  const { entries, complete } = await files.list(path, mostFolders);
  if (complete) return entries;
  throw new AppError("disk.failed", `${safeLine(path, 240)} has more than ${mostFolders} entries`);
}

/** Undefined when nothing is there; a link that leads nowhere is there. */
export async function kindOf(files: Files, path: string): Promise<EntryKind | undefined> {
  try {
    return await files.kind(path);
  } catch (error) {
    if (error instanceof AppError && error.code === "path.missing") return undefined;
    throw error;
  }
}

/** What changing a workspace works with. */
export interface Publishing {
  readonly disk: WritableDisk;
  readonly workspace: Workspace;
  /** Of the user's own configuration. */
  readonly sets: HostSets;
  readonly github: GitHub;
  readonly onFile: OnFile;
  /** Something to be said that is part of no result. */
  readonly onNote: (text: string) => void;
  /** Codes of findings that whoever asks accepts. */
  readonly accept: ReadonlySet<string>;
}

/** A code that lifted nothing may be a mistyped one, or one that is not needed any more. */
export function noteUnused({ accept, onNote }: Publishing, lifted: readonly string[]): void {
  for (const code of accept)
    if (!lifted.includes(code)) onNote(`--accept ${safeLine(code)}: nothing of that code stood in the way`);
}

/** Why one skill of several came to nothing. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** One skill that fails does not stop the others; a fault of ours stops everything. */
export async function orFailure<Result>(act: () => Promise<Result>): Promise<Result | { readonly error: Failure }> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

/** That an entry is switched on for publishing (SV-6), as it is kept. */
export interface PublishedRow {
  readonly entry: EntryId;
  readonly at: number;
  readonly by: string;
  readonly seal: string;
}

export interface PublishedReads {
  /** All of them, ordered by the bytes of their entries. */
  listPublished(): Promise<readonly PublishedRow[]>;
  findPublished(entry: EntryId): Promise<PublishedRow | undefined>;
}

export interface PublishedWrites extends PublishedReads {
  /** Adds or replaces. */
  putPublished(row: PublishedRow): Promise<void>;
  deletePublished(entry: EntryId): Promise<void>;
}

/** A folder of ours beside the skills, while a change is under way: the new one, the one it replaces, or one that goes. */
export interface Leftover {
  /** The name of the skill's own folder. */
  readonly name: string;
  readonly what: "new" | "old" | "gone";
}

/** A name that no skill's folder can have. */
export function leftoverName({ random }: Pick<WritableDisk, "random">, { name, what }: Leftover): string {
  return `.${name}.${Buffer.from(random.bytes(4)).toString("hex")}.${endings[what]}`;
}

const endings = { new: "tmp", old: "old", gone: "gone" } as const;
export const leftoverKinds = ["new", "old", "gone"] as const;

export function leftoverOf(text: string): Leftover | undefined {
  const [, name = "", ending] = /^\.([a-z0-9-]{1,64})\.[0-9a-f]{8}\.(tmp|old|gone)$/.exec(text) ?? [];
  const what = leftoverKinds.find((each) => endings[each] === ending);
  return what === undefined || !isFolderName(name) ? undefined : { name, what };
}
