import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { findGitFolder, isKept, type ProtectedPlaces, realPathOf } from "../../agent/tools/protected-paths.ts";
import type { Environment } from "../../app/config/config.ts";
import { userFolder } from "../../app/config/user-folder.ts";

/** What an agent keeps, and where its person keeps skills of their own: never in the workspace (T44). */
export interface AgentPlaces {
  readonly conversations: string;
  /** Lines that were typed. */
  readonly lines: string;
  /** Holds the book of trust. */
  readonly config: string;
  /** Each with the id of the source that it is. */
  readonly ownSkills: readonly { readonly id: string; readonly folder: string }[];
}

export function agentPlaces(environment: Environment, dataFolder: string | undefined): AgentPlaces {
  const { configHome, dataHome, home, data } = environment;
  const config = userFolder(configHome, home, ".config");
  const named = dataFolder ?? (data !== null && posix.isAbsolute(data) ? data : undefined);
  const kept = named ?? userFolder(dataHome, home, ".local/share");
  if (config === undefined || kept === undefined)
    throw new AppError(
      "config.invalid",
      "HOME is not set, so your own folders are not known; set it to an absolute path",
    );
  return {
    conversations: posix.join(kept, "conversations"),
    lines: posix.join(kept, "chat-lines"),
    config,
    ownSkills:
      home === null || !posix.isAbsolute(home)
        ? []
        : [
            { id: "user", folder: posix.join(home, ".agents/skills") },
            { id: "user-claude", folder: posix.join(home, ".claude/skills") },
          ],
  };
}

/** The environment with everything of a person's own below another folder: what is kept there is nobody else's. */
export function withHome(environment: Environment, home: string): Environment {
  return {
    ...environment,
    home,
    configHome: posix.join(home, ".config"),
    dataHome: posix.join(home, ".local/share"),
    data: null,
  };
}

/** What an agent of a workspace must not reach, or not without a person. A workspace within our own folders is refused. */
export async function protectedPlacesOf(
  files: Files,
  root: string,
  environment: Environment,
  places: AgentPlaces,
): Promise<ProtectedPlaces> {
  const kept = await Promise.all(ownPlaces(environment, places).map((path) => realPathOf(files, path)));
  if (environment.store?.startsWith("/") === true) {
    const store = await realPathOf(files, environment.store);
    // SQLite takes what lies beside its file for a part of it.
    kept.push(...["", "-wal", "-shm", "-journal"].map((end) => `${store}${end}`));
  }
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

/** The disk as if these places were not there: what is looked for skills in, and what a skill brings along, is never ours. */
export function filesWithout(files: Files, hidden: readonly string[]): Files {
  const isHidden = (path: string): boolean => hidden.some((place) => `${path}/`.startsWith(`${place}/`));
  const demand = (path: string): string => {
    if (isHidden(posix.normalize(path))) throw new AppError("path.missing", `no such path: ${posix.basename(path)}`);
    return path;
  };
  return {
    resolve: async (path) => demand(await files.resolve(path)),
    kind: async (path) => files.kind(demand(path)),
    stamp: async (path) => files.stamp(demand(path)),
    read: async (path, max) => files.read(demand(path), max),
    readStamped: async (path, max) => files.readStamped(demand(path), max),
    isPrivate: async (path) => files.isPrivate(demand(path)),
    list: async (folder, max) => {
      const { entries, complete } = await files.list(demand(folder), max);
      return { entries: entries.filter(({ name }) => !isHidden(posix.join(folder, name))), complete };
    },
  };
}
