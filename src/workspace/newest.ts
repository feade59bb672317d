import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import type { Comparison, GitHub } from "../sources/github/github.ts";
import type { PinnedTree } from "../sources/read-skills.ts";
import type { Ref } from "../sources/ref.ts";
import { fullName, type Repository } from "../sources/repository.ts";
import { sourceFinding } from "../sources/source-faults.ts";
import { type Candidate, fetchCandidate, skillAt } from "./candidate.ts";
import { advisingFrozen, repositoryOf } from "./locked-repository.ts";
import type { LockedSkill } from "./lock.ts";
import type { PinnedTrees } from "./pinned-trees.ts";
import type { Publishing } from "./workspace.ts";

/** The newest of what a locked skill follows; "unchanged" when its folder there is the one that is locked. */
export async function fetchNewest(
  publishing: Publishing,
  trees: PinnedTrees,
  locked: LockedSkill,
  ref: Ref,
): Promise<Candidate | "unchanged"> {
  const repository = repositoryOf(locked, publishing.sets);
  return advisingFrozen(repository, locked, async () => {
    const at = await trees.current(repository, ref, locked);
    return newestAt(publishing, at, locked);
  });
}

async function newestAt(
  { github, onFile }: Publishing,
  at: PinnedTree,
  locked: LockedSkill,
): Promise<Candidate | "unchanged"> {
  const skill = skillAt(at.tree, locked.path);
  if (skill === undefined) throw gone(at, locked);
  const another = anotherRepository(at, locked);
  if (skill.tree === locked.tree && another.length === 0) return "unchanged";
  const history = at.ref.kind === "branch" ? await historyOf(github, at, locked) : [];
  const candidate = await fetchCandidate(github, at, skill, onFile);
  return { ...candidate, findings: [...another, ...history, ...candidate.findings] };
}

/** T12: the name is the same, what it names is not. */
function anotherRepository({ facts, repository }: PinnedTree, { repositoryId, ownerId }: LockedSkill): Finding[] {
  if (facts.id === repositoryId && facts.ownerId === ownerId) return [];
  const ids = `it was ${repositoryId} of owner ${ownerId} and is ${facts.id} of owner ${facts.ownerId}`;
  const name = fullName(repository);
  return [sourceFinding("source.frozen", `${name} is not the repository that was added: ${ids}`, name)];
}

/** A branch that went back, or that somebody wrote anew: what was looked at is not a part of it any more. */
async function historyOf(github: GitHub, { repository, commit }: PinnedTree, locked: LockedSkill): Promise<Finding[]> {
  const name = fullName(repository);
  const [was, is] = [locked.commit.slice(0, 12), commit.id.slice(0, 12)];
  switch (await comparedWith(github, repository, locked.commit, commit.id)) {
    case "identical":
    case "ahead":
      return [];
    case "behind":
      return [sourceFinding("pin.rollback", `the branch went back from ${was} to ${is}, an earlier commit`, name)];
    case "diverged":
      return [sourceFinding("pin.rewritten", `the branch was written anew: ${was} is not a part of it any more`, name)];
  }
}

async function comparedWith(github: GitHub, repository: Repository, before: string, now: string): Promise<Comparison> {
  try {
    return await github.compare(repository, before, now);
  } catch (error) {
    // The commit that is locked is there no more, or has nothing in common with this one.
    if (error instanceof AppError && error.code === "source.missing") return "diverged";
    throw error;
  }
}

function gone({ commit }: PinnedTree, { path, source, ref }: LockedSkill): AppError {
  const where = `${safeLine(path === "" ? "." : path)} of ${source}`;
  return new AppError(
    "source.missing",
    `there is no skill at ${where} any more (${safeLine(ref ?? "")}, ${commit.id.slice(0, 12)}); what is here stays as it is`,
  );
}
