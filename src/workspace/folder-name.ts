import { checkName } from "../skill/name.ts";

/** AG-11: as strict as the public specification is with names, a to z only; so it is safe on every disk. */
export function isFolderName(name: string): boolean {
  return checkName(name, name, 1).length === 0;
}

/** The last segment of the path in the repository, or the repository's name at its root. */
export function folderOf(path: string, repository: string): string {
  return path === "" ? repository : path.slice(path.lastIndexOf("/") + 1);
}
