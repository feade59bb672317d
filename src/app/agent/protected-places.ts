import { posix } from "node:path";
import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import type { Files } from "../../base/world.ts";
import { findGitFolder, realPathOf } from "../../use/agent/tools/protected-git.ts";
import { isKept, type ProtectedPlaces } from "../../use/agent/tools/protected-paths.ts";
import type { Environment } from "../config.ts";
import { userFolder } from "../user-folder.ts";
import type { AgentPlaces } from "./agent-places.ts";

/** What an agent of a workspace must not reach, or not without a person. A workspace within our own folders is refused. */
export async function protectedPlacesOf(
  files: Files,
  root: string,
  environment: Environment,
  places: AgentPlaces,
): Promise<ProtectedPlaces> {
  const kept = await Promise.all(ownPlaces(environment, places).map((path) => realPathOf(files, path)));
  if (environment.store?.startsWith("/") === true) kept.push(...storeFiles(await realPathOf(files, environment.store)));
  const found: ProtectedPlaces = { root, kept: [...new Set(kept)], gitFolder: await findGitFolder(files, root) };
  if (isKept(found, root))
    throw new AppError(
      "usage.invalid",
      `${safeLine(root, 240)} lies where Skillward keeps its own files, and no agent works on these; choose another folder`,
    );
  return found;
}

/** Where trust, keys, conversations and stores are: those of this session, and the usual ones also when others were named. */
function ownPlaces(environment: Environment, { config, conversations, lines }: AgentPlaces): readonly string[] {
  const { dataHome, home, data, keys } = environment;
  const others = [environment.config, data, keys, userFolder(dataHome, home, ".local/share")];
  const absolute = others.flatMap((path) => (path?.startsWith("/") === true ? [path] : []));
  return [config, posix.dirname(conversations), posix.dirname(lines), ...absolute];
}

/** SQLite takes what lies beside its file for a part of it. */
function storeFiles(store: string): readonly string[] {
  return ["", "-wal", "-shm", "-journal"].map((end) => `${store}${end}`);
}
