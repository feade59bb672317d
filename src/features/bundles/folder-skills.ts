import type { Bundle } from "../../skill/bundle.ts";
import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import { blocks, type Finding } from "../../core/finding.ts";
import { type EntryId, entryId } from "../../core/ids.ts";
import { nearest } from "../../core/nearest.ts";
import { nameKey, safeLine, safeName } from "../../core/text.ts";
import type { Clock, Files } from "../../core/world.ts";
import { skillFile } from "../../skill/bundle.ts";
import { isRefused } from "../../skill/faults.ts";
import { parse } from "../../skill/skill.ts";
import { readFolder } from "../../sources/folder.ts";
import type { Material } from "../../compose/composition.ts";

/** A skill of a folder, as its reading gives it. */
interface ReadBundle {
  readonly path: string;
  readonly bundle: Bundle;
}

/** A skill as it lies in a folder. Nobody has approved it: whoever composes it vouches for the folder. */
export interface FolderSkill {
  /** `folder:<path in the folder>`. */
  readonly entry: EntryId;
  /** Where it lies in the folder, with `/`; empty when the folder itself is the skill. */
  readonly path: string;
  /** As it may be shown. */
  readonly name: string;
  readonly description: string;
  /** Null when it could not be read as a whole. */
  readonly digest: Digest | null;
  /** Why it cannot be used; null when it can. */
  readonly unusable: string | null;
  readonly findings: readonly Finding[];
  readonly material: Material;
}

export interface FolderSkills {
  readonly skills: readonly FolderSkill[];
  /** About the folder: what in it was not looked into. */
  readonly findings: readonly Finding[];
}

/** As much as one reading takes in: a folder of a person's own, not a registry. */
const bounds = { files: 20_000, seconds: 120, bytes: 512 * 2 ** 20 };

/** Every skill of a folder in the order of the walk; what blocks in one makes it unusable, and stays listed. */
export async function loadFolderSkills(world: FolderWorld, folder: string, source = "folder"): Promise<FolderSkills> {
  const { skills, findings } = await readFolderAs(world, folder, (read) => folderSkill(read, source));
  return { skills, findings };
}

export interface FolderWorld {
  readonly files: Files;
  readonly clock: Clock;
}

/** What `make` makes of each skill of a folder, in the order of the walk. Nothing else of the bytes is kept. */
export async function readFolderAs<Made>(
  world: FolderWorld,
  folder: string,
  make: (read: ReadBundle) => Made,
): Promise<{ skills: readonly Made[]; findings: readonly Finding[] }> {
  // Links are followed here: this is a path that a person named.
  const reading = readFolder(world, await world.files.resolve(folder), { bounds, onProgress: () => undefined });
  const skills: Made[] = [];
  for (let step = await reading.next(); ; step = await reading.next()) {
    if (step.done === true) return { skills, findings: step.value.findings };
    skills.push(make(step.value));
  }
}

/** A skill as it was read from a folder, named and judged. */
export function parseFolderSkill({ path, bundle }: ReadBundle, source: string) {
  const { skill, findings } = parse(bundle, "ingest");
  const placed = findings.map((each) => placedIn(path || ".", each));
  const name = safeName(skill?.manifest.name ?? bundle.folder);
  const unusable = whyUnusable(placed, skill !== undefined);
  return { entry: entryId({ source, path }), path, name, skill, unusable, findings: placed };
}

/** Of the bytes only those of SKILL.md are kept: nothing else is put into a prompt. */
function folderSkill(read: ReadBundle, source: string): FolderSkill {
  const { skill, ...parsed } = parseFolderSkill(read, source);
  const { bundle } = read;
  return {
    ...parsed,
    description: skill?.manifest.description ?? "",
    digest: bundle.digest,
    material: {
      files: bundle.files.map((file) => ({ path: file.path, digest: file.digest })),
      skill: bundle.files.find((file) => file.path === skillFile)?.bytes,
      faults: [],
    },
  };
}

function placedIn(folder: string, seen: Finding): Finding {
  return { ...seen, at: { ...seen.at, file: `${folder}/${seen.at.file}` } };
}

/** Nobody is there who could override what blocks. */
function whyUnusable(findings: readonly Finding[], isLoadable: boolean): string | null {
  const why = findings.find((each) => isRefused([each], "ingest")) ?? findings.find(blocks);
  if (why !== undefined) return `${why.code}: ${why.message}`;
  return isLoadable ? null : "it cannot be read as a skill";
}

/** Those of the names, in that order and each once; a name that nobody or more than one has is refused (SK-15). */
export function chooseSkills(skills: readonly FolderSkill[], names: readonly string[]): readonly FolderSkill[] {
  return [...new Set(names.map((name) => demandSkill(skills, name)))];
}

/** What a skill in a folder can be named by. */
type Nameable = Pick<FolderSkill, "entry" | "name" | "path">;

export function demandSkill<Named extends Nameable>(skills: readonly Named[], typed: string): Named {
  const identified = skills.find(({ entry }) => entry === typed);
  if (identified !== undefined) return identified;
  const key = nameKey(typed);
  // A path only where it is nobody's name: it must not hide that two have that name.
  const named = skills.filter(({ name }) => nameKey(name) === key);
  const [only, ...others] = named.length > 0 ? named : skills.filter(({ path }) => path === typed);
  if (only === undefined) throw unknownSkill(skills, typed);
  if (others.length > 0) throw ambiguous(typed, [only, ...others]);
  return only;
}

function unknownSkill(skills: readonly Nameable[], typed: string): AppError {
  const near = nearest(
    typed,
    skills.map(({ name }) => name),
  );
  const hint = near === undefined ? `it has ${listed(skills.map(({ name }) => name))}` : `did you mean ${near}?`;
  return new AppError("record.missing", `the folder has no skill "${safeLine(typed)}"; ${hint}`);
}

function ambiguous(typed: string, skills: readonly Nameable[]): AppError {
  const ids = listed(skills.map(({ entry }) => safeLine(entry, 240)));
  return new AppError("usage.invalid", `several skills are named "${safeLine(typed)}": ${ids}; name one by its id`);
}

const mostListed = 10;

function listed(items: readonly string[]): string {
  const more = items.length - mostListed;
  return items.length === 0 ? "none" : items.slice(0, mostListed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
