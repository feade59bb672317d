import { AppError } from "../../base/error.ts";
import type { Finding } from "../../base/finding.ts";
import type { WalkLimits } from "../../base/limits.ts";
import type { Files, FolderEntry } from "../../base/world.ts";
import { skillFile } from "./bundle.ts";
import { finding } from "./faults.ts";
import { ofRootSkill, type SkillFolder } from "./load-bundle.ts";

const skippedFolders = new Set([".git", "node_modules"]);

/** Finds the skills in a folder: a bounded walk that follows nothing (SK-11). A folder with SKILL.md ends it. */
export async function findSkills(
  files: Files,
  root: string,
  bounds: WalkLimits,
): Promise<{ folders: SkillFolder[]; findings: Finding[] }> {
  const folders: SkillFolder[] = [];
  const findings: Finding[] = [];
  const waiting = [{ path: root, depth: 0 }];
  // Breadth first: folders found on the way are added behind the one being looked at.
  for (const { path, depth } of waiting) {
    const entries = await listOrFind(files, path, bounds.folderEntries, findings);
    const isSkill = entries.some(({ name }) => name === skillFile);
    if (isSkill && folders.length === bounds.skills) {
      findings.push(finding("walk.bounds", `more than ${bounds.skills} skills; the rest was not read`, path));
      break;
    }
    if (isSkill) folders.push({ path, role: depth === 0 ? "root" : "leaf" });
    else findings.push(...almostNamed(path, entries), ...notWalked(path, entries));
    if (isSkill && depth > 0) continue;
    const below = entries.filter((entry) => isWalked(entry, isSkill));
    if (below.length === 0) continue;
    if (depth === bounds.depth) findings.push(finding("walk.bounds", `deeper than ${bounds.depth} folders`, path));
    else if (waiting.length + below.length > bounds.folders) {
      findings.push(finding("walk.bounds", `more than ${bounds.folders} folders; the rest was not read`, path));
      break;
    } else waiting.push(...below.map(({ name }) => ({ path: `${path}/${name}`, depth: depth + 1 })));
  }
  const [first, ...others] = folders;
  return first?.role === "root" && others.length === 0 ? asOneSkill(first, findings) : { folders, findings };
}

/** A folder that is itself a skill, with no other below, is that skill with all its files, and speaks for them. */
function asOneSkill(
  folder: SkillFolder,
  findings: readonly Finding[],
): { folders: SkillFolder[]; findings: Finding[] } {
  const unseen = findings.filter(({ code }) => code === "walk.bounds" || code === "folder.unreadable");
  return { folders: [{ ...folder, role: "leaf" }], findings: unseen };
}

function isWalked({ name, kind }: FolderEntry, inRootSkill: boolean): boolean {
  return kind === "folder" && !skippedFolders.has(name) && !(inRootSkill && ofRootSkill.has(name));
}

async function listOrFind(
  files: Files,
  path: string,
  most: number,
  findings: Finding[],
): Promise<readonly FolderEntry[]> {
  try {
    const { entries, complete } = await files.list(path, most);
    if (complete) return entries;
    findings.push(finding("walk.bounds", `more than ${most} entries in one folder; not all were seen`, path));
    return [...entries, ...(await skillFileIn(files, path))];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    findings.push(finding("folder.unreadable", error.message, path));
    return [];
  }
}

/** The one name that must not be missed in a folder of which only a part was listed. */
async function skillFileIn(files: Files, path: string): Promise<FolderEntry[]> {
  try {
    return [{ name: skillFile, kind: await files.kind(`${path}/${skillFile}`) }];
  } catch (error) {
    if (error instanceof AppError && error.code === "path.missing") return [];
    throw error;
  }
}

function notWalked(path: string, entries: readonly FolderEntry[]): Finding[] {
  return entries.flatMap(({ name, kind }) => {
    if (kind === "link") return [finding("walk.link", "a symbolic link; not followed", `${path}/${name}`)];
    if (kind === "unnameable") return [finding("path.unsafe", "a name that is not UTF-8; not read", `${path}/${name}`)];
    return [];
  });
}

function almostNamed(path: string, entries: readonly FolderEntry[]): Finding[] {
  return entries
    .filter(({ name }) => name.toLowerCase() === "skill.md")
    .map(({ name }) => finding("skill.case", `"${name}" is not read; the name is exactly SKILL.md`, `${path}/${name}`));
}
