import type { Hub } from "./hub.ts";
import { createPusher, type Repository } from "./repository.ts";
import type { FakeRepository } from "./script.ts";

/** What a test holds of a repository. */
export function createHandle(hub: Hub, repository: Repository): FakeRepository {
  const pusher = createPusher(hub.git, repository);
  return {
    get fullName() {
      return repository.fullName;
    },
    id: repository.id,
    get ownerId() {
      return repository.ownerId;
    },
    folder: repository.folder,
    push: (files, options = {}) => pusher.push(files, options),
    branch: (name, commit) => pusher.set(`refs/heads/${name}`, commit),
    deleteBranch: (name) => pusher.delete(`refs/heads/${name}`),
    tag: (name, commit, { annotated = false } = {}) =>
      annotated ? pusher.tag(name, commit) : pusher.set(`refs/tags/${name}`, commit),
    deleteTag: (name) => pusher.delete(`refs/tags/${name}`),
    rename: async (fullName) => hub.rename(repository, fullName, "same"),
    transfer: async (fullName) => hub.rename(repository, fullName, "another"),
    remove: async () => hub.remove(repository),
    fork: async (fullName) => createHandle(hub, await hub.fork(repository, fullName)),
    tamper: (path) => void (repository.tampered = path),
  };
}
