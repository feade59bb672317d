import type { ProvenTree, TreeEntry } from "./git/git.ts";
import { skillFile } from "../skill/bundle.ts";

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
