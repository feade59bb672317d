import type { Readable } from "node:stream";
import type { ObjectId, Ref } from "../ref.ts";
import type { Repository } from "../repository.ts";
import type { CommitFacts, ProvenTree } from "../git/git.ts";

/** What is told about a repository besides its name: the name can be another's tomorrow, the ids cannot (T12). */
export interface RepositoryFacts {
  readonly id: number;
  readonly ownerId: number;
  readonly defaultBranch: string;
}

/** An answer with its entity tag, or word that it is still the one that was given with the tag it was asked with. */
export type Answer<Facts> = { readonly facts: Facts; readonly etag: string | null } | "unchanged";

/** How `head` stands to `base` (T10): behind or identical means that it can be reached from there. */
export type Comparison = "ahead" | "behind" | "diverged" | "identical";

export interface NamedCommit {
  readonly name: string;
  readonly commit: ObjectId;
}

/** What was spent so far. Changes as requests are made. */
export interface Spent {
  /** All of them, retries included. */
  readonly requests: number;
  /** Those of them that count against the rate limit. */
  readonly apiRequests: number;
  /** Of bodies, as they came. */
  readonly bytes: number;
  /** How many requests the service says are left; null before it said so. */
  readonly left: number | null;
}

/**
 * A GitHub, asked by name once and by id ever after (IN-7). Every method rejects with `AppError`: `source.missing`,
 * `source.refused`, `source.limited`, `source.frozen`, `digest.mismatch`, `host.refused`, `egress.refused`,
 * `upstream.*`. Only GETs; those that failed on the way or with 5xx are tried again a few times (IN-11).
 */
export interface GitHub {
  readonly spent: Spent;
  /** With the tag of an earlier answer it is a conditional request (IN-11); null: tell all. */
  facts(repository: Repository, etag: string | null): Promise<Answer<RepositoryFacts>>;
  /** The commit that a ref names now; undefined when there is no such ref. */
  commit(repository: Repository, ref: Ref, etag: string | null): Promise<Answer<CommitFacts> | undefined>;
  /** The whole tree below an id, proven; in parts where the service truncates it (IN-10). */
  tree(repository: Repository, id: ObjectId): Promise<ProvenTree>;
  compare(repository: Repository, base: ObjectId, head: ObjectId): Promise<Comparison>;
  /** The first hundred. */
  branches(repository: Repository): Promise<readonly NamedCommit[]>;
  tags(repository: Repository): Promise<readonly NamedCommit[]>;
  /** Names of the branches (`heads`) or tags that begin with these characters, as many as the service tells. */
  refNames(repository: Repository, space: "heads" | "tags", start: string): Promise<readonly string[]>;
  /** Bytes of one file as they come from the CDN: not proven yet. Rejects above `most`. */
  file(repository: Repository, commit: ObjectId, path: string, most: number): Promise<Uint8Array>;
  /** A gzipped tarball as it comes from the CDN: not proven yet. Whoever stops reading destroys it. */
  tarball(repository: Repository, commit: ObjectId): Promise<Readable>;
}
