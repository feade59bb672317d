import { AppError } from "../core/error.ts";
import { fullName, type Repository } from "../sources/repository.ts";
import { folderOf } from "./folder-name.ts";
import { type LockedSkill, lockFile } from "./lock.ts";
import { skillsFolder } from "../skill/agent-folders.ts";

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
