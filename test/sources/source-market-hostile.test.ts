import { describe, expect, test } from "vitest";
import { addedOrSynced, child, outcomes, present, saidOf, site } from "../support/marketplace-site.ts";
import { added, asked, skillFiles } from "../support/remote.ts";

describe("T2, T3, T23: what leads out of its place", () => {
  const hostile = [
    "../x",
    "./../x",
    "./a/../../x",
    "/etc",
    "./a\\..\\x",
    "./%2e%2e/x",
    "./a%2fb",
    "./a\0b",
    "./.git/x",
  ];

  test("is refused in every field, each by name; nothing of it is asked for, and the others are read", async () => {
    const { github, app, list } = await site({ ...skillFiles(["fine"], "fine/skills") });
    await child(github, "evil/repo");
    const plugins = hostile.flatMap((path, at) => [
      { name: `source-${at}`, source: path },
      { name: `url-${at}`, source: { source: "url", url: "evil/repo", path } },
      { name: `github-${at}`, source: { source: "github", repo: "evil/repo", path } },
      { name: `subdir-${at}`, source: { source: "git-subdir", url: "evil/repo", path } },
      { name: `skills-${at}`, source: "./fine", skills: path },
      { name: `list-${at}`, source: "./fine", skills: [path] },
    ]);
    const others = [
      { name: "ref", source: { source: "url", url: "evil/repo", ref: "a..b" } },
      { name: "option", source: { source: "url", url: "evil/repo", ref: "--upload-pack=x" } },
      { name: "short-sha", source: { source: "url", url: "evil/repo", sha: "abcdef1" } },
      { name: "repo", source: { source: "github", repo: "evil/../acme" } },
      { name: "address", source: { source: "url", url: `${github.web}/evil/%2e%2e/repo` } },
      { name: "behind", source: { source: "url", url: `${github.web}/evil/repo/tree/main/skills` } },
      { name: "../name", source: "./fine" },
      { name: "na\u202eme", source: "./fine" },
    ];
    await list([...plugins, ...others, { name: "fine", source: "./fine" }]);
    const before = github.requests.length;
    const result = await added(app, "acme/market", { include: ["*"] });
    const { fine, ...rest } = outcomes(result);
    expect(fine).toBe("read 1");
    expect(Object.keys(rest)).toHaveLength(plugins.length + others.length);
    expect(new Set(Object.values(rest))).toEqual(new Set(["refused 0"]));
    for (const { name } of plugins) expect(saidOf(result, `"${name}"`)).toEqual(["marketplace.refused"]);
    expect(asked(github, before).filter((path) => path.includes("evil"))).toEqual([]);
    expect(await present(app)).toEqual(["acme/market/fine/skills/fine"]);
  });

  test("is left out of plugin.json and of a list, and said; what else they name is read", async () => {
    const { app, list } = await site({
      ...skillFiles(["in"], "own/other"),
      ...skillFiles(["out"], "secret"),
      "own/.claude-plugin/plugin.json": JSON.stringify({ skills: [...hostile, "./other"] }),
      ...skillFiles(["in"], "listed/other"),
      "bent/.claude-plugin/plugin.json": "{",
      ...skillFiles(["in"], "bent/skills"),
    });
    await list([
      { name: "own", source: "./own" },
      { name: "listed", source: "./listed", skills: ["../secret", "./other"] },
      { name: "bent", source: "./bent" },
    ]);
    const result = await added(app, "acme/market");
    expect(outcomes(result)).toEqual({ own: "read 1", listed: "read 1", bent: "read 1" });
    expect(saidOf(result, '"own"')).toEqual(["marketplace.refused"]);
    expect(saidOf(result, '"listed"')).toEqual(["marketplace.refused"]);
    expect(saidOf(result, '"bent"')).toEqual(["plugin.invalid"]);
    expect(await present(app)).not.toContain("acme/market/secret/out");
  });

  test("a bad `pluginRoot` leaves bare names without a place", async () => {
    const { app, list } = await site(skillFiles(["x"], "x/skills"));
    for (const pluginRoot of hostile) {
      await list([{ name: "x", source: "x" }], { metadata: { pluginRoot } });
      expect([outcomes(await addedOrSynced(app)), await present(app)]).toEqual([{ x: "refused 0" }, []]);
    }
  });

  test("IN-3: a host that is not one of the sets is refused without a request", async () => {
    const { github, app, list } = await site();
    const addresses = [
      "https://evil.example/o/r",
      "http://127.0.0.1:9/o/r",
      `${github.web.replace("http://", "http://u:p@")}/o/r`,
      `${github.api}/repos/o/r`,
      "git@evil.example:o/r",
    ];
    await list(addresses.map((url, at) => ({ name: `p${at}`, source: { source: "url", url } })));
    const before = github.requests.length;
    const result = await added(app, "acme/market");
    expect(new Set(Object.values(outcomes(result)))).toEqual(new Set(["refused 0"]));
    expect(addresses.map((_, at) => saidOf(result, `"p${at}"`))).toEqual(addresses.map(() => ["host.refused"]));
    expect(asked(github, before).filter((path) => !path.includes("acme/market"))).toEqual([]);
  });
});
