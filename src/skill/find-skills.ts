import { ahead } from "../core/async.ts";
import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import type { WalkLimits } from "../core/limits.ts";
import type { Files, FolderEntry } from "../core/world.ts";
import { skillFile } from "./bundle.ts";
import { finding } from "./faults.ts";
import { ofRootSkill, type SkillFolder } from "./load-bundle.ts";

const skippedFolders = new Set([".git", "node_modules"]);

/** A walk waits for the disk most of the time. */
const listedAhead = 32;

/** What a walk is told beside its bounds. Paths are whole, from the root's on. */
interface WalkOptions {
  /** Folders that are not looked into, with all below them. */
  readonly skips?: (folder: string) => boolean;
  /** Told of every folder that was looked into, in the order of the walk. */
  readonly onFolder?: (folder: string, entries: readonly FolderEntry[]) => void;
}

/** Finds the skills in a folder: a bounded walk that follows nothing (SK-11). A folder with SKILL.md ends it. */
export async function findSkills(
  files: Files,
  root: string,
  bounds: WalkLimits,
  options: WalkOptions = {},
): Promise<{ folders: SkillFolder[]; findings: Finding[] }> {
  const walk = new SkillWalk(bounds, options);
  const list = (path: string) => listOrFind(files, path, bounds.folderEntries);
  // Breadth first: what lies in the folders of one level is the next.
  for (let level: readonly string[] = [root]; level.length > 0; level = walk.below)
    for await (const listed of ahead(walk.begin(level), listedAhead, list)) if (!walk.take(listed)) break;
  const { folders, findings } = walk;
  const [first, ...others] = folders;
  return first?.role === "root" && others.length === 0 ? asOneSkill(first, findings) : { folders, findings };
}

interface Listed {
  readonly path: string;
  readonly entries: readonly FolderEntry[];
  readonly findings: readonly Finding[];
}

class SkillWalk {
  readonly folders: SkillFolder[] = [];
  readonly findings: Finding[] = [];
  /** The folders of the next level. */
  below: string[] = [];
  readonly #bounds: WalkLimits;
  readonly #options: WalkOptions;
  #depth = -1;
  /** Folders so far, with the root. */
  #count = 1;
  #isFull = false;

  constructor(bounds: WalkLimits, options: WalkOptions) {
    this.#bounds = bounds;
    this.#options = options;
  }

  begin(level: readonly string[]): readonly string[] {
    this.below = [];
    this.#depth++;
    return level;
  }

  /** False when the walk ends here. */
  take({ path, entries, findings }: Listed): boolean {
    this.findings.push(...findings);
    this.#options.onFolder?.(path, entries);
    const isSkill = entries.some(({ name }) => name === skillFile);
    if (isSkill && this.folders.length === this.#bounds.skills) {
      this.#stop(`more than ${this.#bounds.skills} skills`, path);
      this.below = [];
      return false;
    }
    if (isSkill) this.folders.push({ path, role: this.#depth === 0 ? "root" : "leaf" });
    else this.findings.push(...almostNamed(path, entries), ...notWalked(path, entries));
    if (!isSkill || this.#depth === 0) this.#goBelow(path, entries, isSkill);
    return true;
  }

  #goBelow(path: string, entries: readonly FolderEntry[], isSkill: boolean): void {
    const inside = entries.filter((entry) => isWalked(entry, isSkill)).map(({ name }) => `${path}/${name}`);
    const skips = this.#options.skips;
    const below = skips === undefined ? inside : inside.filter((folder) => !skips(folder));
    if (below.length === 0) return;
    if (this.#depth === this.#bounds.depth) {
      this.findings.push(finding("walk.bounds", `deeper than ${this.#bounds.depth} folders`, path));
      return;
    }
    const left = this.#bounds.folders - this.#count;
    if (below.length > left && !this.#isFull) this.#stop(`more than ${this.#bounds.folders} folders`, path);
    if (below.length > left) this.#isFull = true;
    for (const folder of below.slice(0, left)) this.below.push(folder);
    this.#count += Math.min(below.length, left);
  }

  #stop(why: string, path: string): void {
    this.findings.push(finding("walk.bounds", `${why}; the rest was not read`, path));
  }
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

async function listOrFind(files: Files, path: string, most: number): Promise<Listed> {
  try {
    const { entries, complete } = await files.list(path, most);
    if (complete) return { path, entries, findings: [] };
    const more = finding("walk.bounds", `more than ${most} entries in one folder; not all were seen`, path);
    return { path, entries: [...entries, ...(await skillFileIn(files, path))], findings: [more] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { path, entries: [], findings: [finding("folder.unreadable", error.message, path)] };
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
