import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import type { Files, FilesToWrite, Randomness } from "../core/world.ts";
import { createKeyFile, type KeyFile, parseKeyFile, renderKeyFile } from "../registry/keys.ts";
import { isThere } from "./files/is-there.ts";

const mostBytes = 256 * 1024;

/** The key file. One that others can read is refused: what it protects may be known already. */
export async function loadKeyFile(files: Files, path: string): Promise<KeyFile> {
  if (!(await isThere(files, path)))
    throw unusable(path, "it is missing, and this store was made with one; restore it, or name it with SKILLWARD_KEYS");
  if (!(await files.isPrivate(path))) throw unusable(path, "others can read it; run `chmod 600` on it");
  const bytes = await files.read(path, mostBytes);
  if (!(bytes instanceof Uint8Array)) throw unusable(path, "too large to be a key file");
  return parseKeyFile(Buffer.from(bytes).toString("utf8"), safeLine(path, 240));
}

/** For a new store: several may share one key file, so the one that is there is used. */
export async function makeKeyFile(files: Files & FilesToWrite, random: Randomness, path: string): Promise<KeyFile> {
  if (!(await isThere(files, path))) await files.createPrivate(path, Buffer.from(renderKeyFile(createKeyFile(random))));
  return loadKeyFile(files, path);
}

function unusable(path: string, why: string): AppError {
  return new AppError("keys.unusable", `the key file ${safeLine(path, 240)}: ${why}`);
}
