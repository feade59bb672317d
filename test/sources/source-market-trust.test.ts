import { describe, expect, onTestFinished, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { setSource } from "../../src/features/sources/flow.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import type { FakeGitHub } from "../../src/testing/github/script.ts";
import {
  addedOrSynced,
  blobsIn,
  byGithub,
  child,
  codes,
  indexPath,
  indexText,
  outcomes,
  present,
  saidOf,
  site,
} from "../support/marketplace-site.ts";
import { ada, registryFolder, say, skillText, stateIn, statesIn, usableIn } from "../support/registry.ts";
import { added, asked, notSynced, skillFiles, synced } from "../support/remote.ts";

const token = "ghp_0123456789abcdefghijklmnop";

/** Which repositories were asked with the token, and whether anything else than their own requests carried it. */
function toldTo(github: FakeGitHub): string[] {
  const told = github.requests.filter((request) => JSON.stringify(request).includes(token));
  const wrong = told.filter(
    ({ headers, path }) => headers["authorization"] !== `Bearer ${token}` || path.includes(token),
  );
  expect(wrong).toEqual([]);
  return [...new Set(told.map(({ path }) => /^\/(?:repos\/)?([^/]+\/[^/?]+)/.exec(path)?.[1] ?? path))].toSorted();
}

/** Both fakes in one configuration. */
function configured(here: FakeGitHub, there: FakeGitHub): string {
  const parts = [here.configuration("here"), there.configuration("there")].map((text) => text.split("network:\n"));
  const rest = (part: string | undefined, head: string) => (part ?? "").replace(head, "");
  const sets = parts.map(([part]) => rest(part, "github:\n")).join("");
  return `github:\n${sets}network:\n  private:\n${parts.map(([, part]) => rest(part, "  private:\n")).join("")}`;
}

describe("IN-6, T9: the token of a marketplace", () => {
  async function withToken() {
    const [here, there] = [await startGitHub(), await startGitHub()];
    onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
    const folder = registryFolder({ config: configured(here, there) });
    const access = { private: { token } };
    const market = await here.repository("acme/market", access);
    await (await here.repository("acme/sibling", access)).push(skillFiles(["sibling"]));
    for (const github of [here, there]) await child(github, "other/tools");
    for (const name of ["acme/sibling-there", "acme/market"]) await child(there, name);
    const plugins = [
      { name: "own", source: "./own" },
      byGithub("sibling", "acme/sibling"),
      byGithub("other", "other/tools"),
      { name: "there", source: { source: "url", url: `${there.web}/other/tools` } },
      { name: "same-owner-there", source: { source: "url", url: `${there.web}/acme/sibling-there` } },
      { name: "same-name-there", source: { source: "url", url: `${there.web}/acme/market` } },
    ];
    await market.push({ ...skillFiles(["own"], "own/skills"), [indexPath]: indexText(plugins) });
    return { here, there, folder, app: await folder.open() };
  }

  test("goes to its own repository alone", async () => {
    const { here, there, app } = await withToken();
    const result = await added(app, "acme/market", { token });
    expect(outcomes(result)).toMatchObject({ own: "read 1", sibling: "failed 0", other: "read 1", there: "read 1" });
    expect([toldTo(here), toldTo(there)]).toEqual([["acme/market"], []]);
    expect(JSON.stringify(result)).not.toContain(token);
  });

  test("goes to others of its owner where that was said, on its own GitHub", async () => {
    const { here, there, app } = await withToken();
    const result = await added(app, "acme/market", { token, tokenForOwner: true });
    expect(outcomes(result)).toMatchObject({ sibling: "read 1", other: "read 1", "same-owner-there": "read 1" });
    expect([toldTo(here), toldTo(there)]).toEqual([["acme/market", "acme/sibling"], []]);
    await setSource(app, "market", { tokenForOwner: false });
    const before = here.requests.length;
    expect(outcomes(await synced(app, "market"))).toMatchObject({ sibling: "failed 1" });
    const since = here.requests.slice(before).filter(({ path }) => path.includes("acme/sibling"));
    expect(since.filter(({ headers }) => "authorization" in headers)).toEqual([]);
  });

  test("T4: no redirect takes it anywhere", async () => {
    const { here, there, app } = await withToken();
    for (const redirect of [301, 302, 303, 307, 308] as const) {
      here.next({ on: /^api .*acme\/sibling/, how: { redirect, to: `${there.api}/stolen` } });
      const result = await addedOrSynced(app, { token, tokenForOwner: true });
      expect(outcomes(result)).toMatchObject({ own: "read 1", sibling: "failed 0" });
    }
    here.next({ on: /^raw .*acme\/sibling/, how: { redirect: 302, to: `${there.raw}/stolen` } });
    expect(outcomes(await synced(app, "market"))).toMatchObject({ own: "read 1", sibling: "failed 0" });
    expect([toldTo(there), asked(there).filter((path) => path.includes("stolen"))]).toEqual([[], []]);
  });
});

describe("T12: a plugin's repository that is another one", () => {
  test("is frozen: its entries stay in use as they are, the others go on", async () => {
    const { github, app, folder, list } = await site();
    const [one, two] = [await child(github, "team/one"), await child(github, "team/two")];
    await list([byGithub("one", "team/one"), byGithub("two", "team/two")]);
    const first = await added(app, "acme/market");
    expect(first.children).toMatchObject([
      { repositoryId: one.repository.id, ownerId: one.repository.ownerId },
      { repositoryId: two.repository.id, ownerId: two.repository.ownerId },
    ]);
    await say(app, ada, "approve", "market:team/one/skills/one");
    const again = await github.repository("team/one");
    await again.push({ ...skillFiles(["evil"]), "skills/one/SKILL.md": skillText("one", "Evil.\n") });
    await two.repository.push(skillFiles(["more"]));
    // Neither under another name, nor with a row that says otherwise.
    for (const name of ["one", "renamed"]) {
      await list([
        byGithub(name, "team/one"),
        byGithub("two", "team/two"),
        byGithub("new", "Team/One", { path: "skills" }),
      ]);
      const result = await synced(app, "market");
      expect(outcomes(result)).toEqual({ [name]: `failed ${name === "one" ? 1 : 0}`, two: "read 2", new: "failed 0" });
      expect(saidOf(result, "team/one")).toEqual(["source.frozen", "source.frozen"]);
      expect(result).toMatchObject({ status: "partial", orphaned: 0, updated: 0 });
    }
    expect(await usableIn(app)).toEqual(["market:team/one/skills/one"]);
    expect(blobsIn(folder).filter((text) => /evil/i.test(text))).toEqual([]);
    expect(await present(app)).toEqual(["team/one/skills/one", "team/two/skills/more", "team/two/skills/two"]);
  });

  test("ids that were taken out of the cursor by hand do not thaw it", async () => {
    const { github, app, list, folder } = await site();
    await child(github, "team/one");
    await list([byGithub("one", "team/one")]);
    await added(app, "acme/market");
    await (await github.repository("team/one")).push(skillFiles(["one", "evil"]));
    const [row] = folder.sql("SELECT record FROM sources");
    const record: Record<string, unknown> = JSON.parse(String(row?.["record"]));
    folder.sql("UPDATE sources SET record = ?", JSON.stringify({ ...record, cursor: null }));
    const result = await synced(app, "market");
    expect([saidOf(result, "team/one"), await present(app)]).toEqual([["source.frozen"], ["team/one/skills/one"]]);
  });
});

describe("T11: a plugin that follows a tag", () => {
  test("which moves is blocked with what changed, for each plugin by where it was", async () => {
    const { github, app, list } = await site();
    const repository = await github.repository("team/tools");
    const files = { ...skillFiles(["a"], "a/skills"), ...skillFiles(["b"], "b/skills") };
    await repository.tag("v1", await repository.push(files));
    await list(["a", "b"].map((name) => byGithub(name, "team/tools", { path: name, ref: "v1" })));
    await added(app, "acme/market", { include: ["b"] });
    await say(app, ada, "approve", "market:team/tools/b/skills/b");
    await repository.tag("v1", await repository.push({ "b/skills/b/SKILL.md": skillText("b", "Moved.\n") }));
    // The other one is new, and asks first.
    await setSource(app, "market", { include: ["*"] });
    await synced(app, "market");
    expect(await statesIn(app)).toEqual({
      "market:team/tools/a/skills/a": "new",
      "market:team/tools/b/skills/b": "blocked",
    });
    expect(await usableIn(app)).toEqual([]);
  });

  test("is judged by what is here of it, also where no sync of it was ever complete", async () => {
    const { github, app, list } = await site();
    const repository = await github.repository("team/tools");
    const huge = { "skills/huge/SKILL.md": `${skillText("huge")}${"x".repeat(1_100_000)}` };
    await repository.tag("v1", await repository.push({ ...skillFiles(["a"]), ...huge }));
    await list([byGithub("tools", "team/tools", { ref: "v1" })]);
    expect(await added(app, "acme/market")).toMatchObject({ status: "partial", created: 1 });
    await say(app, ada, "approve", "market:team/tools/skills/a");
    await repository.tag("v1", await repository.push({ "skills/a/SKILL.md": skillText("a", "Moved.\n") }));
    await synced(app, "market");
    expect(await stateIn(app, "market:team/tools/skills/a")).toBe("blocked");
  });
});

describe("IN-11, IN-12: what a sync of an unchanged index costs", () => {
  test("two requests where every plugin names its commit; a branch is asked for again each time", async () => {
    const { github, app, list } = await site(skillFiles(["own"], "own/skills"));
    const [one, two] = [await child(github, "team/one"), await child(github, "team/two")];
    const own = { name: "own", source: "./own" };
    await list([own, byGithub("one", "team/one", { sha: one.sha })]);
    await added(app, "acme/market");
    let before = github.requests.length;
    expect(await synced(app, "market")).toMatchObject({ status: "ok", requests: 2, unchanged: 2, created: 0 });
    expect(github.requests.slice(before).map(({ status }) => status)).toEqual([304, 304]);
    await list([own, byGithub("one", "team/one", { sha: one.sha }), byGithub("two", "team/two")]);
    await synced(app, "market");
    await one.repository.push(skillFiles(["later"]));
    await two.repository.push(skillFiles(["later"]));
    before = github.requests.length;
    expect(await synced(app, "market")).toMatchObject({ status: "ok", created: 1, unchanged: 3 });
    expect(asked(github, before).filter((path) => path.includes("team/one"))).toEqual([]);
    expect(await present(app)).toContain("team/two/skills/later");
    expect(await stateIn(app, "market:team/one/skills/later")).toBeUndefined();
  });

  test("IN-11, T14: a rate limit that strikes when approved plugins change keeps what was read", async () => {
    const { github, app, list, folder } = await site();
    const names = ["a", "b", "c", "d", "e", "f"];
    const entries = async (body: string) => {
      const pushed = names.map(async (name) => {
        const repository = repositories.get(name) ?? (await github.repository(`team/${name}`));
        repositories.set(name, repository);
        const sha = await repository.push({ [`skills/${name}/SKILL.md`]: skillText(name, body) });
        return byGithub(name, `team/${name}`, { sha });
      });
      return Promise.all(pushed);
    };
    const repositories = new Map<string, Awaited<ReturnType<FakeGitHub["repository"]>>>();
    await list(await entries("One.\n"));
    await added(app, "acme/market");
    for (const name of names) await say(app, ada, "approve", `market:team/${name}/skills/${name}`);
    await list(await entries("Two.\n"));
    const read: number[] = [];
    for (let times = 0; times < 6; times++) {
      github.limit(12, folder.clock.now() / 1000 + 3600);
      const result = await synced(app, "market");
      read.push(result.updated);
      expect([result.status, codes(result).includes("source.limited")]).toEqual(
        result.status === "ok" ? ["ok", false] : ["partial", true],
      );
      folder.clock.advance(3_600_000);
      if (result.status === "ok") break;
    }
    expect(read.reduce((sum, count) => sum + count)).toBe(6);
  });

  test("IN-15: a sync of many plugins without skills is not taken for dead", async () => {
    const { github, app, list, folder } = await site();
    const names = ["a", "b", "c", "d", "e", "f"];
    for (const name of names) await (await github.repository(`team/${name}`)).push({ "README.md": "No skills.\n" });
    await list(names.map((name) => byGithub(name, `team/${name}`)));
    await addSource(app, "acme/market", { sync: false });
    const other = await folder.open();
    const others: Promise<string>[] = [];
    await syncSources(app, ["market"], {
      onProgress: () => {
        folder.clock.advance(50_000);
        others.push(notSynced(other, "market").then(({ code }) => code));
      },
    });
    expect(new Set(await Promise.all(others))).toEqual(new Set(["sync.running"]));
  });
});
