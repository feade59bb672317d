import { mayRead } from "./access.ts";
import { type Answer, createJson, notFound } from "./answer.ts";
import { answerComparison } from "./api-compare.ts";
import { answerCommit, answerGitCommit } from "./api-commits.ts";
import { answerBlob, answerTree } from "./api-objects.ts";
import { answerBranches, answerMatchingRefs, answerRef, answerTags } from "./api-refs.ts";
import { answerRepository } from "./api-repository.ts";
import type { Asked } from "./asked.ts";
import type { Hub } from "./hub.ts";
import { type Bases, createPlace, type Place } from "./place.ts";
import type { Repository } from "./repository.ts";

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
