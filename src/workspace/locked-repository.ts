import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { fullName, type Repository, repositoryNamed } from "../sources/repository.ts";
import { githubCom, type HostSet, type HostSets } from "../net/host-set.ts";
import { type LockedSkill, lockFile } from "./lock.ts";
import { skillsFolder } from "../skill/agent-folders.ts";

/** `owner/name`, as GitHub has them (T3). */
export function isRepositoryName(text: string): boolean {
  return named(text, githubCom) !== undefined;
}

/** The repository that a lock file names, on a GitHub that the user's own configuration has (invariant 10, T44). */
export function repositoryOf({ source, hosts }: LockedSkill, sets: HostSets): Repository {
  const repository = named(source, hostsNamed(hosts, sets));
  if (repository === undefined) throw new AppError("usage.invalid", `"${safeLine(source)}" is not owner/name`);
  return repository;
}

function hostsNamed(name: string, sets: HostSets): HostSet {
  const set = sets.find((each) => each.name === name);
  if (set !== undefined) return set;
  const known = sets.map((each) => each.name).join(", ");
  throw new AppError(
    "host.refused",
    `"${safeLine(name)}" is none of the GitHubs of your configuration (${known}); name it under \`github\` there if you trust it`,
  );
}

function named(text: string, set: HostSet): Repository | undefined {
  const [owner = "", name = "", ...rest] = text.split("/");
  const repository = repositoryNamed(set, owner, name);
  return repository !== undefined && rest.length === 0 && fullName(repository) === text ? repository : undefined;
}

/** The last segment of the path in the repository, or the repository's name at its root. */
export function folderOf(path: string, repository: string): string {
  return path === "" ? repository : path.slice(path.lastIndexOf("/") + 1);
}

/** T12: a name that is another's now is said with advice for a workspace: what is fetched tells sources what to do. */
export async function advisingFrozen<Result>(
  repository: Repository,
  locked: LockedSkill | undefined,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "source.frozen") throw error;
    const message = locked === undefined ? adviceToAdd(repository) : adviceToKeep(repository, locked);
    throw new AppError("source.frozen", message, { cause: error });
  }
}

function adviceToAdd(repository: Repository): string {
  return `${fullName(repository)} was renamed or transferred; look at where it went, then add it under its new name`;
}

function adviceToKeep(repository: Repository, { path, repositoryId, ownerId }: LockedSkill): string {
  const what = `is not the repository that is locked, ${repositoryId} of owner ${ownerId}`;
  const folder = `${skillsFolder}/${folderOf(path, repository.name)}`;
  return `${fullName(repository)} ${what}: it was renamed, transferred or registered anew by somebody, and what is here stays as it is. Look at it; to take the skill from there all the same, remove ${folder} and its entry in ${lockFile}, then add it again`;
}
