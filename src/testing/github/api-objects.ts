import { type Answer, createError, createJson, notFound } from "./answer.ts";
import { emptyRepository } from "./api-commits.ts";
import { remembering } from "./git.ts";
import { nodeId, type Place } from "./asked.ts";
import { resolveCommit } from "./repository.ts";
import type { Listed } from "./store.ts";

/** Large trees are asked for again and again; what an id means does not change. */
const made = new WeakMap<Place["repository"], (key: string) => Promise<Answer>>();

/** `/git/trees/{sha}`, also by the id of a commit or by a ref; the query counts as soon as it is there. */
export async function answerTree(place: Place, name: string, query: URLSearchParams): Promise<Answer> {
  const { repository, mostEntries, url } = place;
  if (repository.refs.size === 0) return emptyRepository();
  const commit = resolveCommit(repository, name);
  const object = commit ? undefined : repository.store.read(name);
  const tree = commit?.tree ?? (object?.kind === "tree" ? object.id : undefined);
  if (tree === undefined) return notFound();
  const isRecursive = query.has("recursive");
  const sha = commit?.id ?? tree;
  const remembered = made.get(repository) ?? remembering(async (key) => renderTree(place, ...parseKey(key)));
  made.set(repository, remembered);
  return remembered(JSON.stringify([url, sha, tree, isRecursive, isRecursive ? mostEntries : null]));
}

type TreeKey = [url: string, sha: string, tree: string, isRecursive: boolean, most: number | null];

function parseKey(key: string): TreeKey {
  const parsed: TreeKey = JSON.parse(key);
  return parsed;
}

function renderTree({ repository }: Place, ...[url, sha, tree, isRecursive, most]: TreeKey): Answer {
  const entries = repository.store.list(tree, isRecursive);
  const shown = most === null ? entries : entries.slice(0, most);
  const truncated = shown.length < entries.length;
  const facts = shown.map((entry) => entryFacts(url, entry));
  return createJson({ sha, url: `${url}/git/trees/${sha}`, tree: facts, truncated });
}

function entryFacts(url: string, { path, mode, kind, id, size }: Listed): Record<string, unknown> {
  const folder = kind === "tree" ? "trees" : "blobs";
  return {
    path,
    mode,
    type: kind,
    sha: id,
    ...(size === null ? {} : { size }),
    // What a submodule points to is not here.
    ...(kind === "commit" ? {} : { url: `${url}/git/${folder}/${id}` }),
  };
}

/** `/git/blobs/{sha}`. */
export function answerBlob(place: Place, id: string): Answer {
  if (place.repository.refs.size === 0) return emptyRepository();
  if (!/^[0-9a-f]{40}$/.test(id))
    return createError(422, "The sha parameter must be exactly 40 characters and contain only [0-9a-f].");
  const object = place.repository.store.read(id);
  if (object?.kind !== "blob") return notFound();
  return createJson({
    sha: id,
    node_id: nodeId("B", place.repository.id, id),
    size: object.bytes.length,
    url: `${place.url}/git/blobs/${id}`,
    content: object.bytes.toString("base64").replaceAll(/.{60}/g, "$&\n"),
    encoding: "base64",
  });
}
