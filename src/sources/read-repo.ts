import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import { blobId, type ProvenTree } from "./git/git.ts";
import type { GitHub } from "./github/github.ts";
import { type Pin, pinRepository } from "./github/pin.ts";
import { findReachable, isOnBranch } from "./github/reachable.ts";
import { knownPin, movedFrom, remoteEnd, stoodAt, unchangedReading } from "./known-pin.ts";
import { type PinnedTree, readSkills, type RemoteReading } from "./read-skills.ts";
import type { OnProgress, ReadingEnd, SeenSkill } from "./reading.ts";
import { type ObjectId, parseRef, type Ref, renderRef } from "./ref.ts";
import { fullName, type Repository } from "./repository.ts";
import type { Source } from "./schema.ts";
import { sourceFinding } from "./source-faults.ts";
import { findTreeSkills } from "./tree-skills.ts";

/** Discovery looks no deeper than this below where it begins (IN-13). */
export const walkDepth = 8;

/** Reads the skills of a repository, or the one skill of a `file` source, at the commit its ref names now. */
export async function* readRepo(
  reading: RemoteReading,
  source: Source,
  repository: Repository,
  onProgress: OnProgress,
): AsyncGenerator<SeenSkill, ReadingEnd> {
  const timed = reading.open(reading.bounds.seconds);
  try {
    const { github } = timed;
    const pin =
      reading.asked?.pin ?? (await pinRepository(github, repository, refOf(source), knownPin(reading, source)));
    if ("unchanged" in pin) return yield* unchangedReading(reading, source, pin, github);
    const at = await treeAt(
      github,
      repository,
      pin,
      movedFrom(reading.known.values(), stoodAt(source), pin),
      null,
      reading.asked?.tree,
    );
    const found = skillsIn(reading, source, at);
    const end = yield* readSkills(reading, timed, at, found.skills, inRepository, (done, total, bytes) =>
      onProgress({ done, total, of: "files", bytes, left: github.spent.left }),
    );
    const unvisited = [...found.unvisited, ...end.unvisited];
    const { unread } = end;
    const isComplete = unvisited.length === 0 && unread.length <= mostUnread;
    const read = { reachable: at.reachable, isComplete, skills: end.skills - unread.length, unread, children: null };
    return {
      unvisited,
      findings: [...found.findings, ...end.findings],
      files: end.files,
      bytes: github.spent.bytes + (reading.asked?.bytes ?? 0),
      requests: github.spent.requests + (reading.asked?.requests ?? 0),
      limitedUntil: null,
      remote: remoteEnd(reading, source, pin, read),
    };
  } finally {
    timed.close();
  }
}

/** So many are remembered; with more, the source is gone through at every sync. */
const mostUnread = 100;

function inRepository(path: string): string {
  return path;
}

/** What a source follows; null: the default branch. A word that is no ref any more is an error, never another ref (IN-1). */
export function refOf({ id, ref }: Source): Ref | null {
  const parsed = ref === null ? null : parseRef(ref);
  if (parsed !== undefined) return parsed;
  throw new AppError("store.failed", `the ref of the source ${id} cannot be read; remove it and add it again`);
}

/** The proven tree of a pin, and what is to be said of the pin itself (IN-9, T10, T11). */
export async function treeAt(
  github: GitHub,
  repository: Repository,
  pin: Pin,
  before: ObjectId | null,
  hint: string | null = null,
  known: ProvenTree | null = null,
): Promise<PinnedTree> {
  const { facts, ref, commit } = pin;
  const reachable = await reachableFrom(github, repository, pin, hint);
  const findings: Finding[] = [];
  if (reachable === null) findings.push(unreachable(repository, commit.id));
  if (ref.kind === "tag" && before !== null && before !== commit.id)
    findings.push(
      moved(repository, `the tag ${ref.name} was at ${before.slice(0, 12)} and is at ${commit.id.slice(0, 12)} now`),
    );
  else if (ref.kind === "tag" && !(await isOnBranch(github, repository, commit.id, facts.defaultBranch)))
    findings.push(moved(repository, `the tag ${ref.name} is at ${commit.id.slice(0, 12)}, which is on no branch`));
  const tree = known ?? (await github.tree(repository, commit.tree));
  return { repository, facts, ref, commit, reachable, tree, pin: findings };
}

/** A branch or tag of the repository reaches its own commit. A commit that was named by its id need not be there (T10). */
async function reachableFrom(
  github: GitHub,
  repository: Repository,
  { facts, ref, commit }: Pin,
  hint: string | null,
): Promise<string | null> {
  if (ref.kind !== "commit") return renderRef(ref);
  return findReachable(github, repository, commit.id, { defaultBranch: facts.defaultBranch, ref: hint });
}

function unreachable(repository: Repository, commit: ObjectId): Finding {
  return sourceFinding(
    "pin.unreachable",
    `${commit} is on no branch or tag of ${safeLine(fullName(repository))}: it may be a stranger's, from a fork`,
    safeLine(fullName(repository)),
  );
}

function moved(repository: Repository, what: string): Finding {
  return sourceFinding("pin.moved", safeLine(what, 240), safeLine(fullName(repository)));
}

function skillsIn({ skip }: RemoteReading, source: Source, { tree, repository }: PinnedTree) {
  const roots = source.include ?? [""];
  const found = findTreeSkills(tree, { roots, skip, depth: walkDepth });
  if (source.kind !== "file") return found;
  const skills = found.skills.filter(({ path }) => roots.includes(path));
  if (skills.length > 0 || found.unvisited.length > 0) return { ...found, skills };
  const where = `${safeLine(roots.join(", "))} in ${safeLine(fullName(repository))}`;
  throw new AppError("source.missing", `there is no SKILL.md at ${where} any more; its skill stays as it is`);
}

/** One file of a pinned tree, proven; null when it is not there, or is no regular file (T24). */
export async function provenFile(
  github: GitHub,
  { repository, commit, tree }: PinnedTree,
  path: string,
  most: number,
): Promise<Uint8Array | null> {
  const entry = tree.entries.get(path);
  if (entry === undefined || !/^100(?:644|755)$/.test(entry.mode)) return null;
  const name = `${safeLine(path)} of ${safeLine(fullName(repository))}`;
  if ((entry.size ?? 0) > most) throw new AppError("upstream.invalid", `${name} has more than ${most} bytes`);
  const bytes = await github.file(repository, commit.id, path, most);
  if (blobId(bytes) === entry.id) return bytes;
  throw new AppError(
    "digest.mismatch",
    `the bytes of ${name} are not the ones that the commit names; nothing was taken in`,
  );
}
