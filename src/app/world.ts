import { constants, type Dirent, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, opendir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError } from "../base/error.ts";
import { safeLine } from "../base/text.ts";
import type { Clock, EntryKind, Files, FilesToWrite, FolderEntry, Listing, TooLarge } from "../base/world.ts";

/** The outside world as the flows see it. */
export interface World {
  readonly clock: Clock;
  readonly files: Files & FilesToWrite;
}

export function createWorld(): World {
  return { clock: { now: () => Date.now() }, files: diskFiles };
}

const diskFiles: Files & FilesToWrite = {
  resolve: (path) => onDisk(path, () => realpath(path)),
  kind: (path) => onDisk(path, async () => kindOf(await lstat(path))),
  list: (folder, max) => onDisk(folder, () => listFolder(folder, max)),
  read: (path, max) => onDisk(path, () => readRegularFile(path, max)),
  write: (path, bytes) => onDisk(path, () => replaceFile(path, bytes)),
};

async function listFolder(folder: string, max: number): Promise<Listing> {
  if (kindOf(await lstat(folder)) !== "folder")
    throw new AppError("path.wrong-kind", `not a folder: ${safeLine(folder)}`);
  // As bytes: a name that is not UTF-8 must be seen as what it is, not as some other name.
  const names = await openAsBytes(folder);
  const entries: FolderEntry[] = [];
  for await (const entry of names) {
    if (entries.length === max) return { entries: inByteOrder(entries), complete: false };
    entries.push(entryOf(entry));
  }
  return { entries: inByteOrder(entries), complete: true };
}

function openAsBytes(folder: string): Promise<AsyncIterable<Dirent<Buffer>>> {
  // Node takes this encoding and hands out buffers; its type declarations do not say so yet.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return opendir(folder, { encoding: "buffer" as BufferEncoding }) as Promise<unknown> as ReturnType<
    typeof openAsBytes
  >;
}

function inByteOrder(entries: FolderEntry[]): FolderEntry[] {
  return entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

function entryOf(entry: Dirent<Buffer>): FolderEntry {
  const name = entry.name.toString("utf8");
  return { name, kind: Buffer.from(name).equals(entry.name) ? kindOf(entry) : "unnameable" };
}

function kindOf(entry: Stats | Dirent<Buffer>): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "special";
}

/** The size is known before a byte is read, and what is read is what was measured: one open handle (SK-3). */
async function readRegularFile(path: string, max: number): Promise<Uint8Array | TooLarge> {
  // NOFOLLOW: a link is refused, not followed. NONBLOCK: a pipe that nobody writes to does not hang the open.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new AppError("path.wrong-kind", `not a regular file: ${safeLine(path)}`);
    if (stats.size > max) return { size: stats.size };
    const bytes = await readUpTo(handle, stats.size + 1);
    if (bytes.length === stats.size) return bytes;
    throw new AppError("disk.failed", `changed while it was read: ${safeLine(path)}`);
  } finally {
    await handle.close();
  }
}

async function readUpTo(handle: FileHandle, most: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(most);
  let length = 0;
  for (let read = -1; read !== 0 && length < most; length += read)
    read = (await handle.read(bytes, length, most - length, length)).bytesRead;
  return bytes.subarray(0, length);
}

async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const staged = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(staged, bytes);
    await rename(staged, path);
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "a symbolic link, or a loop of them",
  ENAMETOOLONG: "the path is too long",
  EMFILE: "too many open files",
};

async function onDisk<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const shown = safeLine(path, 240);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new AppError("path.missing", `no such path: ${shown}`, { cause: error });
    throw new AppError("disk.failed", `${reasons[code] ?? `the disk said ${code}`}: ${shown}`, { cause: error });
  }
}
