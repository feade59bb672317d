import { posix } from "node:path";
import { AppError } from "../../base/error.ts";
import type { Files } from "../../base/world.ts";

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
