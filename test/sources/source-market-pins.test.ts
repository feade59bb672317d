import { describe, expect, test } from "vitest";
import { setSource } from "../../src/features/sources/flow.ts";
import { byGithub, child, codes, outcomes, saidOf, site } from "../support/marketplace-site.ts";
import { ada, say, skillText, stateIn, statesIn, usableIn } from "../support/registry.ts";
import { added, skillFiles, synced } from "../support/remote.ts";

describe("IN-18: one place at two commits", () => {
  const tools = "market:team/tools/skills/tools";

  async function twoCommits() {
    const here = await site();
    const { repository, sha: old } = await child(here.github, "team/tools");
    const sha = await repository.push({ "skills/tools/SKILL.md": skillText("tools", "Newer.\n") });
    return {
      ...here,
      old,
      sha,
      first: byGithub("first", "team/tools", { sha: old }),
      second: byGithub("second", "team/tools", { sha }),
    };
  }

  const commitOf = async ({ app }: Awaited<ReturnType<typeof site>>) =>
    (await app.kept.read.findEntry(tools))?.commit ?? null;

  test("what the first gave is not taken for the second's once the first is delisted", async () => {
    const here = await twoCommits();
    await here.list([here.first, here.second]);
    expect(await added(here.app, "acme/market")).toMatchObject({ status: "partial", created: 1 });
    await here.list([here.second]);
    expect(await synced(here.app, "market")).toMatchObject({ status: "ok", updated: 1 });
    expect(await commitOf(here)).toBe(here.sha);
  });

  test("nor when the second was read to its end before the first came", async () => {
    const here = await twoCommits();
    await here.list([here.second]);
    await added(here.app, "acme/market");
    await here.list([here.first, here.second]);
    expect(await synced(here.app, "market")).toMatchObject({ status: "partial", updated: 1 });
    expect(await commitOf(here)).toBe(here.old);
    await here.list([here.second]);
    expect(await synced(here.app, "market")).toMatchObject({ status: "ok", updated: 1 });
    expect(await commitOf(here)).toBe(here.sha);
  });

  test("nor where the first was in the marketplace itself", async () => {
    const { app, market, list } = await site();
    const old = await market.push(skillFiles(["a"], "p/skills"));
    await market.push({ "p/skills/a/SKILL.md": skillText("a", "Newer.\n") });
    const far = byGithub("far", "acme/market", { path: "p", sha: old });
    await list([{ name: "near", source: "./p" }, far]);
    await added(app, "acme/market");
    await list([far]);
    expect(await synced(app, "market")).toMatchObject({ status: "ok", updated: 1 });
    expect((await app.kept.read.findEntry("market:acme/market/p/skills/a"))?.commit).toBe(old);
  });

  test("IN-12: what is the same in both is not asked for again", async () => {
    const here = await twoCommits();
    await here.list([here.second]);
    await added(here.app, "acme/market");
    await here.list([here.second], { version: "2" });
    const before = here.github.requests.length;
    expect(await synced(here.app, "market")).toMatchObject({ status: "ok", unchanged: 1 });
    expect(here.github.requests.slice(before).filter(({ path }) => path.includes("team/tools"))).toEqual([]);
  });
});

describe("T11: the tag of a plugin", () => {
  const a = "market:team/tools/skills/a";

  async function tagged(first: (sha: string) => object) {
    const here = await site();
    const repository = await here.github.repository("team/tools");
    const sha = await repository.push(skillFiles(["a"]));
    await repository.tag("v1", sha);
    await here.list([byGithub("tools", "team/tools", first(sha))]);
    await added(here.app, "acme/market");
    await say(here.app, ada, "approve", a);
    const next = async (body: string) => repository.push({ "skills/a/SKILL.md": skillText("a", body) });
    await repository.tag("v2", await next("Two.\n"));
    await here.list([byGithub("tools", "team/tools", { ref: "v2" })]);
    return { ...here, repository, next };
  }

  test.each([
    ["another tag", () => ({ ref: "v1" })],
    ["a commit", (sha: string) => ({ sha })],
    ["a branch", () => ({ ref: "main" })],
  ])("has not moved when its entry named %s before; it has when it is moved then", async (_, first) => {
    const { app, repository, next } = await tagged(first);
    expect(await synced(app, "market")).toMatchObject({ updated: 1, blocked: 0 });
    expect(await stateIn(app, a)).toBe("pending");
    await say(app, ada, "approve", a);
    await repository.tag("v2", await next("Three.\n"));
    expect(await synced(app, "market")).toMatchObject({ updated: 1, blocked: 1 });
    expect([await stateIn(app, a), await usableIn(app)]).toEqual(["blocked", []]);
  });

  test("has not moved either when it is read in parts", async () => {
    const { app, repository } = await tagged(() => ({ ref: "v1" }));
    await repository.tag("v2", await repository.push(skillFiles(["b", "c"])));
    await setSource(app, "market", { maxFiles: 1 });
    for (const status of ["partial", "partial", "ok"])
      expect(await synced(app, "market")).toMatchObject({ status, blocked: 0, orphaned: 0 });
    expect(await statesIn(app)).toEqual({
      [a]: "pending",
      "market:team/tools/skills/b": "new",
      "market:team/tools/skills/c": "new",
    });
  });

  test("which moved is said of every plugin by what is here of it, whoever asks first", async () => {
    const { github, app, list } = await site();
    const repository = await github.repository("team/tools");
    const files = { ...skillFiles(["a"], "a/skills"), ...skillFiles(["b"], "b/skills") };
    await repository.tag("v1", await repository.push(files));
    await list([byGithub("b", "team/tools", { path: "b", ref: "v1" })]);
    await added(app, "acme/market");
    await say(app, ada, "approve", "market:team/tools/b/skills/b");
    await repository.tag("v1", await repository.push({ "b/skills/b/SKILL.md": skillText("b", "Moved.\n") }));
    await list([
      byGithub("new", "team/tools", { path: "a", ref: "v1" }),
      byGithub("renamed", "team/tools", { path: "b", ref: "v1" }),
    ]);
    const before = github.requests.length;
    await synced(app, "market");
    expect(await statesIn(app)).toEqual({
      "market:team/tools/a/skills/a": "new",
      "market:team/tools/b/skills/b": "blocked",
    });
    expect(await usableIn(app)).toEqual([]);
    const trees = github.requests.slice(before).filter(({ path }) => /team\/tools\/git\/trees/.test(path));
    expect(trees).toHaveLength(1);
  });
});

describe("T12: a plugin that is frozen", () => {
  test("is thawed by who un-picks it and picks it again, and what was approved does not count any more", async () => {
    for (const named of [true, false]) {
      const { github, app, list } = await site();
      const [one, two] = [await child(github, "team/one"), await child(github, "team/two")];
      const pinned = (sha: string) => (named ? { sha } : {});
      const other = byGithub("two", "team/two", { sha: two.sha });
      await list([byGithub("one", "team/one", pinned(one.sha)), other]);
      await added(app, "acme/market");
      await say(app, ada, "approve", "market:team/one/skills/one");
      const again = await github.repository("team/one");
      const sha = await again.push({ "skills/one/SKILL.md": skillText("one", "Anew.\n") });
      await list([byGithub("one", "team/one", pinned(sha)), other]);
      const frozen = await synced(app, "market");
      expect([saidOf(frozen, "team/one"), frozen.orphaned]).toEqual([["source.frozen"], 0]);
      const [said] = frozen.findings;
      expect(said?.message).toMatch(/ids? was .*un-pick .*pick it again/);
      expect(said?.message).not.toContain("remove the source");
      // Whatever else is picked says nothing about it.
      await setSource(app, "market", { include: ["two"] });
      expect(await synced(app, "market")).toMatchObject({ orphaned: 1, unchanged: 1 });
      await setSource(app, "market", { include: ["one", "two"] });
      const thawed = await synced(app, "market");
      expect([codes(thawed), outcomes(thawed)]).toEqual([[], { one: "read 1", two: "read 1" }]);
      expect(await stateIn(app, "market:team/one/skills/one")).toBe("pending");
      expect(await usableIn(app)).toEqual([]);
    }
  });
});
