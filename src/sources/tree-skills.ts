import type { Finding } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import { skillFile } from "../skill/bundle.ts";
import { finding } from "../skill/faults.ts";
import { ofRootSkill } from "../skill/load-bundle.ts";
import type { ProvenTree, TreeEntry } from "./git/git.ts";
import type { ObjectId } from "./ref.ts";
import { repositoryPathFault } from "./repository.ts";
import { sourceFinding } from "./source-faults.ts";
import {
  capped,
  collectFiles,
  indexOf,
  isFileMode,
  isFolderMode,
  nameOf,
  parentOf,
  type TreeIndex,
} from "./tree-index.ts";

/** A skill in a tree of git: which files it has, before any of them is fetched. */
export interface TreeSkill {
  /** Inside the repository; empty for its root. */
  readonly path: string;
  /** The id of the folder's tree. */
  readonly tree: ObjectId;
  /** `root`: of the repository, where other skills lie below (SK-11). */
  readonly role: "leaf" | "root";
  /** Regular files alone, by their paths in the repository (T24). */
  readonly files: readonly TreeEntry[];
  /** What was left out and why, by paths inside the skill. */
  readonly findings: readonly Finding[];
}

export interface TreeSearchOptions {
  /** Folders to begin at; the empty path is the repository. Depth is counted from each. */
  readonly roots: readonly string[];
  /** Names of folders that are not searched. */
  readonly skip: readonly string[];
  readonly depth: number;
}

export interface FoundInTree {
  readonly skills: readonly TreeSkill[];
  readonly findings: readonly Finding[];
  /** Paths below which nothing is known, or was not looked at: no entry there may be taken for gone (IN-10, IN-16). */
  readonly unvisited: readonly string[];
  /** How many entries of the tree were looked at. */
  readonly lookedAt: number;
}

/** Finds the skills in a tree (IN-13): what a skill folder is, `findSkills` says of folders on a disk. */
export function findTreeSkills(tree: ProvenTree, options: TreeSearchOptions): FoundInTree {
  const search = new TreeSearch(tree, options);
  for (const root of new Set(options.roots)) search.walk(root);
  return search.finish();
}

const neverSearched = new Set([".git", "node_modules"]);

class TreeSearch {
  readonly #tree: ProvenTree;
  readonly #index: TreeIndex;
  readonly #depth: number;
  readonly #roots: ReadonlySet<string>;
  readonly #skip: ReadonlySet<string>;
  /** Folders with SKILL.md; only the repository's own root may have other skills below it. */
  readonly #found = new Map<string, "leaf" | "root">();
  readonly #walks = new Map<string, Finding[]>();
  readonly #unvisited = new Set<string>();
  #lookedAt = 0;

  constructor(tree: ProvenTree, { roots, skip, depth }: TreeSearchOptions) {
    this.#tree = tree;
    this.#index = indexOf(tree);
    this.#roots = new Set(roots);
    this.#skip = new Set(skip);
    this.#depth = depth;
  }

  walk(root: string): void {
    const findings: Finding[] = [];
    this.#walks.set(root, findings);
    if (!this.#canBegin(root, findings)) return;
    const waiting = [{ path: root, depth: 0 }];
    // Breadth first: folders found on the way are added behind the one being looked at.
    for (const { path, depth } of waiting) {
      if (this.#index.isUnlisted(path)) {
        this.#unvisited.add(path);
        continue;
      }
      const entries = this.#index.in(path);
      this.#lookedAt += 1 + entries.length;
      const isSkill = entries.some((entry) => nameOf(entry.path) === skillFile && isFileMode(entry.mode));
      if (isSkill) this.#found.set(path, path === "" ? "root" : "leaf");
      else for (const odd of entries.flatMap(oddities)) findings.push(odd);
      if (isSkill && path !== "") continue;
      const below = entries.filter((entry) => this.#isWalked(entry, isSkill, findings));
      if (depth === this.#depth) this.#stopAt(path, below, findings);
      else for (const entry of below) waiting.push({ path: entry.path, depth: depth + 1 });
    }
  }

  finish(): FoundInTree {
    const shared = this.#rootsWithOthers();
    const skills: TreeSkill[] = [];
    for (const [path, role] of this.#found) {
      if (this.#isNested(path)) continue;
      const read = this.#skillAt(path, role === "root" && shared.has(path) ? "root" : "leaf");
      if (read === undefined) this.#unvisited.add(path);
      else skills.push(read);
      this.#lookedAt += read?.files.length ?? 0;
    }
    const findings = [...this.#walks].flatMap(([root, seen]) => {
      // One that is itself a skill, with no other below, is that skill with all its files, and speaks for them.
      const isOne = this.#found.has(root) && !shared.has(root);
      return isOne ? seen.filter(({ code }) => code === "walk.bounds") : seen;
    });
    return { skills, findings: capped(findings), unvisited: [...this.#unvisited], lookedAt: this.#lookedAt };
  }

  #canBegin(root: string, findings: Finding[]): boolean {
    if (root === "") return true;
    const fault = repositoryPathFault(root);
    const entry = this.#tree.entries.get(root);
    if (fault !== undefined) findings.push(finding("path.unsafe", `${fault}; not searched`, safeLine(root)));
    else if (root.split("/").some((name) => neverSearched.has(name))) findings.push(skipped(root, "is never searched"));
    else if (isFolderMode(entry?.mode)) return true;
    else if (entry?.mode === "120000")
      findings.push(finding("walk.link", "a symbolic link; not followed", safeLine(root)));
    else if (entry === undefined && this.#index.isUnknown(root)) this.#unvisited.add(root);
    else findings.push(finding("skill.none", `there is no folder "${safeLine(root)}"`, safeLine(root)));
    return false;
  }

  /** Folders that say nothing of skills say nothing here either: only what could have held one is worth a word. */
  #isWalked({ path, mode }: TreeEntry, inRootSkill: boolean, findings: Finding[]): boolean {
    const name = nameOf(path);
    if (!isFolderMode(mode) || neverSearched.has(name) || (inRootSkill && ofRootSkill.has(name))) return false;
    // It is walked by itself.
    if (this.#roots.has(path)) return false;
    const isSkipped = this.#skip.has(name);
    const fault = repositoryPathFault(path);
    if (!isSkipped && fault === undefined) return true;
    if (!this.#index.holdsSkill(path)) return false;
    if (isSkipped) findings.push(skipped(path, "is not searched, by configuration"));
    else findings.push(finding("path.unsafe", `${fault ?? ""}; not searched`, safeLine(path)));
    return false;
  }

  /** All of the tree is known, so that a bound is said only where something lies beyond it. */
  #stopAt(path: string, below: readonly TreeEntry[], findings: Finding[]): void {
    const missed = below.filter((entry) => this.#index.holdsSkill(entry.path));
    if (missed.length === 0) return;
    findings.push(finding("walk.bounds", `there are skills deeper than ${this.#depth} folders`, safeLine(path) || "."));
    for (const entry of missed) this.#unvisited.add(entry.path);
  }

  /** The roots that are a skill and have others below, which are not theirs. */
  #rootsWithOthers(): ReadonlySet<string> {
    const shared = new Set<string>();
    for (const path of this.#found.keys())
      for (const { above, next } of stepsUp(path))
        if (this.#found.get(above) === "root" && !ofRootSkill.has(next)) shared.add(above);
    return shared;
  }

  /** A SKILL.md below a skill is a file of that skill, also where somebody named its folder. */
  #isNested(path: string): boolean {
    return stepsUp(path).some(({ above, next }) => {
      const role = this.#found.get(above);
      return role === "leaf" || (role === "root" && ofRootSkill.has(next));
    });
  }

  /** Undefined where not all of it is known. */
  #skillAt(path: string, role: "leaf" | "root"): TreeSkill | undefined {
    const tree = path === "" ? this.#tree.id : this.#tree.entries.get(path)?.id;
    const collected = collectFiles(this.#index, path, role);
    return tree === undefined || collected === undefined ? undefined : { path, tree, role, ...collected };
  }
}

/** Every folder above a path, each with the name by which the path goes on from there. */
function stepsUp(path: string): { readonly above: string; readonly next: string }[] {
  const steps: { above: string; next: string }[] = [];
  for (let at = path; at !== ""; at = parentOf(at)) steps.push({ above: parentOf(at), next: nameOf(at) });
  return steps;
}

/** What is to be said of something that lies in a folder that is no skill. */
function oddities({ path, mode }: TreeEntry): Finding[] {
  const [name, shown] = [nameOf(path), safeLine(path)];
  if (name === skillFile) {
    if (isFolderMode(mode)) return [finding("file.missing", "SKILL.md is a folder, not a file", shown)];
    if (mode === "120000") return [finding("path.link", "SKILL.md is a symbolic link, which makes no skill", shown)];
    return [finding("path.special", "SKILL.md is no regular file, which makes no skill", shown)];
  }
  if (name.toLowerCase() === "skill.md")
    return [finding("skill.case", `"${name}" is not read; the name is exactly SKILL.md`, shown)];
  if (mode === "120000") return [finding("walk.link", "a symbolic link; not followed", shown)];
  if (mode === "160000") return [skipped(path, "is a submodule; add its repository if skills are there")];
  return [];
}

function skipped(path: string, why: string): Finding {
  return sourceFinding("walk.skipped", `"${safeLine(path)}" ${why}`, path);
}
