import type { Digest } from "../core/digest.ts";
import type { EntryId } from "../core/ids.ts";
import { isSkillsFolder, skillsFolder } from "../skill/agent-folders.ts";
import { checkName } from "../skill/name.ts";
import type { ObjectId } from "../sources/ref.ts";

/** What a folder is to be, to the byte. */
export interface LockedFiles {
  /** Over all files (SK-12). */
  readonly digest: Digest;
  /** By path inside the folder, in byte order. */
  readonly files: ReadonlyMap<string, Digest>;
  readonly executable: readonly string[];
}

/** One skill that a workspace has from a repository (IN-25). */
export interface LockedSkill extends LockedFiles {
  /** `owner/name`. */
  readonly source: string;
  /** The name of a host set of the user's own configuration: a lock file can name no URL (invariant 10). */
  readonly hosts: string;
  /** Its folder in the repository; empty for the root. */
  readonly path: string;
  /** `heads/…` or `tags/…`; null: one commit for good. */
  readonly ref: string | null;
  readonly commit: ObjectId;
  readonly repositoryId: number;
  readonly ownerId: number;
  readonly tree: ObjectId;
  /** Codes of findings that a person accepted. A record: it lifts nothing the next time (T44). */
  readonly accepted: readonly string[];
  readonly proof: { readonly commit: "hashed" | "by API"; readonly reachable: string | null };
}

/** One skill that was written out of a registry, as it is approved there (SV-6). Nothing of it is executable. */
export interface ExportedSkill extends LockedFiles {
  /** The id of its store: what one registry wrote is not for another to replace. */
  readonly registry: string;
  readonly entry: EntryId;
}

export type Locked = LockedSkill | ExportedSkill;

export function isExported(locked: Locked): locked is ExportedSkill {
  return "registry" in locked;
}

/** By their keys (`lock-key.ts`), in byte order. */
export type Lock = ReadonlyMap<string, Locked>;

export const lockFile = "skillward.lock";
export const lockVersion = 1;

/** Far more than a workspace uses, and little enough to be read at no cost. What is more is neither read nor written. */
export const mostLocked = { skills: 1000, bytes: 8 * 2 ** 20 };

/** The same lock is the same bytes, whoever writes it. */
export function renderLock(lock: Lock): string {
  const skills = new Map(inByteOrder(lock).map(([folder, skill]) => [folder, fieldsOf(skill)]));
  return `${renderValue(
    new Map<string, Value>([
      ["version", lockVersion],
      ["skills", skills],
    ]),
    "",
  )}\n`;
}

type Value = string | number | null | readonly string[] | ReadonlyMap<string, Value>;

function fieldsOf(skill: Locked): ReadonlyMap<string, Value> {
  if (isExported(skill))
    return new Map<string, Value>([
      ["registry", skill.registry],
      ["entry", skill.entry],
      ["digest", skill.digest],
      ["files", new Map(inByteOrder(skill.files))],
    ]);
  return new Map<string, Value>([
    ["source", skill.source],
    ["hosts", skill.hosts],
    ["path", skill.path],
    ["ref", skill.ref],
    ["commit", skill.commit],
    ["repositoryId", skill.repositoryId],
    ["ownerId", skill.ownerId],
    ["tree", skill.tree],
    ["digest", skill.digest],
    ["files", new Map(inByteOrder(skill.files))],
    ["executable", skill.executable.toSorted(compareBytes)],
    ["accepted", skill.accepted.toSorted(compareBytes)],
    ["proof", new Map<string, Value>(Object.entries(skill.proof))],
  ]);
}

/** Not through an object, which would put keys that look like numbers first. */
function renderValue(value: Value, indent: string): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close, lines] = isList(value)
    ? ["[", "]", value.map((item) => JSON.stringify(item))]
    : ["{", "}", Array.from(value, ([key, each]) => `${JSON.stringify(key)}: ${renderValue(each, inner)}`)];
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
}

function isList(value: readonly string[] | ReadonlyMap<string, Value>): value is readonly string[] {
  return Array.isArray(value);
}

export function inByteOrder<Kept>(entries: ReadonlyMap<string, Kept>): [string, Kept][] {
  return [...entries].toSorted(([a], [b]) => compareBytes(a, b));
}

export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

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

/** AG-11: as strict as the public specification is with names, a to z only; so it is safe on every disk. */
export function isFolderName(name: string): boolean {
  return checkName(name, name, 1).length === 0;
}
