import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import { skillFile } from "../skill/bundle.ts";
import { finding } from "../skill/faults.ts";
import { ofRootSkill } from "../skill/load-bundle.ts";
import type { ProvenTree, TreeEntry } from "./git/git.ts";
import { fullName, type Repository, repositoryPathFault } from "./repository.ts";

export function isFolderMode(mode: string | undefined): boolean {
  return mode === "040000";
}

/** T24: what is read of a tree; everything else is a link, a submodule or nothing that git writes today. */
export function isFileMode(mode: string | undefined): boolean {
  return mode === "100644" || mode === "100755";
}

const indexes = new WeakMap<ProvenTree, TreeIndex>();

/** A tree never changes: it is gone through once, however often it is searched. */
export function indexOf(tree: ProvenTree): TreeIndex {
  const known = indexes.get(tree);
  if (known !== undefined) return known;
  const index = new TreeIndex(tree);
  indexes.set(tree, index);
  return index;
}

/** A tree by its folders, made in one pass: what is in each, and which of them hold a skill somewhere. */
export class TreeIndex {
  readonly #below = new Map<string, TreeEntry[]>();
  readonly #holding = new Set<string>();
  readonly #unknown: ReadonlySet<string>;

  constructor({ entries, unknown }: ProvenTree) {
    this.#unknown = new Set(unknown);
    for (const entry of entries.values()) {
      const folder = parentOf(entry.path);
      const siblings = this.#below.get(folder);
      if (siblings === undefined) this.#below.set(folder, [entry]);
      else siblings.push(entry);
      if (nameOf(entry.path) === skillFile && isFileMode(entry.mode)) this.#mark(folder);
    }
  }

  /** In the order of the tree. */
  in(folder: string): readonly TreeEntry[] {
    return this.#below.get(folder) ?? [];
  }

  /** Whether there is a SKILL.md in it, however deep. */
  holdsSkill(folder: string): boolean {
    return this.#holding.has(folder);
  }

  /** Whether its listing could not be had. */
  isUnlisted(folder: string): boolean {
    return this.#unknown.has(folder);
  }

  /** Whether that is so for it or for a folder above it: then it may be there, or not. */
  isUnknown(path: string): boolean {
    return this.#unknown.has(path) || (path !== "" && this.isUnknown(parentOf(path)));
  }

  /** Each folder is marked once: above one that is, all are. */
  #mark(folder: string): void {
    for (let at = folder; !this.#holding.has(at); at = parentOf(at)) this.#holding.add(at);
  }
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

interface CollectedFiles {
  readonly files: readonly TreeEntry[];
  readonly findings: readonly Finding[];
}

/** The files of one skill (SK-11, T23, T24), as `loadBundle` takes them from a disk. Undefined where some are not known. */
export function collectFiles(index: TreeIndex, skill: string, role: "leaf" | "root"): CollectedFiles | undefined {
  const files: TreeEntry[] = [];
  const findings: Finding[] = [];
  const waiting = [skill];
  for (const folder of waiting) {
    if (index.isUnlisted(folder)) return undefined;
    for (const entry of index.in(folder)) {
      const name = nameOf(entry.path);
      if (folder === skill && role === "root" && !ofRootSkill.has(name)) continue;
      if (isFolderMode(entry.mode)) {
        if (name !== ".git") waiting.push(entry.path);
        continue;
      }
      const fault = faultOf(entry, skill === "" ? entry.path : entry.path.slice(skill.length + 1));
      if (fault === undefined) files.push(entry);
      else findings.push(fault);
    }
  }
  return { files, findings: capped(findings) };
}

function faultOf({ mode }: TreeEntry, inside: string): Finding | undefined {
  const shown = safeLine(inside);
  if (mode === "120000") return finding("path.link", "a symbolic link; not followed, left out", shown);
  if (mode === "160000") return finding("path.special", "a submodule; left out", shown);
  if (!isFileMode(mode))
    return finding("path.special", `no regular file (mode ${safeLine(mode, 12)}); left out`, shown);
  const unsafe = repositoryPathFault(inside);
  return unsafe === undefined ? undefined : finding("path.unsafe", `${unsafe}; left out`, shown);
}

const mostOfACode = 50;

/** Fifty of one kind say what thousands do; the rest is counted. */
export function capped(findings: readonly Finding[]): readonly Finding[] {
  const counts = new Map<string, number>();
  const kept: Finding[] = [];
  for (const each of findings) {
    const count = (counts.get(each.code) ?? 0) + 1;
    counts.set(each.code, count);
    if (count <= mostOfACode) kept.push(each);
  }
  for (const [at, each] of kept.entries()) {
    const more = (counts.get(each.code) ?? 0) - mostOfACode;
    if (more <= 0) continue;
    counts.delete(each.code);
    kept[at] = { ...each, message: `${each.message} (and ${more} more like this)` };
  }
  return kept;
}

/** What is to be in a repository before it becomes a source: the SKILL.md of one skill, or a folder. */
interface WantedPlace {
  readonly repository: Repository;
  readonly kind: "file" | "repo";
  /** The folder; empty: the repository. */
  readonly path: string;
}

/** A path with a typo is told before anything is added. What cannot be known counts as there: a sync will tell. */
export function demandPlace(tree: ProvenTree, { repository, kind, path }: WantedPlace): void {
  const wanted = kind === "repo" ? path : `${path}/${skillFile}`.replace(/^\//, "");
  if (wanted === "" || new TreeIndex(tree).isUnknown(wanted)) return;
  const mode = tree.entries.get(wanted)?.mode;
  if (kind === "repo" ? isFolderMode(mode) : isFileMode(mode)) return;
  const advice =
    kind === "repo" ? "name one of its folders, or a SKILL.md in it" : "name a folder that has a file SKILL.md";
  throw new AppError(
    "source.missing",
    `${fullName(repository)} has no ${kind === "repo" ? "folder" : "file"} ${safeLine(wanted)}${insteadOf(mode)}; ${advice}`,
  );
}

function insteadOf(mode: string | undefined): string {
  if (mode === undefined) return "";
  if (isFolderMode(mode)) return ": that is a folder";
  if (isFileMode(mode)) return ": that is a file";
  return mode === "120000" ? ": that is a symbolic link, which is not followed" : ": that is another repository";
}
