import { type Answer, createError, createJson, notFound } from "./answer.ts";
import type { Commit } from "./objects.ts";
import { nodeId, type Place } from "./asked.ts";
import { resolveCommit } from "./repository.ts";
import type { Relation } from "./store.ts";

/** `/commits/{ref}`. */
export function answerCommit(place: Place, name: string): Answer {
  const { repository } = place;
  if (name === "") return notFound();
  if (repository.refs.size === 0) return emptyRepository();
  const commit = resolveCommit(repository, name);
  if (!commit) return createError(422, `No commit found for SHA: ${name}`);
  const changed = { stats: { total: 0, additions: 0, deletions: 0 }, files: [] };
  return createJson({ ...commitFacts(place, commit), ...changed });
}

/** `/git/commits/{sha}`. */
export function answerGitCommit(place: Place, id: string): Answer {
  if (place.repository.refs.size === 0) return emptyRepository();
  const commit = place.repository.store.commit(id);
  if (commit?.id !== id) return notFound();
  const { url: at, page } = place;
  const facts = { sha: id, node_id: nodeId("C", place.repository.id, id), url: `${at}/git/commits/${id}` };
  const parents = commit.parents.map((sha) => ({
    sha,
    url: `${at}/git/commits/${sha}`,
    html_url: `${page}/commit/${sha}`,
  }));
  return createJson({ ...facts, html_url: `${page}/commit/${id}`, ...contentOf(place, commit), parents });
}

export function emptyRepository(): Answer {
  return createError(409, "Git Repository is empty.");
}

/** A commit as lists and comparisons have it too. */
function commitFacts(place: Place, commit: Commit): Record<string, unknown> {
  const { url: at, page, repository } = place;
  const { id, parents } = commit;
  return {
    sha: id,
    node_id: nodeId("C", repository.id, id),
    commit: { ...contentOf(place, commit), url: `${at}/git/commits/${id}`, comment_count: 0 },
    url: `${at}/commits/${id}`,
    html_url: `${page}/commit/${id}`,
    comments_url: `${at}/commits/${id}/comments`,
    // No account has these addresses.
    author: null,
    committer: null,
    parents: parents.map((sha) => ({ sha, url: `${at}/commits/${sha}`, html_url: `${page}/commit/${sha}` })),
  };
}

function contentOf({ url }: Place, { author, committer, message, tree, signed }: Commit): Record<string, unknown> {
  return {
    author: personFacts(author),
    committer: personFacts(committer),
    message,
    tree: { sha: tree, url: `${url}/git/trees/${tree}` },
    verification: {
      verified: false,
      reason: signed ? "unknown_key" : "unsigned",
      signature: signed?.signature ?? null,
      payload: signed?.payload ?? null,
      verified_at: null,
    },
  };
}

/** In UTC and whole seconds, whatever the zone was. */
function personFacts({ name, email, time }: Commit["author"]): Record<string, string> {
  return { name, email, date: new Date(time * 1000).toISOString().replace(".000Z", "Z") };
}

/** `/compare/{base}...{head}`. */
export function answerComparison(place: Place, names: string): Answer {
  const [baseName = "", headName = "", ...more] = names.split("...");
  if (more.length > 0) return notFound();
  const { repository } = place;
  const base = resolveCommit(repository, baseName);
  const head = resolveCommit(repository, headName);
  if (!base || !head) return notFound();
  const relation = repository.store.relation(base.id, head.id);
  if (!relation) return createError(404, `No common ancestor between ${baseName} and ${headName}.`);
  const common = repository.store.commit(relation.base);
  const commits = relation.commits.map((id) => repository.store.commit(id));
  const facts = (commit: Commit | undefined): unknown => commit && commitFacts(place, commit);
  return createJson({
    ...urlsOf(place, `${baseName}...${headName}`),
    base_commit: facts(base),
    merge_base_commit: facts(common),
    status: statusOf(relation),
    ahead_by: relation.ahead,
    behind_by: relation.behind,
    total_commits: relation.ahead,
    commits: commits.map(facts),
    files: [],
  });
}

function urlsOf({ url, page }: Place, names: string): Record<string, string> {
  const seen = `${page}/compare/${names}`;
  return {
    url: `${url}/compare/${names}`,
    html_url: seen,
    permalink_url: seen,
    diff_url: `${seen}.diff`,
    patch_url: `${seen}.patch`,
  };
}

/** How the head stands to the base. */
function statusOf({ ahead, behind }: Relation): string {
  if (ahead > 0) return behind > 0 ? "diverged" : "ahead";
  return behind > 0 ? "behind" : "identical";
}
