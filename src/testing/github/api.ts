import { mayRead, type Repository } from "./repository.ts";
import { type Answer, createJson, notFound } from "./answer.ts";
import { answerComparison, answerCommit, answerGitCommit } from "./api-commits.ts";
import { answerBlob, answerTree } from "./api-objects.ts";
import { answerBranches, answerMatchingRefs, answerRef, answerTags } from "./api-refs.ts";
import { type Asked, type Bases, createPlace, type Place, nodeId } from "./asked.ts";
import type { Hub } from "./hub.ts";

type Route = (place: Place, rest: string, query: URLSearchParams) => Answer | Promise<Answer>;

/** By the words behind the repository; what stands behind those is the rest. */
const routes: readonly (readonly [words: string, route: Route])[] = [
  ["commits/", answerCommit],
  ["compare/", answerComparison],
  ["git/trees/", answerTree],
  ["git/blobs/", answerBlob],
  ["git/commits/", answerGitCommit],
  ["git/ref/", answerRef],
  ["git/matching-refs/", answerMatchingRefs],
];
const lists: ReadonlyMap<string, (place: Place, query: URLSearchParams) => Answer> = new Map([
  ["branches", answerBranches],
  ["tags", answerTags],
]);

export async function answerApi(hub: Hub, asked: Asked, bases: Bases, mostEntries: number): Promise<Answer> {
  const { segments } = asked;
  if (segments[0] === "repositories") {
    const known = /^\d{1,15}$/.test(segments[1] ?? "") ? hub.findById(Number(segments[1])) : undefined;
    return answerAbout(known, segments.slice(2), asked, bases, mostEntries);
  }
  if (segments[0] !== "repos") return notFound();
  const fullName = segments.slice(1, 3).join("/");
  const moved = hub.find(fullName) ? undefined : hub.findMoved(fullName);
  if (moved && mayRead(moved, asked.token)) return movedTo(moved, segments.slice(3), asked, bases);
  return answerAbout(hub.find(fullName), segments.slice(3), asked, bases, mostEntries);
}

function movedTo({ id }: Repository, rest: readonly string[], { query }: Asked, { api }: Bases): Answer {
  const path = [`${api}/repositories/${id}`, ...rest.map((segment) => encodeURIComponent(segment))].join("/");
  const url = query.size === 0 ? path : `${path}?${query.toString()}`;
  const facts = { message: "Moved Permanently", url, documentation_url: "https://docs.github.com/rest" };
  return createJson(facts, { location: url }, 301);
}

async function answerAbout(
  repository: Repository | undefined,
  segments: readonly string[],
  { token, query }: Asked,
  bases: Bases,
  mostEntries: number,
): Promise<Answer> {
  if (!repository || !mayRead(repository, token)) return notFound();
  const place = createPlace(repository, bases, mostEntries);
  const rest = segments.join("/");
  if (segments.length === 0) return answerRepository(place);
  const list = lists.get(rest);
  if (list) return list(place, query);
  const [words, route] = routes.find(([start]) => rest.startsWith(start)) ?? [];
  if (words === undefined || route === undefined) return notFound();
  return route(place, rest.slice(words.length), query);
}

function answerRepository(place: Place): Answer {
  const { repository, bases, mostEntries } = place;
  const above = repository.parent && factsOf(createPlace(repository.parent, bases, mostEntries));
  return createJson({ ...factsOf(place), ...(above ? { parent: above, source: above } : {}) });
}

function factsOf({ repository, url, page, bases }: Place): Record<string, unknown> {
  const { id, fullName, access, parent, defaultBranch } = repository;
  const [, name = ""] = fullName.split("/");
  return {
    id,
    node_id: nodeId("R", id),
    name,
    full_name: fullName,
    private: access !== undefined,
    owner: ownerOf(repository, bases),
    html_url: page,
    description: null,
    fork: parent !== undefined,
    url,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    trees_url: `${url}/git/trees{/sha}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    tags_url: `${url}/tags`,
    clone_url: `${page}.git`,
    archived: false,
    disabled: false,
    visibility: access === undefined ? "public" : "private",
    default_branch: defaultBranch,
  };
}

function ownerOf({ fullName, ownerId }: Place["repository"], { api, web }: Place["bases"]): Record<string, unknown> {
  const [login = ""] = fullName.split("/");
  return {
    login,
    id: ownerId,
    node_id: nodeId("O", ownerId),
    url: `${api}/users/${login}`,
    html_url: `${web}/${login}`,
    type: "Organization",
    site_admin: false,
  };
}
