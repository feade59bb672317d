import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { isObjectId, isRefName, parseRef, type Ref, renderRef } from "../ref.ts";
import { fullName, type Repository } from "../repository.ts";
import type { Typed } from "../typed.ts";
import type { CommitFacts } from "../git/git.ts";
import type { Answer, GitHub, RepositoryFacts } from "./github.ts";
import type { Pin } from "./pin.ts";

type TypedRepository = Extract<Typed, { kind: "repository" }>;
type Mixed = NonNullable<TypedRepository["mixed"]>;

export interface Resolved {
  /** What is to be followed; null: the default branch, whichever it is. */
  readonly ref: Ref | null;
  /** Inside the repository; empty for all of it. */
  readonly path: string;
  readonly facts: RepositoryFacts;
  /** Where that stands now: whoever reads it next need not ask again. */
  readonly pin: Pin;
}

/**
 * What a person meant, as the repository knows it (IN-2, IN-7): bare names become branches or tags, and a URL's ref ends
 * where a ref of the repository ends. `wanted` is a ref that was said apart from the rest. Nothing is ever guessed.
 */
export async function resolveTyped(github: GitHub, typed: TypedRepository, wanted: string | null): Promise<Resolved> {
  const { repository, mixed } = typed;
  // Before anything is asked.
  for (const name of [typed.ref, wanted]) if (name !== null) checkRefName(name);
  const answer = await github.facts(repository, null);
  if (answer === "unchanged")
    throw new AppError("upstream.invalid", "the service says that nothing changed since never");
  const { facts, etag } = answer;
  const name = oneOf(typed.ref, wanted);
  const { ref, path, found }: Meant =
    mixed !== null
      ? await divided(github, repository, mixed, wanted)
      : { ...(name === null ? { ref: null } : await lookUp(github, repository, name)), path: typed.path };
  const followed = ref ?? ({ kind: "branch", name: facts.defaultBranch } as const);
  const { facts: commit, etag: tag } = found ?? (await demandCommit(github, repository, followed));
  return { ref, path, facts, pin: { facts, ref: followed, commit, etags: { repository: etag, commit: tag } } };
}

interface Meant {
  readonly ref: Ref | null;
  readonly path: string;
  /** What the ref names; undefined where that was not asked. */
  readonly found?: Told;
}

interface Looked {
  readonly ref: Ref;
  /** What it names; undefined where that was not asked. */
  readonly found?: Told;
}

type Told = Exclude<Answer<CommitFacts>, "unchanged">;

async function demandCommit(github: GitHub, repository: Repository, ref: Ref): Promise<Told> {
  const told = await github.commit(repository, ref, null);
  if (told !== undefined && told !== "unchanged") return told;
  throw missing(repository, renderRef(ref));
}

function checkRefName(text: string): void {
  if (isObjectId(text) || isRefName(text)) return;
  throw new AppError(
    "usage.invalid",
    `${safeLine(text)} is no name of a branch or tag; give one, or a commit by all of its 40 digits`,
  );
}

/** A ref was said twice: both must mean the same one, and the one that says more counts. */
function oneOf(typed: string | null, wanted: string | null): string | null {
  if (typed === null || wanted === null) return wanted ?? typed;
  if (typed === wanted || nameIn(typed) === wanted) return typed;
  if (nameIn(wanted) === typed) return wanted;
  throw twoRefs(typed, wanted);
}

/** What `heads/x` and `tags/x` are called without their space. */
function nameIn(text: string): string | undefined {
  const ref = parseRef(text);
  return ref === undefined || ref.kind === "commit" ? undefined : ref.name;
}

function twoRefs(typed: string, wanted: string): AppError {
  return new AppError(
    "usage.invalid",
    `two different refs are given: ${safeLine(typed)} with the repository and ${safeLine(wanted)} apart from it; give one`,
  );
}

/** What a name stands for (T3): `heads/x`, `tags/x` or 40 hex as said, a bare one as whichever of the two there is. */
export async function resolveName(github: GitHub, repository: Repository, name: string): Promise<Ref> {
  return (await lookUp(github, repository, name)).ref;
}

async function lookUp(github: GitHub, repository: Repository, name: string): Promise<Looked> {
  checkRefName(name);
  const said = parseRef(name);
  if (said !== undefined) return { ref: said };
  const all = (["branch", "tag"] as const).map(async (kind) => {
    const ref: Ref = { kind, name };
    const found = await github.commit(repository, ref, null);
    return found === undefined || found === "unchanged" ? [] : [{ ref, found }];
  });
  const [first, second] = (await Promise.all(all)).flat();
  if (first !== undefined && second !== undefined) throw ambiguous(repository, first.ref, second.ref);
  if (first === undefined) throw missing(repository, name);
  return first;
}

/** The one branch or tag whose name the segments begin with. Git has no two of a kind of which one begins the other. */
async function fitting(
  github: GitHub,
  repository: Repository,
  segments: readonly string[],
  spaces: readonly Space[],
): Promise<Looked | undefined> {
  const found: Looked[] = [];
  for (const space of spaces) found.push(...(await fittingIn(github, repository, segments, space)));
  const [first, second] = found;
  if (first !== undefined && second !== undefined) throw ambiguous(repository, first.ref, second.ref);
  return first;
}

type Space = "heads" | "tags";

async function fittingIn(
  github: GitHub,
  repository: Repository,
  segments: readonly string[],
  space: Space,
): Promise<readonly Looked[]> {
  const [first = ""] = segments;
  // Most branches have no slash in their name, and then it is known what they are at as well.
  if (space === "heads") {
    const ref: Ref = { kind: "branch", name: first };
    const found = await github.commit(repository, ref, null);
    if (found !== undefined && found !== "unchanged") return [{ ref, found }];
  }
  const names = await namesIn(github, repository, space, segments);
  const name = names.find((each) => startsWith(segments, each));
  return name === undefined ? [] : [{ ref: { kind: space === "heads" ? "branch" : "tag", name } }];
}

/** Branches are not nested deeper than this by people. */
const mostNested = 8;

/** Those that begin as the segments do: in one request, or one by one where the service has no such list. */
async function namesIn(
  github: GitHub,
  repository: Repository,
  space: Space,
  segments: readonly string[],
): Promise<readonly string[]> {
  try {
    return await github.refNames(repository, space, segments[0] ?? "");
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "source.missing") throw error;
  }
  for (let count = 1; count <= Math.min(segments.length, mostNested); count++) {
    const name = segments.slice(0, count).join("/");
    const ref = parseRef(`${space}/${name}`);
    if (ref !== undefined && (await github.commit(repository, ref, null)) !== undefined) return [name];
  }
  return [];
}

/** IN-2: where the ref of a `tree` or `blob` URL ends, only the repository knows. */
async function divided(
  github: GitHub,
  repository: Repository,
  { segments, of }: Mixed,
  wanted: string | null,
): Promise<Looked & { readonly path: string }> {
  const { spaces, rest } = withoutSpace(segments);
  const { ref, ...told } =
    wanted === null ? await refWithin(github, repository, rest, spaces) : await lookUp(github, repository, wanted);
  const name = ref.kind === "commit" ? ref.id : ref.name;
  const isSaid =
    startsWith(rest, name) && (ref.kind === "commit" || spaces.includes(ref.kind === "branch" ? "heads" : "tags"));
  if (!isSaid) throw twoRefs(rest.join("/"), renderRef(ref));
  const path = rest.slice(name.split("/").length).join("/");
  if (of === "blob" && path === "") throw new AppError("usage.invalid", "the URL names no file behind its ref");
  return { ref, path, ...told };
}

/** `refs/heads/…` and `refs/tags/…` say which of the two it is. */
function withoutSpace(segments: readonly string[]) {
  const [refs, space] = segments;
  const said = (["heads", "tags"] as const).find((known) => refs === "refs" && known === space);
  if (said === undefined) return { spaces: ["heads", "tags"] as const, rest: segments };
  return { spaces: [said], rest: segments.slice(2) };
}

async function refWithin(
  github: GitHub,
  repository: Repository,
  segments: readonly string[],
  spaces: readonly Space[],
): Promise<Looked> {
  const [first = ""] = segments;
  if (isObjectId(first) && spaces.length === 2) return { ref: { kind: "commit", id: first } };
  checkRefName(first);
  const found = await fitting(github, repository, segments, spaces);
  if (found !== undefined) return found;
  throw missing(repository, segments.length === 1 ? first : `${first}/…`);
}

/** Whole segments only: `main` does not begin `mainline/x`. */
function startsWith(segments: readonly string[], name: string): boolean {
  return name.split("/").every((part, at) => segments[at] === part);
}

function ambiguous(repository: Repository, first: Ref, second: Ref): AppError {
  const [one, other] = [safeLine(renderRef(first)), safeLine(renderRef(second))];
  return new AppError(
    "usage.invalid",
    `${fullName(repository)} has a branch and a tag that fit; say which one is meant with \`--ref ${one}\` or \`--ref ${other}\``,
  );
}

function missing(repository: Repository, name: string): AppError {
  if (isObjectId(name))
    return new AppError("source.missing", `${fullName(repository)} has no commit ${name}: check its digits`);
  const advice = /^[0-9a-f]{7,40}$/i.test(name)
    ? "short SHAs are not accepted; give all 40 digits, in lower case"
    : "look at its branches and tags, and give one as `--ref heads/…` or `--ref tags/…`";
  return new AppError("source.missing", `${fullName(repository)} has no branch or tag ${safeLine(name)}: ${advice}`);
}
