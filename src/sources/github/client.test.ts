import { describe, expect, test } from "vitest";
import { at, clientOf, type Scripted, scriptGitHub } from "../../../test/support/github-client.ts";
import { laterRefusal } from "../../../test/support/refusal.ts";
import type { Ref } from "../ref.ts";

const id = (digit: string) => digit.repeat(40);
const main: Ref = { kind: "branch", name: "main" };
const facts = { id: 7, full_name: "Acme/Skills", owner: { id: 3 }, default_branch: "main" };
const person = { name: "a", email: "a@example.com", date: "2026-01-01T00:00:00Z" };
const commit = {
  sha: id("c"),
  commit: { tree: { sha: id("d") }, message: "x", author: person, committer: person },
  parents: [{ sha: id("e") }],
};

/** A client for a service that always answers the same. */
async function answering(...answers: readonly (Scripted | null)[]) {
  const scripted = await scriptGitHub((_path, count) => answers[Math.min(count, answers.length) - 1] ?? null);
  return { ...scripted, ...clientOf([scripted.hosts]), repository: at(scripted.hosts) };
}

describe("IN-7: what is asked, and how", () => {
  test("facts and commits, with their tags", async () => {
    const { github, repository, server } = await answering({ body: facts, headers: { etag: 'W/"1"' } });
    expect(await github.facts(repository, null)).toEqual({
      facts: { id: 7, ownerId: 3, defaultBranch: "main" },
      etag: 'W/"1"',
    });
    expect(server.requests[0]).toMatch(/^GET \/api\/v3\/repos\/acme\/skills HTTP/);
    expect(server.requests[0]).toMatch(/^accept: application\/vnd\.github\+json\r$/m);
    expect(server.requests[0]).toMatch(/^x-github-api-version: 2022-11-28\r$/m);
    expect(server.requests[0]).toMatch(/^user-agent: skillward\r$/m);
    expect(server.requests[0]).toMatch(/^accept-encoding: gzip\r$/m);
    expect(server.requests[0]).not.toMatch(/authorization|if-none-match/i);
  });

  test("IN-11: with a tag, 304 means unchanged; a tag that is none is neither kept nor sent", async () => {
    const { github, repository, server } = await answering(
      { status: 304 },
      { body: facts, headers: { etag: "no tag" } },
    );
    expect(await github.facts(repository, 'W/"1"')).toBe("unchanged");
    expect(server.requests[0]).toMatch(/^if-none-match: W\/"1"\r$/m);
    expect(await github.facts(repository, 'x"\r\nevil: yes')).toMatchObject({ etag: null });
    expect(server.requests[1]).not.toMatch(/if-none-match|evil/);
  });

  test("T3: a commit that is asked for by its id is that one", async () => {
    const { github, repository, paths } = await answering({ body: commit });
    expect(await github.commit(repository, { kind: "commit", id: id("c") }, null)).toMatchObject({
      facts: { id: id("c"), tree: id("d"), parents: [id("e")], proof: "by API" },
    });
    expect(await laterRefusal(() => github.commit(repository, { kind: "commit", id: id("b") }, null))).toMatch(
      /^digest\.mismatch commit b{40} was asked for and c{40} came; a branch or tag may have that name/,
    );
    expect(paths()[0]).toBe(`/api/v3/repos/acme/skills/commits/${id("c")}?per_page=1`);
  });

  test("a ref that is not there is undefined, an empty repository is said to be empty", async () => {
    const { github, repository } = await answering(
      { status: 404, body: { message: "Not Found" } },
      { status: 422, body: { message: "No commit found for SHA: heads/main" } },
      { status: 409, body: { message: "Git Repository is empty." } },
    );
    expect(await github.commit(repository, main, null)).toBeUndefined();
    expect(await github.commit(repository, main, null)).toBeUndefined();
    expect(await laterRefusal(() => github.commit(repository, main, null))).toMatch(/^source\.missing .*is empty/);
  });
});

describe("what a status means", () => {
  test.each([
    [401, "source.refused", /wants a token/],
    [403, "source.refused", /refuses repository acme\/skills \(it says: Blocked\); give a token/],
    [404, "source.missing", /has no repository acme\/skills; .*`--token-env`.*private/],
    [451, "source.missing", /legal reasons/],
    [400, "upstream.invalid", /answered 400/],
    [204, "upstream.invalid", /answered 204/],
    [501, "upstream.invalid", /answered 501/],
  ])("%i is %s, asked for once", async (status, code, message) => {
    const { github, repository, server } = await answering({ status, body: { message: "Blocked" } });
    const refused = await laterRefusal(() => github.facts(repository, null));
    expect(refused).toMatch(message);
    expect(refused.split(" ")[0]).toBe(code);
    expect(server.requests).toHaveLength(1);
  });

  test("T12: 301, and another name in the answer, are a repository that moved", async () => {
    const moved = await answering({ status: 301, headers: { location: "/repositories/7" } }, { body: facts });
    expect(await laterRefusal(() => moved.github.facts(moved.repository, null))).toMatch(/^source\.frozen .*renamed/);
    const other = at(moved.hosts, "acme/other");
    expect(await laterRefusal(() => moved.github.facts(other, null))).toMatch(
      /^source\.frozen acme\/other was renamed/,
    );
    expect(moved.server.requests).toHaveLength(2);
  });

  test.each([302, 303, 307, 308])("T4: %i is followed nowhere, and asked for once", async (status) => {
    const elsewhere = await answering({ body: facts });
    const location = `${elsewhere.server.origin}/api/v3/repos/acme/skills`;
    const { github, repository, server } = await answering({ status, headers: { location } });
    expect(await laterRefusal(() => github.facts(repository, null))).toMatch(/^upstream\.invalid /);
    expect(await laterRefusal(() => github.file(repository, id("c"), "a", 9))).toMatch(/^upstream\.invalid /);
    expect(await laterRefusal(() => github.tarball(repository, id("c")))).toMatch(/^upstream\.invalid /);
    expect([server.requests.length, elsewhere.server.bytes()]).toEqual([3, 0]);
  });
});

describe("IN-10: what is not as documented is malformed, never empty", () => {
  const broken: readonly [string, unknown][] = [
    ["no tree", { sha: id("d"), truncated: false }],
    ["a tree that is no list", { sha: id("d"), truncated: false, tree: { length: 0 } }],
    ["a tree of null", { sha: id("d"), truncated: false, tree: [null] }],
    ["another tree", { sha: id("e"), truncated: false, tree: [] }],
    ["truncated as a word", { sha: id("d"), truncated: "no", tree: [] }],
    ["an entry without an id", { sha: id("d"), truncated: false, tree: [{ path: "a", mode: "100644" }] }],
    ["inherited fields", `{"sha":"${id("d")}","truncated":false,"__proto__":{"tree":[]}}`],
    ["a list", []],
    ["a word", '"tree"'],
    ["a page for people", "<html>"],
    ["half of it", '{"sha":"'],
    ["nothing", ""],
    ["bytes that are not UTF-8", Buffer.from(`{"sha":"${id("d")}","truncated":false,"tree":[],"x":"\xff"}`, "latin1")],
  ];
  test.each(broken)("a tree with %s", async (_name, body) => {
    const { github, repository, server } = await answering({ body });
    expect(await laterRefusal(() => github.tree(repository, id("d")))).toMatch(/^upstream\.invalid /);
    expect(server.requests).toHaveLength(1);
  });

  test("and everything else", async () => {
    const bodies = [{}, { ...facts, id: "7" }, { ...facts, owner: null }, { ...facts, default_branch: "a..b" }];
    for (const body of bodies) {
      const { github, repository } = await answering({ body });
      expect(await laterRefusal(() => github.facts(repository, null))).toMatch(/^upstream\.invalid /);
      expect(await laterRefusal(() => github.commit(repository, main, null))).toMatch(/^upstream\.invalid /);
      expect(await laterRefusal(() => github.compare(repository, id("a"), id("b")))).toMatch(/^upstream\.invalid /);
      expect(await laterRefusal(() => github.branches(repository))).toMatch(/^upstream\.invalid /);
      expect(await laterRefusal(() => github.refNames(repository, "tags", "v"))).toMatch(/^upstream\.invalid /);
    }
  });

  test("T10: a commit counts as reached only where it is the common ancestor itself", async () => {
    const say = (status: string, sha: string) => ({ body: { status, merge_base_commit: { sha } } });
    const { github, repository, paths } = await answering(
      say("behind", id("b")),
      say("diverged", id("f")),
      say("behind", id("f")),
    );
    expect(await github.compare(repository, id("a"), id("b"))).toBe("behind");
    expect(paths()[0]).toBe(`/api/v3/repos/acme/skills/compare/${id("a")}...${id("b")}?per_page=1`);
    expect(await github.compare(repository, id("a"), id("b"))).toBe("diverged");
    expect(await laterRefusal(() => github.compare(repository, id("a"), id("b")))).toMatch(/^upstream\.invalid /);
  });

  test("names that git would not have are left out of lists", async () => {
    const named = (name: string) => ({ name, commit: { sha: id("a") } });
    const { github, repository } = await answering(
      { body: [named("main"), named("a..b"), named("--upload-pack"), named("x\u202ey")] },
      { body: [{ ref: "refs/tags/v1" }, { ref: "refs/heads/v1" }, { ref: "refs/tags/@{-1}" }] },
    );
    expect(await github.branches(repository)).toEqual([{ name: "main", commit: id("a") }]);
    expect(await github.refNames(repository, "tags", "v")).toEqual(["v1"]);
  });
});

describe("IN-5: bodies end at a cap", () => {
  test("of a file, of facts, and of a refusal", async () => {
    const { github, repository } = await answering(
      { body: "12345" },
      { body: "123456" },
      { body: { ...facts, more: "x".repeat(2 ** 20) } },
      { status: 404, body: { message: "x".repeat(2 ** 20) } },
    );
    expect(Buffer.from(await github.file(repository, id("c"), "a", 5)).toString()).toBe("12345");
    expect(await laterRefusal(() => github.file(repository, id("c"), "a", 5))).toMatch(
      /^upstream\.invalid .*more than 5 bytes/,
    );
    expect(await laterRefusal(() => github.facts(repository, null))).toMatch(/^upstream\.invalid .*more than 1048576/);
    expect(await laterRefusal(() => github.facts(repository, null))).toMatch(/^source\.missing /);
  });
});

describe("IN-11, T8: what fails on the way is tried again, a few times", () => {
  test.each([500, 502, 503, 504])("%i: three tries with a pause before each but the first", async (status) => {
    const { github, repository, server, pauses } = await answering({ status });
    expect(await laterRefusal(() => github.facts(repository, null))).toMatch(
      /^upstream\.unreachable .*try again later/,
    );
    expect(server.requests).toHaveLength(3);
    expect(github.spent).toMatchObject({ requests: 3, apiRequests: 3 });
    expect(pauses).toHaveLength(2);
  });

  test("a closed connection, and a body that is cut on the way", async () => {
    const closed = await answering(null, { body: facts });
    expect(await closed.github.facts(closed.repository, null)).toMatchObject({ facts: { id: 7 } });
    const cut = await answering({ body: "ha", length: 4 }, { body: "ha", length: 4 }, { body: "half" });
    expect(Buffer.from(await cut.github.file(cut.repository, id("c"), "a", 9)).toString()).toBe("half");
    expect(cut.github.spent).toEqual({ requests: 3, apiRequests: 0, bytes: 8, left: null });
  });

  test("the signal ends a pause, and nothing is asked after it", async () => {
    const { hosts, server } = await scriptGitHub(() => ({ status: 503 }));
    const stop = new AbortController();
    const timer = { after: () => new Promise<void>(() => stop.abort(new Error("over"))), every: () => ({ stop() {} }) };
    const { github } = clientOf([hosts], { signal: stop.signal, timer });
    await expect(github.facts(at(hosts), null)).rejects.toThrow("over");
    await expect(github.facts(at(hosts), null)).rejects.toThrow("over");
    expect(server.requests).toHaveLength(1);
  });
});
