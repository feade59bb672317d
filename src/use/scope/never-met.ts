import { foldPattern, mayMeet } from "../../base/tools/paths.ts";
import type { ToolPattern } from "../../base/tools/tools.ts";
import { Commands } from "./commands.ts";
import type { PathEntries } from "./path-entries.ts";

/** Of each group that lets only some calls of a tool through the entries that do. */
type Lists = readonly (readonly ToolPattern[])[];

/** Patterns that are looked at before it is left open: nobody who holds so many waits for a finding. */
const mostLooks = 8_192;

/** Whether it is certain that no call of a tool passes, although every group has entries for it. */
export function areNeverMet(lists: Lists, forbidden: PathEntries): boolean {
  return lists.some((list) => isAllForbidden(list, forbidden)) || areCommandsApart(lists) || arePathsApart(lists);
}

/** A path is forbidden with all that is below it, in every spelling. */
function isAllForbidden(list: readonly ToolPattern[], forbidden: PathEntries): boolean {
  return list.every(({ argument }) => argument?.kind === "path" && forbidden.coverAll(argument.segments));
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
