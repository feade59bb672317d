import { type Answer, createJson } from "./answer.ts";
import { nodeId, type Place, createPlace } from "./place.ts";

export function answerRepository(place: Place): Answer {
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
