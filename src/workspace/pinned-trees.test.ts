import { expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import { githubCom } from "../net/host-set.ts";
import type { GitHub } from "../sources/github/github.ts";
import type { TreeEntry } from "../sources/git/git.ts";
import type { Ref } from "../sources/ref.ts";
import type { Repository } from "../sources/repository.ts";
import type { LockedSkill } from "./lock.ts";
import { PinnedTrees } from "./pinned-trees.ts";

const repository: Repository = { hosts: githubCom, owner: "acme", name: "skills" };

function lockedAt(commit: string): LockedSkill {
  return {
    source: "acme/skills",
    hosts: "github.com",
    path: "skills/pdf",
    ref: "heads/main",
    commit,
    repositoryId: 1,
    ownerId: 2,
    tree: "c".repeat(40),
    digest: "d".repeat(64),
    files: new Map(),
    executable: [],
    accepted: [],
    proof: { commit: "hashed", reachable: "heads/main" },
  };
}

function commitOf(number: number): string {
  return String(number).padStart(40, "0");
}

/** Every commit is there, with a tree of so many names; each time one is asked for is counted. */
function counting(entries: number, refused: ReadonlySet<string> = new Set()) {
  const asked: string[] = [];
  const entry: TreeEntry = { path: "a", mode: "100644", id: "e".repeat(40), size: 1 };
  const many = new Map(Array.from({ length: entries }, (_, at) => [String(at), entry]));
  const none = () => Promise.reject(new Error("not asked for here"));
  const github: GitHub = {
    spent: { requests: 0, apiRequests: 0, bytes: 0, left: null },
    facts: () => Promise.resolve({ facts: { id: 1, ownerId: 2, defaultBranch: "main" }, etag: null }),
    commit: (_repository: Repository, ref: Ref) => {
      const id = ref.kind === "commit" ? ref.id : commitOf(0);
      if (ref.kind === "commit") asked.push(id);
      if (refused.has(id)) return Promise.reject(new AppError("source.refused", "no"));
      return Promise.resolve({ facts: { id, tree: id, parents: [], proof: "hashed" }, etag: null });
    },
    tree: (_repository, id) => Promise.resolve({ id, entries: many, unknown: [] }),
    compare: () => Promise.resolve("behind"),
    branches: none,
    tags: none,
    refNames: none,
    file: none,
    tarball: none,
  };
  return { trees: new PinnedTrees(github), asked };
}

test("IN-12: a commit is asked for once, also one that is refused", async () => {
  const bad = commitOf(9);
  const { trees, asked } = counting(3, new Set([bad]));
  for (let time = 0; time < 3; time++) {
    for (let number = 1; number <= 5; number++)
      expect((await trees.locked(repository, lockedAt(commitOf(number)))).commit.id).toBe(commitOf(number));
    await expect(trees.locked(repository, lockedAt(bad))).rejects.toMatchObject({ code: "source.refused" });
  }
  expect(asked).toEqual([...[1, 2, 3, 4, 5].map(commitOf), bad]);
});

test("T44: of a thousand commits that a lock file names, no more trees are kept than there is room for", async () => {
  const { trees, asked } = counting(10_000);
  for (let number = 1; number <= 1000; number++) await trees.locked(repository, lockedAt(commitOf(number)));
  expect(asked).toHaveLength(1000);
  // The last ones are still there; all those before them are not.
  for (let number = 1000; number > 960; number--) await trees.locked(repository, lockedAt(commitOf(number)));
  expect(asked).toHaveLength(1000);
  for (let number = 1; number <= 900; number++) await trees.locked(repository, lockedAt(commitOf(number)));
  expect(asked).toHaveLength(1900);
});

test("a tree that is larger than all the room is had all the same, and not kept", async () => {
  const { trees, asked } = counting(600_000);
  for (let time = 0; time < 2; time++)
    expect((await trees.locked(repository, lockedAt(commitOf(1)))).tree.id).toBe(commitOf(1));
  expect(asked).toHaveLength(2);
});
