import { AppError } from "../../core/error.ts";
import { isRecord } from "../../core/json/json.ts";
import type { TreeEntry } from "../git/git.ts";
import type { CommitAnswer, CommitPerson } from "../git/prove-commit.ts";
import { isObjectId, isRefName, type ObjectId } from "../ref.ts";
import { fullName, type Repository } from "../repository.ts";
import type { Comparison, NamedCommit, RepositoryFacts } from "./github.ts";
import { renamed } from "./rate-limit.ts";

/**
 * What GitHub answers, field by field, into our own types. What is not as documented is `upstream.invalid`: malformed
 * is never taken for empty (IN-10).
 */
export class Fields {
  readonly #values: object;
  readonly #of: string;

  constructor(value: unknown, of: string) {
    if (!isRecord(value)) throw malformed(of);
    this.#values = value;
    this.#of = of;
  }

  /** Own fields only: what every object inherits was not answered by anybody. */
  any(name: string): unknown {
    return Object.getOwnPropertyDescriptor(this.#values, name)?.value;
  }

  within(name: string): Fields {
    return new Fields(this.any(name), `${this.#of}.${name}`);
  }

  text(name: string): string {
    const value = this.any(name);
    if (typeof value !== "string") throw malformed(`${this.#of}.${name}`);
    return value;
  }

  /** Undefined where it is not said. */
  optional(name: string): string | undefined {
    return this.any(name) === undefined ? undefined : this.text(name);
  }

  objectId(name: string): ObjectId {
    const id = this.text(name);
    if (!isObjectId(id)) throw malformed(`${this.#of}.${name}`);
    return id;
  }

  /** A number of the kind that ids and sizes are. */
  count(name: string): number {
    const value = this.any(name);
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw malformed(`${this.#of}.${name}`);
    return value;
  }

  list(name: string): readonly Fields[] {
    return listOf(this.any(name), `${this.#of}.${name}`);
  }
}

function listOf(value: unknown, of: string): readonly Fields[] {
  if (!Array.isArray(value)) throw malformed(of);
  return value.map((each: unknown) => new Fields(each, of));
}

export function malformed(where: string): AppError {
  return new AppError("upstream.invalid", `the service's answer is malformed: ${where} is not as it is documented`);
}

export function parseFacts(value: unknown, repository: Repository): RepositoryFacts {
  const answer = new Fields(value, "repository");
  // T12: one that answers under another name is another one, or has moved.
  const name = answer.optional("full_name") ?? fullName(repository);
  if (name.toLowerCase() !== fullName(repository).toLowerCase()) throw renamed(repository);
  const defaultBranch = answer.text("default_branch");
  if (!isRefName(defaultBranch)) throw malformed("repository.default_branch");
  return { id: answer.count("id"), ownerId: answer.within("owner").count("id"), defaultBranch };
}

/** One listing of a tree; of a truncated one nothing is known to be missing or complete. */
export interface TreeListing {
  readonly entries: readonly TreeEntry[];
  readonly isTruncated: boolean;
}

export function parseTree(value: unknown, id: ObjectId): TreeListing {
  const answer = new Fields(value, "tree");
  if ((answer.optional("sha") ?? id) !== id) throw malformed("tree.sha");
  // Unsaid, it is whole: what is left out of a listing is found out by its hash.
  const isTruncated = answer.any("truncated") ?? false;
  if (typeof isTruncated !== "boolean") throw malformed("tree.truncated");
  return { entries: answer.list("tree").map(parseEntry), isTruncated };
}

function parseEntry(entry: Fields): TreeEntry {
  const size = entry.any("size");
  return {
    path: entry.text("path"),
    mode: entry.text("mode"),
    id: entry.objectId("sha"),
    size: size === undefined || size === null ? null : entry.count("size"),
  };
}

const comparisons: readonly Comparison[] = ["ahead", "behind", "diverged", "identical"];

/** T10: that a commit can be reached is not believed where the common ancestor is said to be another. */
export function parseComparison(value: unknown, head: ObjectId): Comparison {
  const answer = new Fields(value, "comparison");
  const status = comparisons.find((known) => known === answer.any("status"));
  if (status === undefined) throw malformed("comparison.status");
  const isReached = status === "behind" || status === "identical";
  const ancestor = answer.any("merge_base_commit");
  const isOther = ancestor !== undefined && new Fields(ancestor, "merge_base_commit").objectId("sha") !== head;
  if (isReached && isOther) throw malformed("comparison.merge_base_commit");
  return status;
}

/** Branches or tags; names that git would not have are nobody's. */
export function parseNamed(value: unknown): readonly NamedCommit[] {
  return listOf(value, "list")
    .map((each) => ({ name: each.text("name"), commit: each.within("commit").objectId("sha") }))
    .filter(({ name }) => isRefName(name));
}

/** The names of refs in one space, without it. */
export function parseRefNames(value: unknown, space: "heads" | "tags"): readonly string[] {
  const start = `refs/${space}/`;
  return listOf(value, "refs")
    .map((each) => each.text("ref"))
    .filter((ref) => ref.startsWith(start))
    .map((ref) => ref.slice(start.length))
    .filter(isRefName);
}

/** What is needed to pin is required; what only proves may be missing, and then nothing is proven by it. */
export function parseCommit(value: unknown): CommitAnswer {
  const answer = new Fields(value, "commit");
  const commit = answer.within("commit");
  return {
    id: answer.objectId("sha"),
    tree: commit.within("tree").objectId("sha"),
    parents: answer.any("parents") === undefined ? [] : answer.list("parents").map((parent) => parent.objectId("sha")),
    author: parsePerson(commit.any("author")),
    committer: parsePerson(commit.any("committer")),
    message: commit.optional("message") ?? "",
    signed: parseSignature(commit.any("verification")),
  };
}

function parsePerson(value: unknown): CommitPerson {
  const person = optional(value);
  return { name: textOf(person, "name"), email: textOf(person, "email"), date: textOf(person, "date") };
}

function parseSignature(value: unknown): CommitAnswer["signed"] {
  const [payload, signature] = [textOf(optional(value), "payload"), textOf(optional(value), "signature")];
  return payload === "" || signature === "" ? null : { payload, signature };
}

function optional(value: unknown): Fields {
  return new Fields(value ?? {}, "commit");
}

function textOf(fields: Fields, name: string): string {
  const value = fields.any(name);
  return typeof value === "string" ? value : "";
}
