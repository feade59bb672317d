import { forbids } from "../../base/tools/calls.ts";
import { foldPattern } from "../../base/tools/paths.ts";
import type { ReadCall } from "../../base/tools/tools.ts";
import { forbidsBelow } from "./covered-paths.ts";
import type { ScopeForbidden } from "./scope.ts";

/** Folders by which entries are told apart; deeper ones are left to the entries themselves. */
const deepest = 4;

/**
 * Entries that forbid paths, found by the folders that they name before their first wildcard: of a thousand, a call has
 * to be held against those few that may be about its paths.
 */
export class PathEntries {
  readonly all: readonly ScopeForbidden[];
  readonly #at = new Map<string, ScopeForbidden[]>();
  /** By each folder above the one they name: a call on it may reach into that. */
  readonly #below = new Map<string, ScopeForbidden[]>();

  constructor(entries: readonly ScopeForbidden[]) {
    this.all = entries;
    for (const entry of entries) {
      const folders = namedFolders(entry);
      add(this.#at, folders, entry);
      for (let length = 0; length < folders.length; length++) add(this.#below, folders.slice(0, length), entry);
    }
  }

  /** Whether one of them forbids every path that fits a pattern which allows. False when in doubt. */
  coverAll(allowed: readonly string[]): boolean {
    if (this.all.length === 0) return false;
    const folders = foldPattern(allowed.slice(0, deepest));
    for (let length = 0; length <= folders.length; length++) {
      const named = this.#at.get(keyOf(folders.slice(0, length))) ?? [];
      if (named.some(({ reach }) => reach.kind === "paths" && forbidsBelow(reach.segments, allowed))) return true;
    }
    return false;
  }

  /** Those that forbid a call. */
  forbidding(call: ReadCall): readonly ScopeForbidden[] {
    if (this.all.length === 0) return this.all;
    return this.#near(call.paths).filter((entry) => forbids(entry, call));
  }

  #near(paths: ReadCall["paths"]): readonly ScopeForbidden[] {
    // What is not known of a call speaks against it, and each entry says so itself.
    if (paths === null || typeof paths === "string" || paths.length === 0) return this.all;
    const [path, ...more] = paths;
    if (path !== undefined && more.length === 0) return this.#nearOne(path);
    const near = new Set(paths.flatMap((each) => this.#nearOne(each)));
    return this.all.filter((entry) => near.has(entry));
  }

  #nearOne(path: readonly string[]): readonly ScopeForbidden[] {
    const folders = foldPattern(path.slice(0, deepest));
    const near = [this.#below.get(keyOf(folders)) ?? []];
    for (let length = 0; length <= folders.length; length++)
      near.push(this.#at.get(keyOf(folders.slice(0, length))) ?? []);
    return near.flat();
  }
}

function namedFolders({ reach }: ScopeForbidden): readonly string[] {
  if (reach.kind !== "paths") return [];
  const wildcard = reach.segments.findIndex((segment) => segment.includes("*"));
  return reach.segments.slice(0, Math.min(wildcard === -1 ? deepest : wildcard, deepest));
}

function add(lists: Map<string, ScopeForbidden[]>, folders: readonly string[], entry: ScopeForbidden): void {
  const list = lists.get(keyOf(folders));
  if (list === undefined) lists.set(keyOf(folders), [entry]);
  else list.push(entry);
}

function keyOf(folders: readonly string[]): string {
  return folders.join("/");
}
