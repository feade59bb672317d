import { describe, expect, test } from "vitest";
import type { FileContent } from "../../src/testing/github/script.ts";
import {
  byGithub,
  child,
  codes,
  indexPath,
  keptOf,
  outcomes,
  present,
  saidOf,
  site,
} from "../support/marketplace-site.ts";
import { ada, say, skillText, statesIn } from "../support/registry.ts";
import { added, asked, notSynced, skillFiles, synced } from "../support/remote.ts";

describe("IN-14: the forms of a source", () => {
  test("each is read where it points to, at the commit it names; entries are owner/repo/path", async () => {
    const here = await site({
      ...skillFiles(["root-one"]),
      ...skillFiles(["dotted"], "dotted/skills"),
      ...skillFiles(["bare"], "plugins/bare/skills"),
    });
    const { github, app, list } = here;
    const old = await child(github, "team/tools", ["old"]);
    await old.repository.tag("v1", old.sha);
    await old.repository.push({ "skills/old": null, ...skillFiles(["newer"]) });
    await old.repository.push(skillFiles(["beta"]), { branch: "feature/beta", from: old.sha });
    const mono = await github.repository("Team/Mono");
    const sha = await mono.push({ ...skillFiles(["a"], "p/a/skills"), ...skillFiles(["b"], "p/b/skills") });
    await mono.push({ ...skillFiles(["a2"], "p/a/skills") });
    const [url, host] = [github.web, "127.0.0.1"];
    const source = (kind: string, rest: object) => ({ source: { source: kind, ...rest } });
    await list(
      [
        { name: "dotted", source: "./dotted" },
        { name: "slashed", source: "./dotted/" },
        { name: "whole", source: "." },
        { name: "bare", source: "bare" },
        { name: "gh", ...source("github", { repo: "team/tools" }) },
        { name: "gh-ref", ...source("github", { repo: "team/tools", ref: "v1" }) },
        { name: "gh-branch", ...source("github", { repo: "team/tools", ref: "feature/beta" }) },
        { name: "gh-sha", ...source("github", { repo: "team/tools", ref: "main", sha: old.sha }) },
        { name: "url", ...source("url", { url: `${url}/Team/Mono`, path: "p/a" }) },
        { name: "url-git", ...source("url", { url: `${url}/team/mono.git`, path: "./p/a/", sha }) },
        { name: "url-ssh", ...source("url", { url: `git@${host}:team/mono.git`, path: "p/b" }) },
        { name: "sub", ...source("git-subdir", { url: `${url}/team/mono`, path: "p/b", ref: "main" }) },
        { name: "sub-ssh", ...source("git-subdir", { url: `git@${host}:team/mono`, path: "p/b", sha }) },
        { name: "sub-short", ...source("git-subdir", { url: "team/mono", path: "./p/b", ref: "main", sha }) },
        { name: "lenient", ...source("git", { url: `${url}/team/tools`, ref: "v1" }) },
        { name: "npm", ...source("npm", { package: "x" }) },
        { name: "archive", ...source("archive", { url: `${url}/team/tools.zip` }) },
        { name: "command", ...source("command", { command: "touch pwned" }) },
        { name: "pip", ...source("pip", { package: "x" }) },
      ],
      { metadata: { pluginRoot: "./plugins" } },
    );
    const result = await added(app, "acme/market");
    expect(outcomes(result)).toEqual({
      dotted: "read 1",
      slashed: "read 1",
      whole: "read 1",
      bare: "read 1",
      gh: "read 1",
      "gh-ref": "read 1",
      "gh-branch": "read 2",
      "gh-sha": "read 1",
      url: "read 2",
      "url-git": "read 1",
      "url-ssh": "read 1",
      sub: "read 1",
      "sub-ssh": "read 1",
      "sub-short": "read 1",
      lenient: "read 1",
      npm: "refused 0",
      archive: "refused 0",
      command: "refused 0",
      pip: "refused 0",
    });
    for (const name of ["npm", "archive", "command", "pip"])
      expect(saidOf(result, `"${name}"`)).toEqual(["marketplace.unsupported"]);
    expect(saidOf(result, '"lenient"')).toContain("marketplace.lenient");
    const commitOf = new Map(result.children?.map(({ name, commit }) => [name, commit]));
    for (const name of ["gh-ref", "gh-sha", "lenient"]) expect(commitOf.get(name)).toBe(old.sha);
    for (const name of ["url-git", "sub-ssh", "sub-short"]) expect(commitOf.get(name)).toBe(sha);
    expect((await present(app)).toSorted()).toEqual([
      "acme/market/dotted/skills/dotted",
      "acme/market/plugins/bare/skills/bare",
      "acme/market/skills/root-one",
      "team/mono/p/a/skills/a",
      "team/mono/p/a/skills/a2",
      "team/mono/p/b/skills/b",
      "team/tools/skills/beta",
      "team/tools/skills/newer",
      "team/tools/skills/old",
    ]);
  });

  test("`owner/repo` as text is read as it was meant, and said", async () => {
    const { github, app, list } = await site();
    await child(github, "team/tools");
    await list([{ name: "short", source: "team/tools" }]);
    const result = await added(app, "acme/market");
    expect([outcomes(result), codes(result)]).toEqual([{ short: "read 1" }, ["marketplace.lenient"]]);
  });

  test("`skills`, `strict`, plugin.json, the root and the single skill say which folders are searched", async () => {
    const pluginJson = (path: string, skills: unknown) => ({
      [`${path}/.claude-plugin/plugin.json`]: JSON.stringify({ name: "x", skills }),
    });
    const { app, list } = await site({
      ...skillFiles(["pdf", "csv", "xls", "doc"]),
      ...skillFiles(["usual"], "both/skills"),
      ...skillFiles(["more"], "both/extra"),
      ...skillFiles(["usual"], "own/skills"),
      ...skillFiles(["own"], "own/other"),
      ...pluginJson("own", ["./other/own"]),
      ...skillFiles(["unread"], "lax/other"),
      ...skillFiles(["usual"], "lax/skills"),
      ...pluginJson("lax", "./other"),
      "single/SKILL.md": skillText("single"),
      "none/commands/x.md": "no skill\n",
    });
    await list([
      { name: "documents", source: "./", strict: false, skills: ["./skills/pdf", "./skills/csv"] },
      { name: "sheets", source: "./", strict: false, skills: "./skills/xls" },
      { name: "both", source: "./both", skills: "./extra" },
      { name: "own", source: "./own" },
      { name: "lax", source: "./lax", strict: false },
      { name: "single", source: "./single" },
      { name: "none", source: "./none" },
      { name: "missing", source: "./missing" },
    ]);
    const result = await added(app, "acme/market");
    expect(outcomes(result)).toEqual({
      documents: "read 2",
      sheets: "read 1",
      both: "read 2",
      own: "read 2",
      lax: "read 1",
      single: "read 1",
      none: "read 0",
      missing: "read 0",
    });
    expect(saidOf(result, '"missing"')).toEqual(["marketplace.refused"]);
    expect((await present(app)).map((path) => path.slice("acme/market/".length)).toSorted()).toEqual([
      "both/extra/more",
      "both/skills/usual",
      "lax/skills/usual",
      "own/other/own",
      "own/skills/usual",
      "single",
      "skills/csv",
      "skills/pdf",
      "skills/xls",
    ]);
  });
});

describe("IN-14, IN-18: names and places that are there twice", () => {
  test("the first of a name counts, the others are refused by name; one place twice is one entry", async () => {
    const { github, app, list } = await site({ ...skillFiles(["a"], "a/skills"), ...skillFiles(["b"], "b/skills") });
    const { sha } = await child(github, "team/tools");
    await list([
      { name: "x", source: "./a" },
      { name: "x", source: "./b" },
      { name: "twin-1", source: "./a" },
      byGithub("far-1", "team/tools", { sha }),
      byGithub("far-2", "Team/Tools", { sha }),
    ]);
    const result = await added(app, "acme/market");
    expect(result.children?.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      "x read",
      "twin-1 read",
      "far-1 read",
      "far-2 read",
      "x refused",
    ]);
    expect([result.status, codes(result).toSorted()]).toEqual([
      "ok",
      ["marketplace.duplicate", "marketplace.same", "marketplace.same"],
    ]);
    expect(await present(app)).toEqual(["acme/market/a/skills/a", "team/tools/skills/tools"]);
    expect((await synced(app, "market")).requests).toBe(2);
  });

  test("T12: a second entry of its name does not make a plugin forget which repository it is", async () => {
    const { github, app, list } = await site({ "README.md": "1" });
    const { sha } = await child(github, "team/tools");
    await list([byGithub("x", "team/tools", { sha }), { name: "x", source: "./x" }]);
    await added(app, "acme/market");
    const again = await github.repository("team/tools");
    const other = await again.push(skillFiles(["tools", "evil"]));
    await list([byGithub("x", "team/tools", { sha: other }), { name: "x", source: "./x" }]);
    const result = await synced(app, "market");
    expect([saidOf(result, "team/tools"), await present(app)]).toEqual([
      ["source.frozen"],
      ["team/tools/skills/tools"],
    ]);
  });

  test("one place at two commits: the first counts, which is said, and the sync is partial", async () => {
    const { github, app, list } = await site();
    const { repository, sha } = await child(github, "team/tools");
    const newer = await repository.push({ "skills/tools/SKILL.md": skillText("tools", "Newer.\n") });
    await list([byGithub("first", "team/tools", { sha }), byGithub("second", "team/tools", { sha: newer })]);
    const result = await added(app, "acme/market");
    expect([result.status, codes(result)]).toEqual(["partial", ["marketplace.duplicate", "sync.duplicate"]]);
    const entry = await app.kept.read.findEntry("market:team/tools/skills/tools");
    expect(entry?.commit).toBe(sha);
    const again = await synced(app, "market");
    expect([again.updated, (await app.kept.read.findEntry("market:team/tools/skills/tools"))?.commit]).toEqual([
      0,
      sha,
    ]);
  });
});

describe("IN-14: one bad child never stops the others", () => {
  test("missing, private, empty, renamed, unreachable, tampered, without its commit or branch: each is named", async () => {
    const { github, app, list } = await site(skillFiles(["own"], "own/skills"));
    await child(github, "good/first");
    await child(github, "good/last");
    const secret = await github.repository("shy/secret", { private: { token: "ghp_0123456789abcdef0123" } });
    await secret.push(skillFiles(["secret"]));
    await github.repository("void/empty");
    await (await child(github, "gone/old")).repository.rename("gone/new");
    const parent = await child(github, "fork/parent");
    const fork = await parent.repository.fork("mallory/parent");
    const imposter = await fork.push({ "skills/parent/SKILL.md": skillText("parent", "Evil.\n") });
    const bent = await child(github, "bent/bytes");
    bent.repository.tamper("skills/bytes/SKILL.md");
    await child(github, "no/commit");
    await child(github, "no/branch");
    const both = await child(github, "two/meanings");
    await both.repository.branch("v1", both.sha);
    await both.repository.tag("v1", both.sha);
    await list([
      byGithub("first", "good/first"),
      byGithub("missing", "nobody/nothing"),
      byGithub("private", "shy/secret"),
      byGithub("empty", "void/empty"),
      byGithub("renamed", "gone/old"),
      byGithub("imposter", "fork/parent", { sha: imposter }),
      byGithub("tampered", "bent/bytes"),
      byGithub("no-commit", "no/commit", { sha: "0123456789012345678901234567890123456789" }),
      byGithub("no-branch", "no/branch", { ref: "nope" }),
      byGithub("ambiguous", "two/meanings", { ref: "v1" }),
      { name: "own", source: "./own" },
      byGithub("last", "good/last"),
    ]);
    const result = await added(app, "acme/market");
    expect([result.status, outcomes(result)]).toEqual([
      "partial",
      {
        first: "read 1",
        missing: "failed 0",
        private: "failed 0",
        empty: "failed 0",
        renamed: "failed 0",
        imposter: "read 1",
        tampered: "failed 0",
        "no-commit": "failed 0",
        "no-branch": "failed 0",
        ambiguous: "failed 0",
        own: "read 1",
        last: "read 1",
      },
    ]);
    const said = Object.fromEntries(
      result.children?.flatMap(({ name, outcome }) =>
        outcome === "failed" ? [[name, saidOf(result, `plugin "${name}"`).join()]] : [],
      ) ?? [],
    );
    expect(said).toEqual({
      missing: "source.child",
      private: "source.child",
      empty: "source.child",
      renamed: "source.frozen",
      tampered: "digest.mismatch",
      "no-commit": "source.child",
      "no-branch": "source.child",
      ambiguous: "source.child",
    });
    expect(result.children?.filter(({ outcome, reason }) => outcome === "failed" && (reason ?? "") === "")).toEqual([]);
    expect(await statesIn(app)).toEqual({
      "market:acme/market/own/skills/own": "new",
      "market:fork/parent/skills/parent": "blocked",
      "market:good/first/skills/first": "new",
      "market:good/last/skills/last": "new",
    });
  });

  test.each<[string, FileContent | null]>([
    ["no JSON", "{"],
    ["no plugins", JSON.stringify({ name: "market", owner: { name: "x" } })],
    ["no owner", JSON.stringify({ name: "market", plugins: [] })],
    ["no UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
    ["a link", { link: "../index.json" }],
    ["gone", null],
  ])("an index that is %s moves nothing", async (_, index) => {
    const { github, app, folder, list, market } = await site(skillFiles(["own"], "own/skills"));
    const { sha } = await child(github, "team/tools");
    await list([{ name: "own", source: "./own" }, byGithub("tools", "team/tools", { sha })]);
    await added(app, "acme/market");
    await say(app, ada, "approve", "market:team/tools/skills/tools");
    const before = await keptOf(app, folder);
    await market.push({ [indexPath]: index, ...skillFiles(["another"], "own/skills") });
    const since = github.requests.length;
    const { code } = await notSynced(app, "market");
    expect(code).toBe(
      index === null || (typeof index === "object" && "link" in index) ? "source.missing" : "upstream.invalid",
    );
    expect(asked(github, since).filter((path) => path.includes("team/tools"))).toEqual([]);
    expect(await keptOf(app, folder)).toEqual(before);
  });
});
