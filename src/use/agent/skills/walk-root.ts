import { AppError } from "../../../base/error.ts";
import type { Finding } from "../../../base/finding.ts";
import type { WalkLimits } from "../../../base/limits.ts";
import { hasUnseen, safeLine } from "../../../base/text.ts";
import type { Files, FolderEntry, Listing } from "../../../base/world.ts";
import { skillFile } from "../../../ingest/skill/bundle.ts";
import { finding } from "../../../ingest/skill/faults.ts";
import { findSkills } from "../../../ingest/skill/find-skills.ts";
import type { SkillFolder } from "../../../ingest/skill/load-bundle.ts";
import type { IgnorePatterns } from "./ignore-patterns.ts";
import { ignoreFile } from "./known-ignores.ts";

/** Where a skill lies. */
export interface SkillPlace {
  /** With `/`, from the root; empty for the root itself. */
  readonly path: string;
  readonly folder: SkillFolder;
  /** What was found in its folder, where that is all of it. */
  readonly listed: Listing | undefined;
}

interface Walk {
  readonly places: readonly SkillPlace[];
  /** All folders that were looked into, as whole paths. */
  readonly folders: readonly string[];
  /** Those that hold an ignore file of git, from the root on. */
  readonly ignoring: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/** Looks for the skills of a folder tree. Rejects when the root itself cannot be listed. */
export async function walkRoot(
  files: Files,
  root: string,
  limits: WalkLimits,
  patterns: IgnorePatterns,
): Promise<Walk> {
  // One that is gone is no folder without skills.
  await files.list(root, 1);
  const folders: string[] = [];
  const ignoring = new Set<string>();
  const ofSkills = new Map<string, Listing>();
  const found = await findSkills(files, root, limits, {
    skips: (folder) => patterns.covers(pathIn(root, folder)),
    onFolder(folder, entries) {
      folders.push(folder);
      if (entries.some(isIgnoreFile)) ignoring.add(pathIn(root, folder));
      if (entries.length < fewEntries && entries.some(isSkillFile)) ofSkills.set(folder, { entries, complete: true });
    },
  });
  const failed = found.findings.find(({ code, at }) => code === "folder.unreadable" && at.file === root);
  if (failed !== undefined) throw new AppError("disk.failed", failed.message);
  const places = found.folders
    .map((folder) => placeOf(root, folder, ofSkills.get(folder.path)))
    .filter(({ path }) => !patterns.covers(path === "" ? skillFile : `${path}/${skillFile}`));
  const findings = found.findings.map((each) => placedIn(root, each));
  const unnameable = places.filter(({ path }) => isUnnameable(path));
  return {
    places: places.filter(({ path }) => !isUnnameable(path)),
    folders,
    ignoring,
    findings: [...findings, ...unnameable.map(({ path }) => finding("path.unsafe", unnameableWords, shown(path)))],
  };
}

/** At the root of a workspace lies more than a skill, also when it is the only one. */
function placeOf(root: string, folder: SkillFolder, listed: Listing | undefined): SkillPlace {
  const path = pathIn(root, folder.path);
  return { path, folder: path === "" ? { ...folder, role: "root" } : folder, listed };
}

/** Bytes. The id of a skill holds its path, and people see and type it. */
const longestPath = 1_024;
const unnameableWords = `a path with characters that cannot be seen, or of more than ${longestPath} bytes; the skill there is not loaded, rename the folder`;

function isUnnameable(path: string): boolean {
  return hasUnseen(path) || Buffer.byteLength(path) > longestPath;
}

/** What is kept of thousands of skills until they are read; a folder with more is listed once more. */
const fewEntries = 64;

function isSkillFile({ name }: FolderEntry): boolean {
  return name === skillFile;
}

function isIgnoreFile({ name, kind }: FolderEntry): boolean {
  return name === ignoreFile && kind === "file";
}

function pathIn(root: string, path: string): string {
  return path.slice(root.length + 1);
}

function placedIn(root: string, seen: Finding): Finding {
  return { ...seen, at: { ...seen.at, file: shown(pathIn(root, seen.at.file)) } };
}

function shown(path: string): string {
  return safeLine(path === "" ? "." : path, 240);
}
