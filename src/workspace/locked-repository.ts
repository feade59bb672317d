import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { fullName, type Repository, repositoryNamed } from "../sources/repository.ts";
import { githubCom, type HostSet, type HostSets } from "../net/host-set.ts";
import type { LockedSkill } from "./lock.ts";

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
