import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { at, clientOf, hostsOf } from "../../../test/support/github-client.ts";
import { laterRefusal } from "../../../test/support/refusal.ts";
import { AppError } from "../../core/error.ts";
import { startGitHub } from "../../testing/github/github.ts";
import type { FakeGitHub } from "../../testing/github/script.ts";
import { treeId } from "../git/git.ts";
import type { TreeListing } from "./answers.ts";
import { RateLimited } from "./rate-limit.ts";
import { readTree } from "./read-tree.ts";

let fake: FakeGitHub;
beforeAll(async () => {
  fake = await startGitHub({ paths: true });
});
afterAll(() => fake.close());
afterEach(() => {
  fake.truncateTrees(null);
  fake.misbehave(null);
  fake.limit(null);
});

const files = {
  "README.md": "read me",
  "skills/a/SKILL.md": "a",
  "skills/a/run.sh": { executable: "#!/bin/sh" },
  "skills/b/SKILL.md": "b",
  "skills/b/deep/er/x.txt": "x",
  "other/link": { link: "../README.md" },
  "other/y.txt": "y",
};

async function pushed(name: string, content: Parameters<typeof push>[1] = files) {
  const { id, repository, github } = await push(name, content);
  const before = fake.requests.length;
  return { id, repository, github, trees: () => fake.requests.slice(before).map(({ path }) => path) };
}

async function push(name: string, content: Parameters<Awaited<ReturnType<FakeGitHub["repository"]>>["push"]>[0]) {
  const commit = await (await fake.repository(name)).push(content);
  const hosts = hostsOf(fake);
  const { github } = clientOf([hosts]);
  const repository = at(hosts, name);
  const answer = await github.commit(repository, { kind: "commit", id: commit }, null);
  if (answer === undefined || answer === "unchanged") throw new Error("no commit");
  return { id: answer.facts.tree, repository, github };
}

describe("IN-8, IN-10: a whole tree, proven", () => {
  test("in one request where the service gives all of it", async () => {
    const { github, repository, id, trees } = await pushed("acme/whole");
    const tree = await github.tree(repository, id);
    expect(tree).toMatchObject({ id, unknown: [] });
    expect([...tree.entries.keys()].filter((path) => path.endsWith("SKILL.md"))).toEqual([
      "skills/a/SKILL.md",
      "skills/b/SKILL.md",
    ]);
    expect(trees()).toEqual([`/api/v3/repos/acme/whole/git/trees/${id}?recursive=1`]);
  });

  test("folder by folder where it is truncated, to the same end", async () => {
    const { github, repository, id, trees } = await pushed("acme/parts");
    const whole = await github.tree(repository, id);
    for (const [most, requests] of [
      [5, 7],
      [3, 9],
      [1, 13],
    ] as const) {
      fake.truncateTrees(most);
      const before = trees().length;
      expect(await github.tree(repository, id)).toEqual(whole);
      expect(trees().length - before).toBe(requests);
    }
  });

  test("an empty tree needs no request", async () => {
    const { github, repository } = await pushed("acme/empty");
    const before = fake.requests.length;
    const tree = await github.tree(repository, "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    expect([tree.entries.size, fake.requests.length]).toEqual([0, before]);
  });

  test("T13: a name, a mode or an id that is another, is no tree", async () => {
    const { github, repository, id } = await pushed("acme/lies");
    for (const [from, to] of [
      ["SKILL.md", "SKILL.mD"],
      ["100755", "100644"],
    ] as const) {
      const { entries } = await github.tree(repository, id);
      const tree = [...entries.values()].map(({ path, mode, id: sha }) => ({
        path: path.replace(from, to),
        mode: mode.replace(from, to),
        sha,
      }));
      fake.next({ on: "api", how: { status: 200, body: JSON.stringify({ sha: id, truncated: false, tree }) } });
      expect(await laterRefusal(() => github.tree(repository, id))).toMatch(/^digest\.mismatch /);
    }
  });
});

describe("IN-10: a folder that cannot be had is unknown, never empty", () => {
  async function without(name: string, status: number) {
    const { github, repository, id } = await pushed(name);
    const folder = (await github.tree(repository, id)).entries.get("other")?.id;
    fake.truncateTrees(5);
    fake.misbehave({ rate: 1, random: () => 0, faults: [{ on: new RegExp(`trees/${folder}`), how: { status } }] });
    return { tree: github.tree(repository, id), requests: () => github.spent.requests };
  }

  test.each([404, 500, 501])("for %i", async (status) => {
    const tree = await (await without(`acme/gone-${status}`, status)).tree;
    expect(tree.unknown).toEqual(["other"]);
    expect([tree.entries.has("other"), tree.entries.has("other/y.txt")]).toEqual([true, false]);
    expect(tree.entries.has("skills/b/deep/er/x.txt")).toBe(true);
  });

  test("IN-11: but a rate limit ends it", async () => {
    expect(await laterRefusal(async () => (await without("acme/limited", 429)).tree)).toMatch(/^source\.limited /);
  });

  test("and a token that is refused", async () => {
    expect(await laterRefusal(async () => (await without("acme/refused", 401)).tree)).toMatch(/^source\.refused /);
  });
});

describe("T8: a tree takes so many requests and no more", () => {
  const leaf = [{ path: "x", mode: "100644", id: "a".repeat(40), size: 1 }];
  const leafId = treeId([{ name: "x", mode: "100644", id: "a".repeat(40) }]);

  /** A folder of folders, all the same, of which every recursive listing is truncated. */
  function wide(count: number) {
    const entries = Array.from({ length: count }, (_, index) => ({
      path: `f${index}`,
      mode: "040000",
      id: leafId,
      size: null,
    }));
    return { id: treeId(entries.map(({ path, ...rest }) => ({ name: path, ...rest }))), entries };
  }

  test("what is left over then is unknown", async () => {
    const { id, entries } = wide(200);
    let asked = 0;
    const list = async (of: string, depth: string): Promise<TreeListing> => {
      asked++;
      if (of === leafId) return { entries: leaf, isTruncated: false };
      return { entries: depth === "all" ? [] : entries, isTruncated: depth === "all" };
    };
    const tree = await readTree(list, id);
    expect([asked, tree.unknown.length, tree.entries.size]).toEqual([64, 138, 262]);
  });

  test("a folder whose own names are truncated is unknown; for the root there is nothing to tell", async () => {
    const { id, entries } = wide(2);
    const list = async (of: string, depth: string): Promise<TreeListing> => {
      if (of === leafId) return { entries: leaf, isTruncated: true };
      return { entries: depth === "all" ? [] : entries, isTruncated: depth === "all" };
    };
    expect((await readTree(list, id)).unknown).toEqual(["f0", "f1"]);
    expect(await laterRefusal(() => readTree(list, leafId))).toMatch(/^upstream\.invalid /);
  });

  test("errors that are no fault of one folder pass through", async () => {
    const { id, entries } = wide(2);
    const faults = [
      new RateLimited("here", null, { now: 0, hasToken: true }),
      new AppError("source.frozen", "x"),
      new Error("aborted"),
    ];
    for (const fault of faults) {
      const list = async (of: string, depth: string): Promise<TreeListing> => {
        if (of === leafId) throw fault;
        return { entries: depth === "all" ? [] : entries, isTruncated: depth === "all" };
      };
      await expect(readTree(list, id)).rejects.toBe(fault);
    }
  });
});
