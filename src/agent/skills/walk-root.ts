import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import type { WalkLimits } from "../../core/limits.ts";
import { hasUnseen, safeLine } from "../../core/text.ts";
import { readPathPattern } from "../../scope/tools/paths.ts";
import { fitsHead } from "../../core/glob.ts";
import type { Files, Listing } from "../../core/world.ts";
import { skillFile } from "../../skill/bundle.ts";
import { finding } from "../../skill/faults.ts";
import { findSkills } from "../../skill/find-skills.ts";
import type { SkillFolder } from "../../skill/load-bundle.ts";
import { agentFinding, placedIn } from "../agent-faults.ts";

export const ignoreFile = ".gitignore";

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
      if (entries.some(({ name, kind }) => name === ignoreFile && kind === "file")) ignoring.add(pathIn(root, folder));
      if (entries.length < fewEntries && entries.some(({ name }) => name === skillFile))
        ofSkills.set(folder, { entries, complete: true });
    },
  });
  const failed = found.findings.find(({ code, at }) => code === "folder.unreadable" && at.file === root);
  if (failed !== undefined) throw new AppError("disk.failed", failed.message);
  const places = found.folders
    .map((folder): SkillPlace => {
      const path = pathIn(root, folder.path);
      // At the root of a workspace lies more than a skill, also when it is the only one.
      return { path, folder: path === "" ? { ...folder, role: "root" } : folder, listed: ofSkills.get(folder.path) };
    })
    .filter(({ path }) => !patterns.covers(path === "" ? skillFile : `${path}/${skillFile}`));
  const findings = found.findings.map((each) => placedIn(shown(pathIn(root, each.at.file)), each));
  const unnameable = places.filter(({ path }) => isUnnameable(path));
  return {
    places: places.filter(({ path }) => !isUnnameable(path)),
    folders,
    ignoring,
    findings: [...findings, ...unnameable.map(({ path }) => finding("path.unsafe", unnameableWords, shown(path)))],
  };
}

/** Bytes. The id of a skill holds its path, and people see and type it. */
const longestPath = 1_024;
const unnameableWords = `a path with characters that cannot be seen, or of more than ${longestPath} bytes; the skill there is not loaded, rename the folder`;

function isUnnameable(path: string): boolean {
  return hasUnseen(path) || Buffer.byteLength(path) > longestPath;
}

/** What is kept of thousands of skills until they are read; a folder with more is listed once more. */
const fewEntries = 64;

function pathIn(root: string, path: string): string {
  return path.slice(root.length + 1);
}

function shown(path: string): string {
  return safeLine(path === "" ? "." : path, 240);
}

/** What `ignore` of `skillward.yaml` leaves out of a search. */
export interface IgnorePatterns {
  /** Whether a path, with `/` from the root on, or a folder that it is in, is left out. */
  covers(path: string): boolean;
  readonly findings: readonly Finding[];
}

export function readIgnorePatterns(written: readonly string[]): IgnorePatterns {
  const findings: Finding[] = [];
  const patterns: (readonly string[])[] = [];
  for (const text of written) {
    const segments = readPathPattern(text.endsWith("/") ? text.slice(0, -1) : text);
    if (typeof segments !== "string") patterns.push(segments);
    else {
      const message = `ignore: "${safeLine(text, 100)}" has no effect: ${segments}`;
      findings.push(agentFinding("agent.ignore-pattern", "skillward.yaml", message));
    }
  }
  if (patterns.length === 0) return { covers: () => false, findings };
  return {
    covers(path) {
      const segments = path.split("/");
      return patterns.some((pattern) => fitsHead(pattern, segments));
    },
    findings,
  };
}
