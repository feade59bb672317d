import { AppError, type ErrorCode } from "../../core/error.ts";
import { type ObjectId, parseRef, type Ref, renderRef } from "../ref.ts";
import type { Repository } from "../repository.ts";
import type { GitHub, NamedCommit } from "./github.ts";

/** How many branches, and how many tags, are looked at beyond those that are likely. */
const mostCompared = 8;

/**
 * The branch or tag from which a commit can be reached (IN-9, T10), as `heads/…` or `tags/…`. GitHub serves the commits
 * of forks under their parent's name, so that a commit is there says nothing. Null when there is none, and when it
 * cannot be established; a rate limit ends it as it ends everything.
 */
export async function findReachable(
  github: GitHub,
  repository: Repository,
  commit: ObjectId,
  { defaultBranch, ref }: { readonly defaultBranch: string; readonly ref: string | null },
): Promise<string | null> {
  const search = new Search(github, repository, commit);
  return (
    (await search.from({ kind: "branch", name: defaultBranch })) ??
    (await search.fromAny(ref === null ? [] : refsOf(ref))) ??
    (await search.atHeads("branch")) ??
    (await search.atHeads("tag")) ??
    (await search.fromFirst("branch")) ??
    (await search.fromFirst("tag"))
  );
}

/** Whether a branch has the commit (T11): a tag can be put on what never was on any. False, too, when nobody can say. */
export async function isOnBranch(
  github: GitHub,
  repository: Repository,
  commit: ObjectId,
  defaultBranch: string,
): Promise<boolean> {
  const search = new Search(github, repository, commit);
  const found =
    (await search.from({ kind: "branch", name: defaultBranch })) ??
    (await search.atHeads("branch")) ??
    (await search.fromFirst("branch"));
  return found !== null;
}

type Kind = "branch" | "tag";

/** What a hint may mean. A marketplace names refs without their space. */
function refsOf(hint: string): readonly Ref[] {
  const ref = parseRef(hint);
  if (ref !== undefined) return ref.kind === "commit" ? [] : [ref];
  return ["heads/", "tags/"].flatMap((space) => parseRef(space + hint) ?? []);
}

/** One commit that is looked for. Nothing is asked twice. */
class Search {
  readonly #github: GitHub;
  readonly #repository: Repository;
  readonly #commit: ObjectId;
  readonly #lists = new Map<Kind, Promise<readonly NamedCommit[]>>();
  /** Heads from which it cannot be reached. */
  readonly #tried = new Set<ObjectId>();

  constructor(github: GitHub, repository: Repository, commit: ObjectId) {
    this.#github = github;
    this.#repository = repository;
    this.#commit = commit;
  }

  async from(ref: Ref): Promise<string | null> {
    const head = await orElse(undefined, () => this.#github.commit(this.#repository, ref, null));
    if (head === undefined || head === "unchanged") return null;
    return (await this.#reaches(head.facts.id)) ? renderRef(ref) : null;
  }

  async fromAny(refs: readonly Ref[]): Promise<string | null> {
    for (const ref of refs) {
      const found = await this.from(ref);
      if (found !== null) return found;
    }
    return null;
  }

  async atHeads(kind: Kind): Promise<string | null> {
    const found = (await this.#list(kind)).find(({ commit }) => commit === this.#commit);
    return found === undefined ? null : renderRef({ kind, name: found.name });
  }

  async fromFirst(kind: Kind): Promise<string | null> {
    const others = (await this.#list(kind)).filter(({ commit }) => !this.#tried.has(commit));
    for (const { name, commit } of others.slice(0, mostCompared))
      if (await this.#reaches(commit)) return renderRef({ kind, name });
    return null;
  }

  /** Only what the service says in so many words counts: ahead, diverged, missing and broken are all "no". */
  async #reaches(head: ObjectId): Promise<boolean> {
    if (head === this.#commit) return true;
    if (this.#tried.has(head)) return false;
    this.#tried.add(head);
    const stands = await orElse(null, () => this.#github.compare(this.#repository, head, this.#commit));
    return stands === "behind" || stands === "identical";
  }

  #list(kind: Kind): Promise<readonly NamedCommit[]> {
    const known = this.#lists.get(kind);
    if (known !== undefined) return known;
    const ask = () =>
      kind === "branch" ? this.#github.branches(this.#repository) : this.#github.tags(this.#repository);
    const asked = orElse<readonly NamedCommit[]>([], ask);
    this.#lists.set(kind, asked);
    return asked;
  }
}

/** What only means that this question stays open. */
const open: ReadonlySet<ErrorCode> = new Set([
  "source.missing",
  "source.refused",
  "upstream.unreachable",
  "upstream.timeout",
  "upstream.invalid",
]);

async function orElse<T>(otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError && open.has(error.code)) return otherwise;
    throw error;
  }
}
