import { isSkillsFolder, skillsFolder } from "./agents.ts";
import { isFolderName } from "./folder-name.ts";

/**
 * What a skill is called in a lock file: its folder's name where it lies in `.agents/skills`, else its path below the
 * root, such as `.claude/skills/pdf` or `./pdf`. So no two can claim one place.
 */
export function keyOf(folder: string, name: string): string {
  return folder === skillsFolder ? name : `${folder}/${name}`;
}

/** The two parts of such a key; undefined for what none can be (T44). */
export function parseKey(key: string): { readonly folder: string; readonly name: string } | undefined {
  const slash = key.lastIndexOf("/");
  const [folder, name] = slash === -1 ? [skillsFolder, key] : [key.slice(0, slash), key.slice(slash + 1)];
  const isKnown = isSkillsFolder(folder) && isFolderName(name) && keyOf(folder, name) === key;
  return isKnown ? { folder, name } : undefined;
}

/** The folders that skills of a lock file lie in, and the one that every workspace has. */
export function foldersOf(keys: Iterable<string>): readonly string[] {
  const named = Array.from(keys, (key) => parseKey(key)?.folder ?? skillsFolder);
  return [...new Set([skillsFolder, ...named])];
}
