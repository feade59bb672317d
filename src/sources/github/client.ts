import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { CommitFacts } from "../git/git.ts";
import { proveCommit } from "../git/prove-commit.ts";
import type { ObjectId, Ref } from "../ref.ts";
import { fullName, type Repository } from "../repository.ts";
import {
  malformed,
  parseCommit,
  parseComparison,
  parseFacts,
  parseNamed,
  parseRefNames,
  parseTree,
} from "./answers.ts";
import { Asking, type AskingOptions, type Question, type Way } from "./client-ask.ts";
import type { Answer, GitHub } from "./github.ts";
import { NotThere } from "./rate-limit.ts";
import { readTree } from "./read-tree.ts";
import { apiUrl, rawUrl, refSegments, tarballUrl } from "./urls.ts";

const MiB = 2 ** 20;

/** What an answer may have in bytes (IN-5): far more than any that is well. */
const most = { facts: 1 * MiB, commit: 8 * MiB, tree: 64 * MiB, comparison: 32 * MiB, list: 8 * MiB };

/** GitHub over a guarded transport. The token goes to nobody but the services of the repositories that it is for (IN-6). */
export function createGitHub(way: Way, options: AskingOptions): GitHub {
  const asking = new Asking(way, options);
  /** For what is asked without a tag: there is always an answer. */
  const told = async (question: Question, cap: number): Promise<unknown> => {
    const answer = await asking.json(question, cap);
    if (answer === "unchanged") throw malformed("status");
    return answer.facts;
  };
  const list = (repository: Repository, kind: "branches" | "tags") =>
    told(apiQuestion(repository, `list of ${kind}`, [kind], { per_page: "100" }), most.list);
  return {
    spent: asking.spent,

    async facts(repository, etag) {
      const question = { ...apiQuestion(repository, "", []), about: `repository ${fullName(repository)}`, etag };
      const answer = await asking.json(question, most.facts);
      return answer === "unchanged" ? answer : { ...answer, facts: parseFacts(answer.facts, repository) };
    },

    async commit(repository, ref, etag) {
      // Files that it changed come with it, and one of them is the least that can be asked for.
      const question = apiQuestion(repository, nameOf(ref), ["commits", ...refSegments(ref)], { per_page: "1" });
      const answer = await ifThere(asking.json({ ...question, etag }, most.commit));
      if (answer === undefined || answer === "unchanged") return answer;
      return { ...answer, facts: commitFacts(answer.facts, ref) };
    },

    tree: (repository, id) =>
      readTree(async (part, depth) => {
        const query = depth === "all" ? { recursive: "1" } : undefined;
        const question = apiQuestion(repository, `tree ${part}`, ["git", "trees", part], query);
        return parseTree(await told(question, most.tree), part);
      }, id),

    async compare(repository, base, head) {
      const segments = ["compare", `${base}...${head}`];
      const question = apiQuestion(repository, `comparison with ${head}`, segments, { per_page: "1" });
      return parseComparison(await told(question, most.comparison), head);
    },

    branches: async (repository) => parseNamed(await list(repository, "branches")),
    tags: async (repository) => parseNamed(await list(repository, "tags")),

    async refNames(repository, space, start) {
      const segments = ["git", "matching-refs", space, ...start.split("/")];
      return parseRefNames(await told(apiQuestion(repository, "list of refs", segments), most.list), space);
    },

    async file(repository, commit, path, cap) {
      const about = `file ${safeLine(path)} at ${commit.slice(0, 12)} of ${fullName(repository)}`;
      return asking.bytes({ repository, service: "raw", url: rawUrl(repository, commit, path), about }, cap);
    },

    async tarball(repository, commit) {
      const about = `tarball of ${commit.slice(0, 12)} of ${fullName(repository)}`;
      return asking.stream({ repository, service: "codeload", url: tarballUrl(repository, commit), about });
    },
  };
}

function apiQuestion(
  repository: Repository,
  what: string,
  segments: readonly string[],
  query?: Readonly<Record<string, string>>,
): Question {
  const about = `${what} of ${fullName(repository)}`;
  return { repository, service: "api", url: apiUrl(repository, segments, query), about };
}

function nameOf(ref: Ref): string {
  return ref.kind === "commit" ? `commit ${ref.id}` : `${ref.kind} ${safeLine(ref.name)}`;
}

async function ifThere(answer: Promise<Answer<unknown>>): Promise<Answer<unknown> | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotThere) return undefined;
    throw error;
  }
}

function commitFacts(value: unknown, ref: Ref): CommitFacts {
  const answer = parseCommit(value);
  if (ref.kind === "commit" && answer.id !== ref.id) throw anotherCommit(ref.id, answer.id);
  return { id: answer.id, tree: answer.tree, parents: answer.parents, proof: proveCommit(answer) };
}

/** T3: a branch or tag may be named like a commit, and services look for names first. */
function anotherCommit(asked: ObjectId, answered: ObjectId): AppError {
  return new AppError(
    "digest.mismatch",
    `commit ${asked} was asked for and ${answered} came; a branch or tag may have that name: do not use it as a pin`,
  );
}
