import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startGitHub } from "./github.ts";
import type { FakeGitHub } from "./script.ts";

let github: FakeGitHub;
beforeEach(async () => {
  github = await startGitHub();
});
afterEach(() => github.close());

async function ask(path: string, token?: string): Promise<{ status: number; location: string | null; facts: unknown }> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${github.api}${path}`, { headers, redirect: "manual" });
  return { status: answer.status, location: answer.headers.get("location"), facts: await answer.json() };
}

describe("T12: who a repository is", () => {
  test("renamed: the old name points to the id, with all that stands behind it", async () => {
    const skills = await github.repository("acme/skills");
    const commit = await skills.push({ a: "1" });
    const { id, ownerId } = skills;
    await skills.rename("acme/talents");
    expect(await ask("/repos/acme/skills")).toMatchObject({
      status: 301,
      location: `${github.api}/repositories/${id}`,
    });
    const { status, location } = await ask("/repos/acme/skills/commits/heads/main?x=1");
    expect([status, location]).toEqual([301, `${github.api}/repositories/${id}/commits/heads/main?x=1`]);
    expect(await (await fetch(location ?? "")).json()).toMatchObject({ sha: commit });
    expect((await ask("/repos/acme/talents")).facts).toMatchObject({
      id,
      full_name: "acme/talents",
      owner: { id: ownerId },
    });
    expect([skills.fullName, skills.ownerId]).toEqual(["acme/talents", ownerId]);
    expect((await fetch(`${github.raw}/acme/skills/${commit}/a`)).status).toBe(404);
    expect((await fetch(`${github.codeload}/acme/skills/tar.gz/${commit}`)).status).toBe(404);
    expect((await fetch(`${github.raw}/acme/talents/${commit}/a`)).status).toBe(200);
  });

  test("transferred: the same repository with another owner", async () => {
    const skills = await github.repository("acme/skills");
    const before = skills.ownerId;
    await skills.transfer("rival/skills");
    expect(skills.ownerId).not.toBe(before);
    expect((await ask("/repos/acme/skills")).status).toBe(301);
    expect((await ask("/repos/rival/skills")).facts).toMatchObject({ id: skills.id, owner: { id: skills.ownerId } });
    expect((await github.repository("rival/other")).ownerId).toBe(skills.ownerId);
  });

  test("registered again after a rename: the old name is somebody else's", async () => {
    const skills = await github.repository("acme/skills");
    const sibling = await github.repository("acme/other");
    expect(sibling.ownerId).toBe(skills.ownerId);
    await skills.rename("acme/talents");
    const again = await github.repository("Acme/Skills");
    expect(again.id).not.toBe(skills.id);
    expect(again.ownerId).not.toBe(skills.ownerId);
    expect(await ask("/repos/acme/skills")).toMatchObject({ status: 200, facts: { id: again.id } });
    expect(await ask("/repos/acme/talents")).toMatchObject({ status: 200, facts: { id: skills.id } });
  });

  test("registered again where it stands, or removed: the first one is gone", async () => {
    const skills = await github.repository("acme/skills");
    const commit = await skills.push({ a: "1" });
    const again = await github.repository("acme/skills");
    expect(await ask("/repos/acme/skills")).toMatchObject({ status: 200, facts: { id: again.id } });
    expect((await ask(`/repositories/${skills.id}`)).status).toBe(404);
    expect((await ask(`/repos/acme/skills/commits/${commit}`)).status).toBe(409);
    await skills.remove();
    await expect(skills.rename("acme/back")).rejects.toThrow("gone");
    expect((await ask("/repos/acme/skills")).status).toBe(200);
    await again.rename("acme/away");
    await again.remove();
    for (const path of ["/repos/acme/skills", "/repos/acme/away"]) expect((await ask(path)).status).toBe(404);
  });

  test("ids are given in the order of asking, also when many ask at once", async () => {
    const names = ["a/1", "b/2", "a/3", "c/4"];
    const made = await Promise.all(names.map((name) => github.repository(name)));
    expect(made.map(({ id }) => id - (made[0]?.id ?? 0))).toEqual([0, 1, 2, 3]);
    expect(made.map(({ ownerId }) => ownerId - (made[0]?.ownerId ?? 0))).toEqual([0, 1, 0, 2]);
  });
});

describe("T10: a fork's commit", () => {
  test("is served under the parent's name by its id, and is on no branch or tag of it", async () => {
    const skills = await github.repository("acme/skills");
    const first = await skills.push({ a: "1" });
    await skills.tag("v1", first);
    const fork = await skills.fork("evil/skills");
    expect((await ask("/repos/evil/skills")).facts).toMatchObject({
      fork: true,
      parent: { id: skills.id },
      source: { full_name: "acme/skills" },
    });
    const imposter = await fork.push({ a: "evil" });
    const own = await skills.push({ a: "2" });

    expect((await ask(`/repos/acme/skills/commits/${imposter}`)).facts).toMatchObject({ sha: imposter });
    expect(await (await fetch(`${github.raw}/acme/skills/${imposter}/a`)).text()).toBe("evil");
    expect((await fetch(`${github.codeload}/acme/skills/tar.gz/${imposter}`)).status).toBe(200);
    const { facts } = await ask(`/repos/acme/skills/compare/main...${imposter}`);
    expect(facts).toMatchObject({ status: "diverged", ahead_by: 1, behind_by: 1 });

    expect((await ask("/repos/acme/skills/branches")).facts).toMatchObject([{ name: "main", commit: { sha: own } }]);
    expect((await ask("/repos/evil/skills/branches")).facts).toMatchObject([
      { name: "main", commit: { sha: imposter } },
    ]);
    expect((await ask("/repos/evil/skills/tags")).facts).toMatchObject([{ name: "v1", commit: { sha: first } }]);
    expect((await ask(`/repos/evil/skills/commits/${own}`)).facts).toMatchObject({ sha: own });
  });
});

describe("T9: private repositories", () => {
  test("are there for their token alone, on every service", async () => {
    const options = { private: { token: "right", others: ["known"] } };
    const skills = await github.repository("acme/skills", options);
    const commit = await skills.push({ a: "1" });
    await github.repository("acme/open");
    const urls = [
      `${github.api}/repos/acme/skills`,
      `${github.api}/repositories/${skills.id}/commits/heads/main`,
      `${github.raw}/acme/skills/${commit}/a`,
      `${github.codeload}/acme/skills/tar.gz/${commit}`,
    ];
    const statuses = (authorization?: string): Promise<number[]> =>
      Promise.all(
        urls.map(async (url) => (await fetch(url, authorization ? { headers: { authorization } } : {})).status),
      );
    expect(await statuses("Bearer right")).toEqual([200, 200, 200, 200]);
    expect(await statuses("token right")).toEqual([200, 200, 200, 200]);
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    expect(await statuses("Bearer known")).toEqual([404, 404, 404, 404]);
    expect(await statuses("Bearer wrong")).toEqual([401, 401, 401, 401]);
    expect(await ask("/repos/acme/open", "wrong")).toMatchObject({
      status: 401,
      facts: { message: "Bad credentials" },
    });
    expect(await ask("/repos/acme/open", "known")).toMatchObject({ status: 200, facts: { private: false } });
    expect(await ask("/repos/acme/skills", "right")).toMatchObject({ facts: { private: true, visibility: "private" } });
    await skills.rename("acme/talents");
    expect((await ask("/repos/acme/skills")).status).toBe(404);
    expect((await ask("/repos/acme/skills", "right")).status).toBe(301);
  });
});
