import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { outOfTime } from "../bounds.ts";
import { type PinnedTree, readSkills, type RemoteReading, type TimedGitHub } from "../read-skills.ts";
import type { SeenSkill } from "../reading.ts";
import { identityOf } from "../repository.ts";
import type { TreeSkill } from "../tree-skills.ts";
import { type Child, type ChildEnd, readState } from "./child.ts";
import type { FoundSkills, PluginSearches } from "./plugin.ts";

interface HereEnd {
  readonly ends: ReadonlyMap<Child, ChildEnd>;
  /** Skills that were found and not read, of whichever plugins. */
  readonly unvisited: readonly string[];
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly bytes: number;
}

/** The plugins in the marketplace's own repository: one repository, one bound, fetched together. */
export async function* readHere(
  reading: RemoteReading,
  { at, timed }: { readonly at: PinnedTree; readonly timed: TimedGitHub },
  children: readonly Child[],
  searches: PluginSearches,
  report: () => void,
): AsyncGenerator<SeenSkill, HereEnd> {
  const ends = new Map<Child, ChildEnd>();
  const found = new Map<Child, FoundSkills>();
  for (const child of children)
    try {
      if (timed.isOver) throw outOfTime(reading.bounds.seconds);
      found.set(child, await searches.skillsOf(timed.github, at, child.plugin));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "source.limited") throw error;
      ends.set(child, child.failed(error));
    }
  const pathOf = (path: string) => identityOf(at.repository, path);
  const end = yield* readSkills(reading, timed, at, skillsIn(found.values()), pathOf, report);
  const unread = new Unread(new Set(end.unvisited), pathOf);
  for (const [child, { found: own, findings, isWhole }] of found) {
    const { hidden, isMissed } = unread.of(own);
    const isDone = isWhole && !isMissed && hidden.length === 0 && at.reachable !== null && end.complete;
    const settled = isDone ? { under: null, seen: [] } : null;
    ends.set(child, {
      state: readState(child, at, own.skills.length, { settled, isWhole }),
      unvisited: isWhole ? hidden : [...hidden, ...child.kept],
      findings: findings.map((each) => child.says(at.repository, each)),
    });
  }
  const { unvisited, findings, files, bytes } = end;
  return { ends, unvisited, findings, files, bytes };
}

/** Two plugins may name the same skill: it is one entry. */
function skillsIn(found: Iterable<FoundSkills>): TreeSkill[] {
  const searches = new Set([...found].map((each) => each.found));
  const skills = new Map<string, TreeSkill>();
  for (const search of searches) for (const skill of search.skills) skills.set(skill.path, skill);
  return [...skills.values()];
}

interface UnreadOf {
  /** Where nothing is known. */
  readonly hidden: readonly string[];
  /** Whether a skill that was found was not read. */
  readonly isMissed: boolean;
}

/** What was not read of a search, found out once for all plugins that share it. */
class Unread {
  readonly #missed: ReadonlySet<string>;
  readonly #pathOf: (path: string) => string;
  readonly #known = new Map<FoundSkills["found"], UnreadOf>();

  constructor(missed: ReadonlySet<string>, pathOf: (path: string) => string) {
    this.#missed = missed;
    this.#pathOf = pathOf;
  }

  of(found: FoundSkills["found"]): UnreadOf {
    const known = this.#known.get(found);
    if (known !== undefined) return known;
    const isMissed = found.skills.some(({ path }) => this.#missed.has(this.#pathOf(path)));
    const unread = { hidden: found.unvisited.map((path) => this.#pathOf(path)), isMissed };
    this.#known.set(found, unread);
    return unread;
  }
}
