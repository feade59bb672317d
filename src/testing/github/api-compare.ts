import { type Answer, createError, createJson, notFound } from "./answer.ts";
import { commitFacts } from "./api-commits.ts";
import type { Commit } from "./commit.ts";
import type { Place } from "./place.ts";
import { resolveCommit } from "./resolve.ts";
import type { Relation } from "./store.ts";

/** `/compare/{base}...{head}`. */
export async function answerComparison(place: Place, names: string): Promise<Answer> {
  const [baseName = "", headName = "", ...more] = names.split("...");
  if (more.length > 0) return notFound();
  const { repository } = place;
  const base = resolveCommit(repository, baseName);
  const head = resolveCommit(repository, headName);
  if (!base || !head) return notFound();
  const relation = await repository.store.relation(base.id, head.id);
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
