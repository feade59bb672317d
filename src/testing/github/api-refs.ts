import { type Answer, createJson, notFound } from "./answer.ts";
import { emptyRepository } from "./api-commits.ts";
import { nodeId, type Place } from "./asked.ts";

/** `/git/ref/{heads|tags}/…`. */
export function answerRef(place: Place, name: string): Answer {
  const { refs } = place.repository;
  if (refs.size === 0) return emptyRepository();
  const id = refs.get(`refs/${name}`);
  return id === undefined ? notFound() : createJson(refFacts(place, `refs/${name}`, id));
}

/** `/git/matching-refs/…`: all whose names begin so. */
export function answerMatchingRefs(place: Place, prefix: string): Answer {
  const { refs } = place.repository;
  if (refs.size === 0) return emptyRepository();
  const fitting = sorted(refs, `refs/${prefix}`);
  return createJson(fitting.map(([ref, id]) => refFacts(place, ref, id)));
}

/** Of an annotated tag it is the tag itself that the ref points to. */
function refFacts({ repository, url }: Place, ref: string, id: string): Record<string, unknown> {
  const type = repository.store.commit(id)?.id === id ? "commit" : "tag";
  const object = { sha: id, type, url: `${url}/git/${type}s/${id}` };
  return { ref, node_id: nodeId("REF", repository.id, ref), url: `${url}/git/${ref}`, object };
}

/** `/branches`. */
export function answerBranches(place: Place, query: URLSearchParams): Answer {
  return paged(place, "branches", query, sorted(place.repository.refs, "refs/heads/"), (name, commit) => ({
    name,
    commit,
    protected: false,
  }));
}

/** `/tags`: the last of the alphabet first, which puts new versions before old ones. */
export function answerTags(place: Place, query: URLSearchParams): Answer {
  const { repository, url } = place;
  return paged(place, "tags", query, sorted(repository.refs, "refs/tags/").toReversed(), (name, commit) => ({
    name,
    commit,
    zipball_url: `${url}/zipball/refs/tags/${name}`,
    tarball_url: `${url}/tarball/refs/tags/${name}`,
    node_id: nodeId("REF", repository.id, `refs/tags/${name}`),
  }));
}

type Refs = [ref: string, id: string][];

function sorted(refs: ReadonlyMap<string, string>, prefix: string): Refs {
  return [...refs]
    .filter(([ref]) => ref.startsWith(prefix))
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

type Describe = (name: string, commit: { readonly sha: string; readonly url: string }) => Record<string, unknown>;

function paged(place: Place, word: string, query: URLSearchParams, refs: Refs, describe: Describe): Answer {
  const perPage = Math.min(100, numberIn(query, "per_page", 30));
  const page = numberIn(query, "page", 1);
  const shown = refs.slice((page - 1) * perPage, page * perPage).map(([ref, id]) => {
    const sha = place.repository.store.commit(id)?.id ?? id;
    return describe(ref.split("/").slice(2).join("/"), { sha, url: `${place.url}/commits/${sha}` });
  });
  const last = Math.max(1, Math.ceil(refs.length / perPage));
  const link = linksOf(
    `${place.bases.api}/repositories/${place.repository.id}/${word}?per_page=${perPage}`,
    page,
    last,
  );
  return createJson(shown, link === "" ? {} : { link });
}

function numberIn(query: URLSearchParams, name: string, preset: number): number {
  const text = query.get(name) ?? "";
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : preset;
}

function linksOf(url: string, page: number, last: number): string {
  const links: [rel: string, page: number][] = [
    ...(page > 1 ? ([["prev", page - 1]] satisfies [string, number][]) : []),
    ...(page < last
      ? ([
          ["next", page + 1],
          ["last", last],
        ] satisfies [string, number][])
      : []),
    ...(page > 1 ? ([["first", 1]] satisfies [string, number][]) : []),
  ];
  return links.map(([rel, number]) => `<${url}&page=${number}>; rel="${rel}"`).join(", ");
}
