import { safeLine } from "../core/text.ts";
import type { HostSet } from "../net/host-set.ts";
import { pathFault } from "../skill/bundle.ts";

/** A repository by its name. Both parts fit GitHub's patterns (T3); that it is still the same one, its ids say (T12). */
export interface Repository {
  readonly hosts: HostSet;
  readonly owner: string;
  readonly name: string;
}

/** Letters and digits with single hyphens between; a company's accounts may end in `_company`. */
const ownerPattern = /^[A-Za-z0-9](?:[A-Za-z0-9]|[-_](?=[A-Za-z0-9])){0,38}$/;
const namePattern = /^[A-Za-z0-9._-]{1,100}$/;

/** T3: the only way to a repository out of text. Undefined for what GitHub would not have; one `.git` is no part of a name. */
export function repositoryNamed(hosts: HostSet, owner: string, written: string): Repository | undefined {
  const name = written.replace(/\.git$/, "");
  const isName = namePattern.test(name) && name !== "." && name !== ".." && !/\.git$/i.test(name);
  return isName && ownerPattern.test(owner) ? { hosts, owner, name } : undefined;
}

export function fullName({ owner, name }: Repository): string {
  return `${owner}/${name}`;
}

/** The same for one repository of one GitHub, however its name is written. */
export function repositoryKey(repository: Repository): string {
  return `${repository.hosts.name} ${identityOf(repository, "")}`;
}

/** Names that differ by case alone are one repository; identities are written in lower case (IN-14). */
export function identityOf(repository: Repository, path: string): string {
  const name = fullName(repository).toLowerCase();
  return path === "" ? name : `${name}/${path}`;
}

/** Well within what an address may have (IN-3). */
const longestEncoded = 4096;

/** What would be a dot, a slash or a control for whoever decodes once more than was encoded (T2). */
const encodedTwice = /%(?:2e|2f|5c|[01][0-9a-f]|7f)/i;

/** Why a path cannot be one inside a repository, if so (T2, T23). The empty path is the repository itself. */
export function repositoryPathFault(path: string): string | undefined {
  if (path === "") return undefined;
  const fault = pathFault(path);
  if (fault !== undefined) return fault.message.replace(/; left out$/, "");
  if (/(?:^|\/)\.git(?:\/|$)/i.test(path)) return `"${safeLine(path)}" leads into .git`;
  if (encodeURIComponent(path).length > longestEncoded)
    return `"${safeLine(path)}" is too long for an address, where each letter beyond ASCII takes up to nine`;
  if (encodedTwice.test(path)) return `"${safeLine(path)}" has an encoded dot, slash or control character`;
  return undefined;
}
