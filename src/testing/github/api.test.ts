import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGitHub } from "./github.ts";
import type { FakeGitHub, FakeRepository } from "./script.ts";

let github: FakeGitHub;
let skills: FakeRepository;
let [first, second, unrelated, divergent, named, tag] = ["", "", "", "", "", ""];

beforeAll(async () => {
  github = await startGitHub();
  skills = await github.repository("acme/skills");
  first = await skills.push({ "a/SKILL.md": "one\n", run: { executable: "x" }, l: { link: "run" } }, { zone: "+0200" });
  second = await skills.push({ "a/SKILL.md": "two\n", s: { submodule: "c".repeat(40) } }, { message: "Second\n" });
  divergent = await skills.push({ b: "1" }, { from: first, branch: "feature/x" });
  unrelated = await skills.push({ z: "1" }, { from: null, branch: "alone" });
  await skills.tag("v1", first, { annotated: true });
  await skills.tag("both", first);
  await skills.branch("both", second);
  // T3: a branch that is named like an id, of nothing.
  named = "d".repeat(40);
  await skills.branch(named, first);
  const { stdout } = await promisify(execFile)("git", ["rev-parse", "refs/tags/v1"], { cwd: skills.folder });
  tag = stdout.trim();
});
afterAll(() => github.close());

type Facts = Record<string, unknown>;

async function ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; facts: Facts }> {
  const answer = await fetch(`${github.api}/repos/acme/skills${path}`, { headers });
  return { status: answer.status, facts: JSON.parse(await answer.text()) as Facts };
}

describe("repositories", () => {
  test("T12: say who they are by name and by numbers, under their name in any case and under their id", async () => {
    const { status, facts } = await ask("");
    expect(status).toBe(200);
    expect(facts).toMatchObject({
      id: skills.id,
      node_id: expect.any(String),
      name: "skills",
      full_name: "acme/skills",
      private: false,
      fork: false,
      owner: { login: "acme", id: skills.ownerId, type: "Organization" },
      html_url: `${github.web}/acme/skills`,
      url: `${github.api}/repos/acme/skills`,
      default_branch: "main",
    });
    const byId = await fetch(`${github.api}/repositories/${skills.id}`);
    expect(await byId.json()).toEqual(facts);
    expect(await (await fetch(`${github.api}/repos/ACME/Skills`)).json()).toEqual(facts);
  });

  test("that are not there, and paths that are none", async () => {
    const missing = { message: "Not Found", documentation_url: expect.any(String), status: "404" };
    const paths = ["/repos/acme/none", "/repos/acme", "/repositories/1", "/repositories/x", "/", "/users/acme"];
    for (const path of [...paths, "/repos/acme/skills/none", "/repos/acme/skills/", "/repos/acme/%E0%A4%A"]) {
      const answer = await fetch(github.api + path);
      expect([path, answer.status, await answer.json()]).toEqual([path, 404, missing]);
    }
  });

  test("without a commit answer 409, and have no branches", async () => {
    const empty = await github.repository("acme/empty");
    const ask409 = ["commits/heads/main", `git/trees/${first}`, "git/ref/heads/main", "git/matching-refs/heads/"];
    for (const path of [...ask409, `git/blobs/${first}`, `git/commits/${first}`]) {
      const answer = await fetch(`${github.api}/repos/acme/empty/${path}`);
      expect([answer.status, await answer.json()]).toEqual([
        409,
        { message: "Git Repository is empty.", documentation_url: expect.any(String), status: "409" },
      ]);
    }
    expect(await (await fetch(`${github.api}/repos/acme/empty/branches`)).json()).toEqual([]);
    expect(empty.id).not.toBe(skills.id);
  });

  test("are only read", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await fetch(`${github.api}/repos/acme/skills`, { method, body: "{}" });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
    const head = await fetch(`${github.api}/repos/acme/skills`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});

describe("IN-7: commits", () => {
  test("in the documented shape: times in UTC, the message without its last line feed", async () => {
    const { facts } = await ask(`/commits/${first}`);
    const person = { email: expect.any(String), date: "2023-11-14T22:14:20Z" };
    expect(facts).toMatchObject({
      sha: first,
      commit: {
        author: { name: "Ada Author", ...person },
        committer: { name: "Carl Committer", ...person },
        message: "Change 3 files",
        tree: { sha: expect.stringMatching(/^[0-9a-f]{40}$/), url: expect.stringContaining("/git/trees/") },
        verification: { verified: false, reason: "unsigned", signature: null, payload: null },
      },
      parents: [],
    });
    const later = await ask(`/commits/${second}`);
    expect(later.facts).toMatchObject({ commit: { message: "Second" }, parents: [{ sha: first }] });
    const bare = await ask(`/git/commits/${second}`);
    expect(bare.facts).toMatchObject({ sha: second, message: "Second", parents: [{ sha: first }] });
    expect((await ask(`/git/commits/${tag}`)).status).toBe(404);
  });

  test("by every kind of name, a branch before a tag", async () => {
    const names: Record<string, string> = {
      "heads/main": second,
      main: second,
      HEAD: second,
      "refs/heads/main": second,
      "heads/feature/x": divergent,
      "feature/x": divergent,
      "feature%2Fx": divergent,
      "tags/v1": first,
      v1: first,
      [tag]: first,
      both: second,
      "heads/both": second,
      "tags/both": first,
      [first.slice(0, 7)]: first,
      [second]: second,
      [named]: first,
    };
    for (const [name, commit] of Object.entries(names)) {
      const { facts } = await ask(`/commits/${name}`);
      expect([name, facts["sha"]]).toEqual([name, commit]);
    }
  });

  test("that are not there are told as GitHub tells them", async () => {
    const tree = ((await ask(`/commits/${first}`)).facts["commit"] as { tree: { sha: string } }).tree.sha;
    for (const name of ["heads/none", "tags/main", "none", "e".repeat(40), tree, "eeeeeee", "heads/main~1", "a..b"]) {
      const { status, facts } = await ask(`/commits/${name}`);
      expect([status, facts]).toEqual([
        422,
        { message: `No commit found for SHA: ${name}`, documentation_url: expect.any(String), status: "422" },
      ]);
    }
  });
});

describe("IN-10: trees", () => {
  test("of a tree, of a commit and of a ref, flat or with all below", async () => {
    const flat = await ask(`/git/trees/${second}`);
    expect(flat.facts).toMatchObject({ sha: second, truncated: false });
    const rows = (flat.facts["tree"] as Facts[]).map(({ path, mode, type, size }) => [path, mode, type, size]);
    expect(rows).toEqual([
      ["a", "040000", "tree", undefined],
      ["l", "120000", "blob", 3],
      ["run", "100755", "blob", 1],
      ["s", "160000", "commit", undefined],
    ]);
    const [folder] = flat.facts["tree"] as { sha: string; url: string }[];
    const below = await (await fetch(folder?.url ?? "")).json();
    expect(below).toMatchObject({ sha: folder?.sha, tree: [{ path: "SKILL.md", mode: "100644", size: 4 }] });
    for (const query of ["recursive=1", "recursive=0", "recursive"]) {
      const { facts } = await ask(`/git/trees/heads/main?${query}`);
      expect((facts["tree"] as Facts[]).map(({ path }) => path)).toEqual(["a", "a/SKILL.md", "l", "run", "s"]);
    }
    expect((await ask(`/git/trees/${"e".repeat(40)}`)).status).toBe(404);
  });

  test("with more entries than one likes are truncated, where they are recursive", async () => {
    const read = async (query: string): Promise<unknown[]> => {
      const { facts } = await ask(`/git/trees/main${query}`);
      return [(facts["tree"] as Facts[]).length, facts["truncated"]];
    };
    github.truncateTrees(3);
    expect([await read("?recursive=1"), await read("")]).toEqual([
      [3, true],
      [4, false],
    ]);
    github.truncateTrees(5);
    expect(await read("?recursive=1")).toEqual([5, false]);
    github.truncateTrees(3);
    github.truncateTrees(null);
    expect(await read("?recursive=1")).toEqual([5, false]);
  });

  test("and their files", async () => {
    const { facts } = await ask("/git/trees/main?recursive=1");
    const file = (facts["tree"] as { path: string; url: string }[]).find(({ path }) => path === "a/SKILL.md");
    expect(await (await fetch(file?.url ?? "")).json()).toMatchObject({
      size: 4,
      encoding: "base64",
      content: Buffer.from("two\n").toString("base64"),
    });
    expect((await ask(`/git/blobs/${first}`)).status).toBe(404);
    expect((await ask("/git/blobs/short")).status).toBe(422);
  });
});

describe("T10: comparisons", () => {
  test("say how the head stands to the base", async () => {
    const cases: [names: string, status: string, ahead: number, behind: number][] = [
      [`${first}...${second}`, "ahead", 1, 0],
      [`main...${first}`, "behind", 0, 1],
      ["heads/main...tags/v1", "behind", 0, 1],
      [`main...${second}`, "identical", 0, 0],
      ["main...feature/x", "diverged", 1, 1],
    ];
    for (const [names, status, ahead, behind] of cases) {
      const { facts } = await ask(`/compare/${names}`);
      expect(facts).toMatchObject({ status, ahead_by: ahead, behind_by: behind, total_commits: ahead, files: [] });
      expect(facts["commits"]).toHaveLength(ahead);
    }
    const { facts } = await ask("/compare/main...feature/x");
    expect(facts).toMatchObject({
      base_commit: { sha: second },
      merge_base_commit: { sha: first },
      commits: [{ sha: divergent }],
    });
  });

  test("are not there without a common ancestor, or with a name that means nothing", async () => {
    expect(await ask(`/compare/main...${unrelated}`)).toMatchObject({
      status: 404,
      facts: { message: expect.stringContaining("No common ancestor") },
    });
    for (const names of ["main...none", "none...main", "main", "main...main...main", `main...${"e".repeat(40)}`])
      expect(await ask(`/compare/${names}`)).toMatchObject({ status: 404, facts: { message: "Not Found" } });
  });
});

describe("refs", () => {
  test("one of them, and those that begin alike", async () => {
    expect((await ask("/git/ref/heads/feature/x")).facts).toMatchObject({
      ref: "refs/heads/feature/x",
      object: { type: "commit", sha: divergent },
    });
    expect((await ask("/git/ref/tags/v1")).facts).toMatchObject({ object: { type: "tag", sha: tag } });
    expect((await ask("/git/ref/heads/feature")).status).toBe(404);
    const matching = async (prefix: string): Promise<unknown> => {
      const { facts } = await ask(`/git/matching-refs/${prefix}`);
      return (facts as unknown as { ref: string }[]).map(({ ref }) => ref);
    };
    expect(await matching("heads/fea")).toEqual(["refs/heads/feature/x"]);
    expect(await matching("tags/")).toEqual(["refs/tags/both", "refs/tags/v1"]);
    expect(await matching("heads/none")).toEqual([]);
  });

  test("branches and tags, page by page", async () => {
    const names = async (url: string): Promise<{ names: unknown[]; link: string | null }> => {
      const answer = await fetch(url);
      const rows = (await answer.json()) as { name: string }[];
      return { names: rows.map(({ name }) => name), link: answer.headers.get("link") };
    };
    const all = ["alone", "both", named, "feature/x", "main"];
    expect(await names(`${github.api}/repos/acme/skills/branches`)).toEqual({ names: all, link: null });
    const pages: unknown[] = [];
    let next: string | undefined = `${github.api}/repos/acme/skills/branches?per_page=2`;
    while (next !== undefined) {
      const page = await names(next);
      pages.push(page.names);
      next = /<([^>]+)>; rel="next"/.exec(page.link ?? "")?.[1];
    }
    expect(pages).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    expect((await ask("/tags")).facts).toMatchObject([
      { name: "v1", commit: { sha: first } },
      { name: "both", commit: { sha: first } },
    ]);
  });
});
