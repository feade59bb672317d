import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { limits } from "../core/limits.ts";
import type { Clock } from "../core/world.ts";
import { pathFault } from "../skill/bundle.ts";
import { boundFinding, boundReached, isTooLong, pathTooLong } from "./bounds.ts";
import type { CommitFacts, ProvenTree } from "./git/git.ts";
import { fetchSkills } from "./github/fetch-skills.ts";
import type { GitHub, RepositoryFacts } from "./github/github.ts";
import type { Pin } from "./github/pin.ts";
import type { KnownSkill, Provenance, SeenSkill } from "./reading.ts";
import { type Ref, renderRef } from "./ref.ts";
import { fullName, type Repository } from "./repository.ts";
import type { TreeSkill } from "./tree-skills.ts";
import type { SyncBounds } from "./schema.ts";

/** A GitHub to ask for so long and no longer. */
export interface TimedGitHub {
  readonly github: GitHub;
  /** Whether its time is up: then every request fails. */
  readonly isOver: boolean;
  readonly close: () => void;
}

/** Where a repository stands, and what it cost to find out. */
export interface AskedPin {
  readonly pin: Pin;
  /** What is there, where that was looked at as well. */
  readonly tree: ProvenTree | null;
  readonly requests: number;
  readonly bytes: number;
}

/** What reading remote sources works with. */
export interface RemoteReading {
  readonly clock: Clock;
  readonly open: (seconds: number) => TimedGitHub;
  /** The skills that are here, by their paths in the source. */
  readonly known: ReadonlyMap<string, KnownSkill>;
  readonly bounds: SyncBounds;
  /** Names of folders that are not searched. */
  readonly skip: readonly string[];
  /** The whole source is gone through again, also where its commit is the one that was read before. */
  readonly isRepair: boolean;
  /** Every skill is fetched again, also where its tree is the one that was read before. */
  readonly readsAll: boolean;
  /** What is to be said of other bytes than those that are here, where they come from there (T14). Rejects as asking does. */
  readonly judge: (github: GitHub, path: string, from: Provenance) => Promise<readonly Finding[]>;
  /** Says that the work moves on, also where no skill comes of it (IN-15). */
  readonly beat: () => Promise<void>;
  /** Where the repository stands, where that was asked a moment ago; null: it is to be asked. */
  readonly asked: AskedPin | null;
}

/** A repository at one commit, by its proven tree. */
export interface PinnedTree {
  readonly repository: Repository;
  readonly facts: RepositoryFacts;
  readonly ref: Ref;
  readonly commit: CommitFacts;
  /** From where the commit can be reached; null: from nowhere that is known (IN-9). */
  readonly reachable: string | null;
  readonly tree: ProvenTree;
  /** What is to be said of every skill that comes from this commit. */
  readonly pin: readonly Finding[];
}

export interface SkillsEnd {
  /** How many of them can be entries. */
  readonly skills: number;
  readonly unvisited: readonly string[];
  readonly findings: readonly Finding[];
  readonly files: number;
  readonly bytes: number;
  /** Paths in the source of those that were read and are no whole skill. */
  readonly unread: readonly string[];
  /** Whether all of them were read, each as a whole. */
  readonly complete: boolean;
}

/** How far it has come: files, and their bytes. */
export type OnFiles = (files: number, total: number, bytes: number) => void;

/**
 * Skills of one commit, within bounds (IN-16). One whose tree is the one it was last read from is known to be the same,
 * and is not fetched. `pathOf` makes the path in the source from the one in the repository.
 */
export async function* readSkills(
  reading: RemoteReading,
  timed: TimedGitHub,
  at: PinnedTree,
  found: readonly TreeSkill[],
  pathOf: (path: string) => string,
  onFiles: OnFiles,
): AsyncGenerator<SeenSkill, SkillsEnd> {
  const faults = found.flatMap(({ path }) => unnameable(path, pathOf(path)));
  const skills = found.filter(({ path }) => unnameable(path, pathOf(path)).length === 0);
  const seen = (skill: TreeSkill, bundle: SeenSkill["bundle"]): SeenSkill => {
    return { path: pathOf(skill.path), bundle, provenance: provenanceOf(at, skill), pin: at.pin };
  };
  const waiting = new Set<TreeSkill>();
  for (const skill of skills)
    if (isSame(reading, at, skill, pathOf(skill.path))) yield seen(skill, null);
    else waiting.add(skill);
  const { taken, bound } = withinBounds([...waiting], reading.bounds);
  const total = taken.reduce((sum, { files }) => sum + files.length, 0);
  const read = { files: 0, bytes: 0 };
  const unread: string[] = [];
  let stop = bound;
  const onFile = (size: number) => onFiles(++read.files, total, (read.bytes += size));
  try {
    for await (const { skill, bundle } of fetchSkills(timed.github, placeOf(at), taken, onFile)) {
      const { path, provenance, pin } = seen(skill, bundle);
      const isChanged = bundle.digest !== null && reading.known.get(path)?.digest !== bundle.digest;
      // Before it counts as read: a limit that strikes here leaves it to the next sync.
      const judged = isChanged ? await reading.judge(timed.github, path, provenanceOf(at, skill)) : [];
      waiting.delete(skill);
      if (bundle.digest === null) unread.push(path);
      yield { path, bundle, provenance, pin: [...pin, ...judged] };
    }
  } catch (error) {
    // What was read until then counts; the next sync goes on from there. What else went wrong meanwhile is not of time:
    // a limit or a wrong byte ends the sync, also when it was told of only after others had stalled (IN-8, IN-11).
    if (!timed.isOver || !(error instanceof AppError && error.code === "upstream.timeout")) throw error;
    stop = `${reading.bounds.seconds} seconds`;
  }
  const unvisited = [...waiting].map(({ path }) => pathOf(path));
  const stopped = stop === undefined ? [] : [boundFinding(stop, skills.length - waiting.size, skills.length)];
  const complete = unread.length + waiting.size === 0;
  return { skills: skills.length, unvisited, unread, findings: [...faults, ...stopped], ...read, complete };
}

function placeOf({ repository, commit, tree }: PinnedTree) {
  return { repository, commit: commit.id, tree };
}

/** T23: the path is the entry's identity; what git can name is not always what can be named here. */
function unnameable(path: string, inSource: string): Finding[] {
  if (isTooLong(inSource)) return [pathTooLong(inSource)];
  const fault = path === "" ? undefined : pathFault(path);
  return fault === undefined ? [] : [fault];
}

/** The same tree is the same bytes. A root's tree has more in it than its skill, and says nothing. */
function isSame({ known, readsAll }: RemoteReading, at: PinnedTree, { tree, role }: TreeSkill, path: string): boolean {
  const before = known.get(path)?.provenance;
  if (readsAll || role === "root" || before === undefined || before === null) return false;
  return before.tree === tree && before.repositoryId === at.facts.id;
}

function provenanceOf(at: PinnedTree, { path, tree, files }: TreeSkill): Provenance {
  const { repository, facts, ref, commit, reachable } = at;
  return {
    hosts: repository.hosts.name,
    repository: fullName(repository),
    repositoryId: facts.id,
    ownerId: facts.ownerId,
    ref: ref.kind === "commit" ? null : renderRef(ref),
    commit: commit.id,
    path,
    tree,
    proof: { files: files.length, commit: commit.proof, reachable },
  };
}

/** As many skills, in their order, as fit (IN-16). What is too large for any bundle is not fetched, and costs nothing. */
function withinBounds(skills: readonly TreeSkill[], bounds: SyncBounds): { taken: TreeSkill[]; bound?: string } {
  const taken: TreeSkill[] = [];
  const read = { files: 0, bytes: 0, seconds: 0 };
  for (const skill of skills) {
    const bytes = skill.files.reduce((sum, { size }) => sum + (size ?? 0), 0);
    const isFetched = bytes <= limits.skill.ingest.bundleBytes && skill.files.length <= limits.skill.ingest.bundleFiles;
    if (isFetched) read.files += skill.files.length;
    if (isFetched) read.bytes += bytes;
    const bound = boundReached(bounds, read);
    if (bound !== undefined) return { taken, bound };
    taken.push(skill);
  }
  return { taken };
}
