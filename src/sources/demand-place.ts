import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import type { ProvenTree } from "./git/git.ts";
import { skillFile } from "../skill/bundle.ts";
import { fullName, type Repository } from "./repository.ts";
import { isFileMode, isFolderMode, TreeIndex } from "./tree-index.ts";

/** What is to be in a repository before it becomes a source: the SKILL.md of one skill, or a folder. */
interface WantedPlace {
  readonly repository: Repository;
  readonly kind: "file" | "repo";
  /** The folder; empty: the repository. */
  readonly path: string;
}

/** A path with a typo is told before anything is added. What cannot be known counts as there: a sync will tell. */
export function demandPlace(tree: ProvenTree, { repository, kind, path }: WantedPlace): void {
  const wanted = kind === "repo" ? path : `${path}/${skillFile}`.replace(/^\//, "");
  if (wanted === "" || new TreeIndex(tree).isUnknown(wanted)) return;
  const mode = tree.entries.get(wanted)?.mode;
  if (kind === "repo" ? isFolderMode(mode) : isFileMode(mode)) return;
  const advice =
    kind === "repo" ? "name one of its folders, or a SKILL.md in it" : "name a folder that has a file SKILL.md";
  throw new AppError(
    "source.missing",
    `${fullName(repository)} has no ${kind === "repo" ? "folder" : "file"} ${safeLine(wanted)}${insteadOf(mode)}; ${advice}`,
  );
}

function insteadOf(mode: string | undefined): string {
  if (mode === undefined) return "";
  if (isFolderMode(mode)) return ": that is a folder";
  if (isFileMode(mode)) return ": that is a file";
  return mode === "120000" ? ": that is a symbolic link, which is not followed" : ": that is another repository";
}
