import { describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { setSource } from "../../src/features/sources/flow.ts";
import { byGithub, child, codes, outcomes, present, saidOf, site } from "../support/marketplace-site.ts";
import { ada, say, skillText, statesIn, usableIn } from "../support/registry.ts";
import { added, notSynced, skillFiles, synced } from "../support/remote.ts";

describe("IN-21: what is not listed, and what only cannot be read", () => {
  const one = "team/one/skills/one";
  const two = "team/two/skills/two";

  async function twoChildren() {
    const here = await site();
    const [first, second] = [await child(here.github, "team/one"), await child(here.github, "team/two")];
    const both = [byGithub("one", "team/one", { sha: first.sha }), byGithub("two", "team/two")];
    await here.list(both);
    await added(here.app, "acme/market");
    for (const path of [one, two]) await say(here.app, ada, "approve", `market:${path}`);
    return { ...here, first, second, both };
  }

  test("a plugin that is delisted is orphaned, and back when it is listed again, not in use", async () => {
    const { app, list, both } = await twoChildren();
    await list(both.slice(1));
    expect(await synced(app, "market")).toMatchObject({ status: "ok", orphaned: 1, unchanged: 1 });
    expect(await statesIn(app)).toEqual({ [`market:${one}`]: "orphaned", [`market:${two}`]: "enabled" });
    await list(both);
    expect(await synced(app, "market")).toMatchObject({ updated: 1 });
    expect(await statesIn(app)).toMatchObject({ [`market:${one}`]: "pending" });
  });

  test("a plugin whose repository fails stays as it was, over several syncs", async () => {
    const { app, list, both, second } = await twoChildren();
    await second.repository.remove();
    await list([...both, { name: "more", source: "./more" }]);
    for (let times = 0; times < 3; times++)
      expect(await synced(app, "market")).toMatchObject({ status: "partial", orphaned: 0 });
    expect(await usableIn(app)).toEqual([`market:${one}`, `market:${two}`]);
  });

  test("a plugin whose entry becomes malformed stays as it was as long as it is so, and its repository the same", async () => {
    const { github, app, list, both } = await twoChildren();
    const bent = { name: "two", source: { source: "github", repo: "../x" } };
    for (let times = 0; times < 3; times++) {
      await list([both[0], bent], { version: String(times) });
      expect(await synced(app, "market")).toMatchObject({ status: "partial", orphaned: 0 });
    }
    expect(await usableIn(app)).toEqual([`market:${one}`, `market:${two}`]);
    // T12: nor does it forget whose it was.
    await (await github.repository("team/two")).push(skillFiles(["two", "evil"]));
    await list(both);
    const frozen = await synced(app, "market");
    expect([saidOf(frozen, "team/two"), await present(app)]).toEqual([["source.frozen"], [one, two]]);
    await list([both[0]]);
    expect(await synced(app, "market")).toMatchObject({ orphaned: 1 });
  });

  test("an entry that lost its name may be any that is missing", async () => {
    const { app, list, both } = await twoChildren();
    const nameless = { source: both[1]?.source };
    for (let times = 0; times < 3; times++) {
      await list([both[0], nameless], { version: String(times) });
      expect(await synced(app, "market")).toMatchObject({ status: "partial", orphaned: 0 });
    }
    expect(await usableIn(app)).toEqual([`market:${one}`, `market:${two}`]);
    await list([both[0]]);
    expect(await synced(app, "market")).toMatchObject({ status: "ok", orphaned: 1 });
  });

  test("unpicking orphans, also when the plugin's repository is gone", async () => {
    const { app, second } = await twoChildren();
    await second.repository.remove();
    await setSource(app, "market", { include: ["one"] });
    const result = await synced(app, "market");
    expect([result.orphaned, outcomes(result), await usableIn(app)]).toEqual([
      1,
      { one: "read 1", two: "failed 0" },
      [`market:${one}`],
    ]);
  });

  test("a name that nobody lists is said, also one that was taken out; the others are read", async () => {
    const { app, list, both } = await twoChildren();
    await list(both, { renames: { old: "older", older: "one", lost: null, round: "about", about: "round" } });
    await setSource(app, "market", { include: ["old", "lost", "nobody", "round"] });
    const result = await synced(app, "market");
    expect(outcomes(result)).toEqual({ one: "read 1", two: "listed 0" });
    expect(codes(result)).toEqual(["marketplace.renames", "include.unknown", "include.unknown", "include.unknown"]);
    expect(await usableIn(app)).toEqual([`market:${one}`]);
  });
});

describe("IN-21: what protects, and what does not", () => {
  test("a plugin.json that breaks says nothing about what it named; its skills stay as long as it is so", async () => {
    for (const far of [true, false]) {
      const { github, app, market, list } = await site({ "README.md": "x" });
      const repository = far ? await github.repository("team/tools") : market;
      const below = far ? "" : "p/";
      const described = (text: string) => repository.push({ [`${below}.claude-plugin/plugin.json`]: text });
      await repository.push({ ...skillFiles(["x"], `${below}extra`), ...skillFiles(["u"], `${below}skills`) });
      await described(JSON.stringify({ name: "tools", skills: ["./extra"] }));
      await list([far ? byGithub("tools", "team/tools") : { name: "tools", source: "./p" }]);
      expect(await added(app, "acme/market")).toMatchObject({ status: "ok", created: 2 });
      const x = far ? "market:team/tools/extra/x" : "market:acme/market/p/extra/x";
      await say(app, ada, "approve", x);
      await described("{ broken");
      for (let times = 0; times < 3; times++) {
        const result = await synced(app, "market");
        expect([result.status, result.orphaned, codes(result)]).toEqual(["partial", 0, ["plugin.invalid"]]);
      }
      await repository.push({ [`${below}skills`]: null });
      for (let times = 0; times < 3; times++) expect(await synced(app, "market")).toMatchObject({ orphaned: 0 });
      expect(await usableIn(app)).toEqual([x]);
      await described(JSON.stringify({ name: "tools" }));
      expect(await synced(app, "market")).toMatchObject({ status: "ok", orphaned: 2 });
    }
  });

  test("a plugin that fails and never had any skills keeps nobody else's from being orphaned", async () => {
    const { github, app, list } = await site();
    const repository = await github.repository("team/tools");
    const sha = await repository.push({ ...skillFiles(["a"], "a/skills"), ...skillFiles(["b"], "b/skills") });
    const [a, b] = ["a", "b"].map((path) => byGithub(path, "team/tools", { path, sha }));
    await list([a, b]);
    await added(app, "acme/market");
    await say(app, ada, "approve", "market:team/tools/a/skills/a");
    await list([b, byGithub("x", "team/tools", { sha: "1".repeat(40) })]);
    expect(await synced(app, "market")).toMatchObject({ status: "partial", orphaned: 1, unchanged: 1 });
    expect(await usableIn(app)).toEqual([]);
  });

  test("one that had skills keeps those, and no others", async () => {
    const { github, app, list } = await site();
    const repository = await github.repository("team/tools");
    const files = { ...skillFiles(["whole"]), ...skillFiles(["a"], "a/skills") };
    const sha = await repository.push(files);
    const a = byGithub("a", "team/tools", { path: "a", sha });
    await list([a, byGithub("whole", "team/tools", { sha })]);
    await added(app, "acme/market");
    for (const path of ["a/skills/a", "skills/whole"]) await say(app, ada, "approve", `market:team/tools/${path}`);
    await list([byGithub("whole", "team/tools", { sha: "1".repeat(40) })]);
    expect(await synced(app, "market")).toMatchObject({ status: "partial", orphaned: 1 });
    expect(await synced(app, "market")).toMatchObject({ status: "partial", orphaned: 0 });
    expect(await usableIn(app)).toEqual(["market:team/tools/skills/whole"]);
  });

  test("one that fails under another name keeps what is in its place", async () => {
    const { github, app, list } = await site();
    const { repository } = await child(github, "team/tools");
    await list([byGithub("tools", "team/tools")]);
    await added(app, "acme/market");
    await repository.remove();
    for (const name of ["renamed", "renamed", "again", "again"]) {
      await list([byGithub(name, "team/tools")]);
      expect(await synced(app, "market")).toMatchObject({ status: "partial", orphaned: 0 });
    }
    expect(await present(app)).toEqual(["team/tools/skills/tools"]);
  });
});

describe("IN-14: more plugins than are read by themselves", () => {
  const names = Array.from({ length: 60 }, (_, at) => `p${at}`);
  const listed = (count: number) => names.slice(0, count).map((name) => ({ name, source: `./${name}` }));

  async function many(count: number) {
    const files = names.map((name) => [`${name}/skills/${name}/SKILL.md`, skillText(name)] as const);
    const here = await site(Object.fromEntries(files));
    await here.list(listed(count));
    return here;
  }

  test("50 are read; with one more, what is here stays and the new one is only listed, until it is picked", async () => {
    const { app, list } = await many(50);
    expect(await added(app, "acme/market")).toMatchObject({ created: 50 });
    await list(listed(51));
    const grown = await synced(app, "market");
    expect(grown).toMatchObject({ status: "ok", created: 0, orphaned: 0, unchanged: 50 });
    expect(outcomes(grown)).toMatchObject({ p0: "read 1", p49: "read 1", p50: "listed 0" });
    await setSource(app, "market", { include: ["p1", "p50"] });
    expect(await synced(app, "market")).toMatchObject({ created: 1, orphaned: 49, unchanged: 1 });
    await setSource(app, "market", { include: ["*"] });
    expect(await synced(app, "market")).toMatchObject({ created: 0, updated: 49, unchanged: 2 });
    expect((await synced(app, "market")).requests).toBe(2);
  });

  test("51 are listed with their pins, and those that were renamed are still the ones that were picked", async () => {
    const { app, list } = await many(51);
    const first = await added(app, "acme/market");
    expect([first.created, new Set(Object.values(outcomes(first)))]).toEqual([0, new Set(["listed 0"])]);
    expect(first.children?.every(({ commit }) => commit === first.pin)).toBe(true);
    await setSource(app, "market", { include: ["p7"] });
    expect(await synced(app, "market")).toMatchObject({ created: 1 });
    const others = listed(51).filter(({ name }) => name !== "p7");
    await list([...others, { name: "seven", source: "./p7" }], { renames: { p7: "sept", sept: "seven" } });
    const after = await synced(app, "market");
    expect([after.orphaned, after.unchanged, outcomes(after)["seven"]]).toEqual([0, 1, "read 1"]);
    await setSource(app, "market", { include: null });
    expect(await synced(app, "market")).toMatchObject({ orphaned: 0, unchanged: 1 });
  });
});

describe("IN-14: what an entry says of one commit", () => {
  test("another list of skills at the same commit is read, though the commit was read to its end", async () => {
    const { github, app, list } = await site();
    const { sha } = await child(github, "team/tools", ["a", "b", "c"]);
    const entry = (skills: readonly string[]) => ({
      ...byGithub("tools", "team/tools", { sha, path: "skills" }),
      strict: false,
      skills,
    });
    await list([entry(["./a"])]);
    expect(await added(app, "acme/market")).toMatchObject({ created: 1 });
    await list([entry(["./a", "./b"])]);
    expect(await synced(app, "market")).toMatchObject({ created: 1, unchanged: 1 });
    await list([entry(["./b"])]);
    expect(await synced(app, "market")).toMatchObject({ orphaned: 1, unchanged: 1 });
    expect(await present(app)).toEqual(["team/tools/skills/b"]);
  });

  test("plugins of one repository, one inside the other's folder, each keep their own skills and no more", async () => {
    const { github, app, list } = await site();
    const repository = await github.repository("team/tools");
    const sha = await repository.push({ ...skillFiles(["outer"]), ...skillFiles(["inner"], "sub/skills") });
    const outer = byGithub("outer", "team/tools", { sha });
    const inner = byGithub("inner", "team/tools", { sha, path: "sub" });
    await list([outer, inner]);
    expect(await added(app, "acme/market")).toMatchObject({ status: "ok", created: 2 });
    await list([outer, inner], { version: "2" });
    expect(await synced(app, "market")).toMatchObject({ status: "ok", unchanged: 2, findings: [] });
    await list([outer]);
    expect(await synced(app, "market")).toMatchObject({ status: "ok", unchanged: 1, orphaned: 1 });
    expect(await present(app)).toEqual(["team/tools/skills/outer"]);
  });

  test("IN-20: nothing of an entry that was taken out by hand is taken for read", async () => {
    const { github, app, list, folder } = await site();
    const { sha } = await child(github, "team/tools", ["a", "b"]);
    await list([byGithub("tools", "team/tools", { sha })]);
    await added(app, "acme/market");
    folder.sql("delete from entries where id = ?", "market:team/tools/skills/a");
    expect(await synced(app, "market")).toMatchObject({ created: 1, unchanged: 1 });
  });

  test("IN-22: the fingerprint is over all plugins, also over those that were read to their end before", async () => {
    const { github, app, list } = await site(skillFiles(["own"], "own/skills"));
    const { sha } = await child(github, "team/tools");
    const plugins = [{ name: "own", source: "./own" }, byGithub("tools", "team/tools", { sha })];
    await list(plugins);
    await addSource(app, "acme/market", { fingerprint: "0".repeat(64), sync: false });
    const { message } = await notSynced(app, "market");
    const found = / is ([0-9a-f]{64}),/.exec(message)?.[1] ?? "";
    await setSource(app, "market", { fingerprint: found });
    expect(await synced(app, "market")).toMatchObject({ created: 2 });
    await list(plugins, { version: "2" });
    expect(await synced(app, "market")).toMatchObject({ status: "ok", unchanged: 2 });
  });
});
