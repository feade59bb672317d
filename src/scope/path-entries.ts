import { isPrintableAscii } from "../core/text.ts";
import { Commands } from "./commands.ts";
import type { ScopeForbidden } from "./scope.ts";
import { forbids, hasPrefix } from "./tools/calls.ts";
import { foldPattern, mayMeet } from "./tools/paths.ts";
import type { ReadCall, ToolPattern, ForbiddenTool } from "./tools/tools.ts";

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

/** Of each group that lets only some calls of a tool through the entries that do. */
type Lists = readonly (readonly ToolPattern[])[];

/** Patterns that are looked at before it is left open: nobody who holds so many waits for a finding. */
const mostLooks = 8_192;

/** Whether it is certain that no call of a tool passes, although every group has entries for it. */
export function areNeverMet(lists: Lists, forbidden: PathEntries): boolean {
  // A path is forbidden with all that is below it, in every spelling.
  return (
    lists.some((list) =>
      list.every(({ argument }) => argument?.kind === "path" && forbidden.coverAll(argument.segments)),
    ) ||
    areCommandsApart(lists) ||
    arePathsApart(lists)
  );
}

/** What the shortest list lets through is narrowed by one list after the other, until nothing is left of it. */
function areCommandsApart(lists: Lists): boolean {
  const [shortest = [], ...others] = lists.toSorted((a, b) => a.length - b.length);
  let shared = Commands.of(shortest);
  let looks = 0;
  for (const list of others) {
    if (shared === null) return false;
    looks += list.length + shared.size;
    const more = looks > mostLooks ? null : Commands.of(list);
    if (more === null) return false;
    shared = shared.sharedWith(more);
    if (shared.size === 0) return true;
  }
  return false;
}

type Paths = readonly (readonly string[])[];

/** Two groups are enough: nothing that the one lets through can be what the other does. */
function arePathsApart(lists: Lists): boolean {
  const paths = lists.toSorted((a, b) => a.length - b.length).map(pathsOf);
  if (!paths.every((list) => list !== null)) return false;
  let looks = 0;
  for (const [at, list] of paths.entries()) {
    const folded = list.map(foldPattern);
    for (const other of paths.slice(at + 1)) {
      looks += list.length * other.length;
      if (looks > mostLooks) return false;
      if (!folded.some((one) => other.some((another) => mayMeet(one, another)))) return true;
    }
  }
  return false;
}

/** Null when one of them is not about paths. */
function pathsOf(patterns: readonly ToolPattern[]): Paths | null {
  const paths = patterns.flatMap(({ argument }) => (argument?.kind === "path" ? [argument.segments] : []));
  return paths.length === patterns.length ? paths : null;
}

/**
 * Whether a folded pattern that forbids reaches every path that fits a pattern which allows: the path itself, or a
 * folder that it is in. False when in doubt.
 */
function forbidsBelow(forbidden: readonly string[], allowed: readonly string[]): boolean {
  // With a folder goes what is in it.
  const named = forbidden.at(-1) === "**" ? forbidden.slice(0, -1) : forbidden;
  if (named.length > allowed.length) return false;
  const folded = foldPattern(allowed);
  return named.every((segment, at) => coversSegment(segment, folded[at] ?? "", at === named.length - 1));
}

function coversSegment(forbidden: string, allowed: string, isLast: boolean): boolean {
  if (forbidden === "**") return true;
  // Whatever `**` stands for begins with some name, and nothing behind that is asked for.
  if (forbidden === "*") return allowed !== "**" || isLast;
  return forbidden === allowed && (!forbidden.includes("*") || isFoldedAlike(forbidden));
}

/** Behind a letter, a `*` may stand for an accent which the path's own folding joins to the letter. */
function isFoldedAlike(segment: string): boolean {
  return isPrintableAscii(segment) && !/[a-z<=>]\*/.test(segment);
}

/** Whether every call of a tool is forbidden by an entry; what it forbids only on some paths is not. */
export function forbidsAll({ reach }: ForbiddenTool, tool: string): boolean {
  switch (reach.kind) {
    case "tools":
      return reach.tools.includes(tool);
    case "paths":
      return reach.tools.includes(tool) && reach.segments.every((segment) => segment === "**");
    case "prefix":
      return hasPrefix(tool, reach.prefix);
    case "everything":
      return true;
  }
}

/** Whether every call that an entry lets through is forbidden by another one. False when in doubt. */
export function forbidsEvery(entry: ForbiddenTool, { tools, argument }: ToolPattern): boolean {
  if (tools.every((tool) => forbidsAll(entry, tool))) return true;
  const { reach } = entry;
  if (reach.kind !== "paths" || argument?.kind !== "path") return false;
  return tools.every((tool) => reach.tools.includes(tool)) && forbidsBelow(reach.segments, argument.segments);
}
