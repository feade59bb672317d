import { posix } from "node:path";
import { AppError } from "../../../base/error.ts";
import { limits } from "../../../base/limits.ts";
import type { Files, FileToPlace, Folders, TooLarge } from "../../../base/world.ts";

/** What a run of a case works in: folders of its own, gone afterwards. */
export interface CaseRoom {
  readonly workspace: string;
  readonly home: string;
  /** The bytes of a file as it is now; null: there is none. Nothing outside of the workspace is looked at. */
  read(path: string): Promise<Uint8Array | TooLarge | null>;
  /** The bytes that it began with; null: it was not there. */
  before(path: string): Uint8Array | null;
}

interface Disk {
  readonly files: Files;
  readonly folders: Folders;
}

/** Makes a room with these files, lets `act` work in it, and takes it away however that ends. */
export async function withRoom<Result>(
  disk: Disk,
  files: readonly FileToPlace[],
  act: (room: CaseRoom) => Promise<Result>,
): Promise<Result> {
  const folder = await disk.folders.makeTemporary();
  try {
    const [workspace, home] = [posix.join(folder, "workspace"), posix.join(folder, "home")];
    await disk.folders.make(workspace, files);
    await disk.folders.make(home, []);
    return await act({
      workspace,
      home,
      read: (path) => readInside(disk.files, workspace, path),
      before: (path) => files.find((each) => each.path === path)?.bytes ?? null,
    });
  } finally {
    await disk.folders.remove(folder);
  }
}

/** As large as a file of a skill may be: what is larger is surely not what a case began with. */
const mostBytes = limits.skill.workspace.bundleBytes;

/** A run may have left links behind that lead anywhere. */
async function readInside(files: Files, workspace: string, path: string): Promise<Uint8Array | TooLarge | null> {
  const place = posix.join(workspace, path);
  try {
    if ((await files.resolve(place)) !== place) return null;
    return await files.read(place, mostBytes);
  } catch (error) {
    const isNone = error instanceof AppError && (error.code === "path.missing" || error.code === "path.wrong-kind");
    if (isNone) return null;
    throw error;
  }
}
