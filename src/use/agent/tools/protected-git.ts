import { dirname, join, relative } from "node:path/posix";
import { AppError, orNull } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import type { Files } from "../../../base/world.ts";
import { diskKey, namesOf } from "./protected-names.ts";

/** As much as git itself reads of such a file. */
const mostBytes = 1024 * 1024;

/**
 * The folder inside of a workspace that its `.git` names, by a line in it or as a link: from the root, null when it is
 * a plain folder, none, or one elsewhere.
 */
export async function findGitFolder(files: Files, root: string): Promise<string | null> {
  const git = join(root, ".git");
  const found = await files.resolve(git).catch(orNull);
  if (found === null) return null;
  const named = await files.read(found, mostBytes).catch(orNull);
  const real = named instanceof Uint8Array ? await namedFolder(files, root, named) : found;
  if (real === null || real === git) return null;
  const inside = relative(root, real);
  return inside === ".." || inside.startsWith("../") ? null : inside || ".";
}

async function namedFolder(files: Files, root: string, bytes: Uint8Array): Promise<string | null> {
  const text = Buffer.from(bytes).toString("utf8");
  if (!text.startsWith("gitdir:")) return null;
  const [folder = ""] = text.slice("gitdir:".length).trim().split("\0");
  return folder === "" ? null : realPathOf(files, folder.startsWith("/") ? folder : join(root, folder));
}

/** The real path of what may not be there yet: that of the nearest above it that is, and the rest as it was written. */
export async function realPathOf(files: Files, path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const real = await files.resolve(at).catch(orNull);
    if (real !== null) return join(real, relative(at, path));
    if (dirname(at) === at) return path;
  }
}

/**
 * T33: `hooks` is a name that any folder may have, so that nobody was asked. Beside what a repository is made of, it
 * holds programs that git will run; `HEAD` and its like cannot come later without a person's word.
 */
export async function demandNoHook(files: Files, root: string, path: string): Promise<void> {
  const names = namesOf(path);
  for (const [at, name] of names.slice(0, -1).entries()) {
    if (diskKey(name) !== "hooks") continue;
    const folder = join(root, ...names.slice(0, at));
    if (!(await isRepository(files, folder))) continue;
    throw new AppError(
      "path.wrong-kind",
      `${safeLine(path, 240)} is a hook of a git repository, which git would run; it is written with shell alone`,
    );
  }
}

/** Or a part of one: where `HEAD` lies, or where it says that the rest does. */
async function isRepository(files: Files, folder: string): Promise<boolean> {
  const has = async (name: string) => (await files.kind(join(folder, name)).catch(orNull)) !== null;
  if ((await has("HEAD")) || (await has("commondir"))) return true;
  return (await has("objects")) && (await has("refs"));
}
