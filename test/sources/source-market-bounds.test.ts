import { describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { setSource } from "../../src/features/sources/flow.ts";
import { byGithub, child, codes, outcomes, present, saidOf, site } from "../support/marketplace-site.ts";
import { added, skillFiles, synced } from "../support/remote.ts";

describe("IN-14: a marketplace that the rate limit stops", () => {
  test("goes on with the plugins that it did not reach, whatever the others do", async () => {
    const { github, app, folder, list } = await site();
    const names = ["a", "b", "c", "d", "e", "f"];
    for (const name of names) await child(github, `team/${name}`);
    await list(names.map((name) => byGithub(name, `team/${name}`)));
    const reached = new Set<string>();
    for (let times = 0; times < 4; times++) {
      github.limit(12, folder.clock.now() / 1000 + 3600);
      const result = times === 0 ? await added(app, "acme/market") : await synced(app, "market");
      expect([result.status, result.orphaned]).toEqual(["partial", 0]);
      for (const { name, outcome } of result.children ?? []) if (outcome === "read") reached.add(name);
      // They are shown as they are listed.
      expect(result.children?.map(({ name }) => name)).toEqual(names);
      folder.clock.advance(3_700_000);
    }
    expect([...reached].toSorted()).toEqual(names);
    expect(await present(app)).toHaveLength(6);
  });

  test("IN-18: of two plugins in one place the first still counts, also when the second is the one that waited", async () => {
    const { github, app, folder, list } = await site();
    const { repository, sha: old } = await child(github, "team/tools");
    const sha = await repository.push(skillFiles(["more"]));
    await child(github, "team/last");
    await list([
      byGithub("first", "team/tools", { sha: old }),
      byGithub("second", "team/tools", { sha }),
      byGithub("last", "team/last"),
    ]);
    for (let left = 6; left < 14; left++) {
      github.limit(left, folder.clock.now() / 1000 + 3600);
      const source = await app.kept.read.findSource("market");
      if (source === undefined) await added(app, "acme/market");
      else await synced(app, "market");
      folder.clock.advance(3_700_000);
    }
    github.limit(null);
    await synced(app, "market");
    expect((await app.kept.read.findEntry("market:team/tools/skills/tools"))?.commit).toBe(old);
  });
});

describe("IN-14, IN-16: bounds are per repository", () => {
  const two = () => ({ ...skillFiles(["a", "b"], "x/skills"), ...skillFiles(["c", "d"], "y/skills") });

  test("not per plugin: what one has used the next has not, and a later sync goes on", async () => {
    const { github, app, list } = await site();
    const sha = await (await github.repository("team/tools")).push(two());
    await child(github, "team/other", ["e", "f"]);
    await list([
      byGithub("x", "team/tools", { path: "x", sha }),
      byGithub("y", "team/tools", { path: "y", sha }),
      byGithub("other", "team/other"),
    ]);
    await addSource(app, "acme/market", { sync: false });
    await setSource(app, "market", { maxFiles: 2 });
    const result = await synced(app, "market");
    expect(result).toMatchObject({ status: "partial", created: 4, orphaned: 0 });
    expect([saidOf(result, "team/tools"), saidOf(result, "team/other")]).toEqual([["walk.bounds"], []]);
    expect(result.findings[0]?.message).toContain("for other plugins");
    expect(await synced(app, "market")).toMatchObject({ status: "ok", created: 2, unchanged: 4 });
    expect(await present(app)).toHaveLength(6);
  });

  test("also where a plugin names the marketplace's own by its commit", async () => {
    const { app, market, list } = await site();
    const sha = await market.push(two());
    await list([{ name: "x", source: "./x" }, byGithub("y", "acme/market", { path: "y", sha })]);
    await addSource(app, "acme/market", { sync: false });
    await setSource(app, "market", { maxFiles: 3 });
    expect(await synced(app, "market")).toMatchObject({ status: "partial", created: 3 });
    expect(await synced(app, "market")).toMatchObject({ status: "ok", created: 1 });
  });
});

describe("IN-14, IN-16: many plugins of one folder", () => {
  const skills = (count: number) => skillFiles(Array.from({ length: count }, (_, at) => `s${at}`));
  const plugins = (count: number, source: unknown, more: (at: number) => readonly string[] = () => []) =>
    Array.from({ length: count }, (_, at) => ({
      name: `p${at}`,
      source,
      strict: false,
      skills: ["./skills", ...more(at)],
    }));

  test.each(["here", "elsewhere"])("are read once, and use up the bounds once: %s", async (where) => {
    const { github, app, list } = await site(where === "here" ? skills(100) : { "README.md": "x" });
    const far = await github.repository("team/many");
    const sha = await far.push(skills(100));
    await list(plugins(40, where === "here" ? "./" : { source: "github", repo: "team/many", sha }));
    await addSource(app, "acme/market", { sync: false });
    await setSource(app, "market", { maxFiles: 100 });
    const result = await synced(app, "market");
    expect(result).toMatchObject({ status: "ok", created: 100 });
    expect(new Set(Object.values(outcomes(result)))).toEqual(new Set(["read 100"]));
    expect((await synced(app, "market")).requests).toBe(2);
  });

  test("each of which names something else: one search too many is said, and nothing is taken for gone", async () => {
    const { app, list } = await site(skills(1000));
    const all = plugins(120, "./", (at) => [`./skills/s${at}`]);
    await list(all.slice(0, 1));
    await added(app, "acme/market");
    await list(all.toReversed());
    await setSource(app, "market", { include: ["p0"] });
    await synced(app, "market");
    await setSource(app, "market", { include: ["*"] });
    const result = await synced(app, "market");
    expect([result.status, result.orphaned, result.unchanged]).toEqual(["partial", 0, 1000]);
    expect(new Set(codes(result))).toEqual(new Set(["walk.bounds"]));
    // The last one had skills before, and keeps them; those before it have none of their own yet.
    expect(outcomes(result)).toMatchObject({ p119: "read 1000", p1: "read 0", p0: "read 1000" });
  });
});
