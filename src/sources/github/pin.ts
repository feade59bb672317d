import { AppError } from "../../core/error.ts";
import type { ObjectId, Ref } from "../ref.ts";
import { fullName, type Repository } from "../repository.ts";
import type { CommitFacts } from "../git/git.ts";
import type { GitHub, RepositoryFacts } from "./github.ts";

/** A repository at one commit: everything after this is asked by id (IN-7). */
export interface Pin {
  readonly facts: RepositoryFacts;
  /** What was followed to the commit. */
  readonly ref: Ref;
  readonly commit: CommitFacts;
  /** To ask with the next time. */
  readonly etags: Etags;
}

/** The commit is the known one. What is told of the repository, such as how many like it, may be new all the same. */
export interface UnchangedPin {
  readonly unchanged: Pick<Pin, "facts" | "etags">;
}

interface Etags {
  readonly repository: string | null;
  readonly commit: string | null;
}

/** What an earlier pin told; null: nothing. */
export interface KnownPin {
  readonly repositoryId: number | null;
  readonly ownerId: number | null;
  readonly defaultBranch: string | null;
  readonly etags: Etags;
  readonly commit: ObjectId | null;
}

/**
 * The commit that a ref names now; null: the default branch. Two requests, conditional where an earlier answer is known
 * (IN-11, IN-12); a repository that is not the one it was is `source.frozen` (T12).
 */
export async function pinRepository(
  github: GitHub,
  repository: Repository,
  ref: Ref | null,
  known: KnownPin,
): Promise<Pin | UnchangedPin> {
  const before = factsBefore(known);
  const told = await github.facts(repository, before === null ? null : known.etags.repository);
  const facts = told === "unchanged" ? (before ?? untold()) : told.facts;
  refuseAnother(repository, facts, known);
  const followed: Ref = ref ?? { kind: "branch", name: facts.defaultBranch };
  const commit = await github.commit(repository, followed, commitTag(known, ref, facts));
  if (commit === undefined) throw gone(repository, followed);
  const etags = {
    repository: told === "unchanged" ? known.etags.repository : told.etag,
    commit: commit === "unchanged" ? known.etags.commit : commit.etag,
  };
  if (commit === "unchanged" || commit.facts.id === known.commit) return { unchanged: { facts, etags } };
  return { facts, ref: followed, commit: commit.facts, etags };
}

/** Word that nothing changed is of use only to who knows all that was told. */
function factsBefore({ repositoryId, ownerId, defaultBranch }: KnownPin): RepositoryFacts | null {
  if (repositoryId === null || ownerId === null || defaultBranch === null) return null;
  return { id: repositoryId, ownerId, defaultBranch };
}

/** The tag belongs to what was asked then: not to another default branch, nor to a commit that nobody knows any more. */
function commitTag({ commit, defaultBranch, etags }: KnownPin, ref: Ref | null, facts: RepositoryFacts): string | null {
  const isSameQuestion = ref !== null || defaultBranch === facts.defaultBranch;
  return commit !== null && isSameQuestion ? etags.commit : null;
}

/** T12: the name is the same, what it names is not. */
function refuseAnother(repository: Repository, facts: RepositoryFacts, known: KnownPin): void {
  const changes = [
    ...changeOf("the repository's id", known.repositoryId, facts.id),
    ...changeOf("its owner's id", known.ownerId, facts.ownerId),
  ];
  if (changes.length === 0) return;
  throw new AppError(
    "source.frozen",
    `${fullName(repository)} is not the repository that was added: ${changes.join(" and ")}. It was transferred or registered anew by somebody; look at it, then remove the source and add it again`,
  );
}

function changeOf(what: string, before: number | null, now: number): string[] {
  return before === null || before === now ? [] : [`${what} was ${before} and is ${now}`];
}

function gone(repository: Repository, ref: Ref): AppError {
  const what = ref.kind === "commit" ? `commit ${ref.id}` : `${ref.kind} ${ref.name}`;
  return new AppError(
    "source.missing",
    `${what} is gone from ${fullName(repository)}, or never was there; what was read of it stays as it is. To follow another one, add it again with \`--ref\``,
  );
}

function untold(): never {
  throw new AppError("upstream.invalid", "the service says that nothing changed to who never was told anything");
}
