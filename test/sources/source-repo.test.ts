import { describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { dropSource, setSource } from "../../src/features/sources/flow.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import type { FakeRepository } from "../../src/testing/github/script.ts";
import { laterRefusal } from "../support/refusal.ts";
import { ada, say, skillText, stateIn, statesIn, usableIn } from "../support/registry.ts";
import { added, asked, notSynced, remoteRegistry, skillFiles, synced } from "../support/remote.ts";
import { codesOf, git, keptIn, provenanceIn, sourceIn, wrongBytes, siteOf } from "../support/source-real-git.ts";
import type { Progress } from "../../src/sources/schema.ts";
import type { SourceAddition } from "../../src/features/sources/schema.ts";

const pdf = "skills:skills/pdf";
const csv = "skills:skills/csv";
const treesAsked = /^api \S*\/git\/trees\//;

function named(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `s${String(at).padStart(3, "0")}`);
}

function apiOf(requests: readonly string[]): string[] {
  return requests.filter((request) => request.startsWith("api "));
}

function treeId(repository: FakeRepository, path: string): string {
  return git(repository, ["rev-parse", `main:${path}`])
    .toString()
    .trim();
}

describe("IN-2: what was typed", () => {
  const index = JSON.stringify({ name: "market", owner: { name: "Acme" }, plugins: [] });

  /** Branches and tags whose names make one wonder where they end. */
  async function withBranches() {
    const here = await siteOf(skillFiles(["pdf"]));
    const { repository, github } = here;
    const side = await repository.push({ "docs/skills/web/SKILL.md": skillText("web") }, { branch: "feature/x/y" });
    await repository.tag("release/1.0", side);
    const market = await github.repository("acme/market");
    await market.push({ ".claude-plugin/marketplace.json": index });
    return { ...here, side };
  }

  test("a short form that is a folder here as well is refused, and nobody is asked", async () => {
    const { app, github } = await remoteRegistry();
    expect(await laterRefusal(() => addSource(app, "src/app", {}))).toMatch(
      /^usage\.invalid src\/app is here, .* write \.\/src\/app or its whole address$/,
    );
    expect([github.requests, await app.kept.read.listSources()]).toEqual([[], []]);
  });

  test("becomes a kind, a ref and a folder, as the repository has them", async () => {
    const { app, github, side } = await withBranches();
    const { web, raw } = github;
    const cases: [typed: string, expected: object, wishes?: SourceAddition][] = [
      ["acme/skills", { kind: "repo", ref: null, include: null }],
      ["acme/skills.git", { kind: "repo", ref: null, include: null }],
      ["acme/skills/skills/pdf", { kind: "repo", ref: null, include: ["skills/pdf"] }],
      ["acme/skills/skills/pdf/SKILL.md", { kind: "file", ref: null, include: ["skills/pdf"] }],
      ["acme/skills@feature/x/y", { kind: "repo", ref: "heads/feature/x/y", include: null }],
      ["acme/skills@heads/feature/x/y", { kind: "repo", ref: "heads/feature/x/y" }],
      ["acme/skills@release/1.0", { kind: "repo", ref: "tags/release/1.0" }],
      ["acme/skills@refs/tags/release/1.0", { kind: "repo", ref: "tags/release/1.0" }],
      [`acme/skills@${side}`, { kind: "repo", ref: side }],
      ["acme/skills", { kind: "repo", ref: "heads/feature/x/y" }, { ref: "feature/x/y" }],
      [`${web}/acme/skills`, { kind: "repo", ref: null }],
      [`${web}/acme/skills.git?tab=readme#top`, { kind: "repo", ref: null }],
      [
        `${web}/acme/skills/tree/feature/x/y/docs/skills`,
        { kind: "repo", ref: "heads/feature/x/y", include: ["docs/skills"] },
      ],
      [`${web}/acme/skills/tree/release/1.0/docs`, { kind: "repo", ref: "tags/release/1.0", include: ["docs"] }],
      [`${web}/acme/skills/tree/main`, { kind: "repo", ref: "heads/main", include: null }],
      [`${web}/acme/skills/tree/${side}/docs`, { kind: "repo", ref: side, include: ["docs"] }],
      [
        `${web}/acme/skills/blob/feature/x/y/docs/skills/web/SKILL.md`,
        { kind: "file", ref: "heads/feature/x/y", include: ["docs/skills/web"] },
      ],
      [`${raw}/acme/skills/main/skills/pdf/SKILL.md`, { kind: "file", ref: "heads/main", include: ["skills/pdf"] }],
      [
        `${raw}/acme/skills/refs/heads/feature/x/y/docs/skills/web/SKILL.md`,
        { kind: "file", ref: "heads/feature/x/y", include: ["docs/skills/web"] },
      ],
      ["acme/market", { kind: "marketplace", ref: null, include: null }],
      ["acme/market/.claude-plugin/marketplace.json", { kind: "marketplace", include: null }],
      ["acme/market", { kind: "repo" }, { kind: "repo" }],
    ];
    for (const [typed, expected, wishes = {}] of cases) {
      const { source } = await addSource(app, typed, { id: "typed", sync: false, ...wishes });
      const name = `acme/${typed.includes("market") ? "market" : "skills"}`;
      expect({ typed, ...source }).toMatchObject({
        typed,
        ...expected,
        url: `${web}/${name}`,
        hosts: "here",
        pin: null,
      });
      await dropSource(app, "typed");
    }
  });

  test("is read: the folder of a slashed branch, and one file of it", async () => {
    const { app, github } = await withBranches();
    expect(await added(app, `${github.web}/acme/skills/tree/feature/x/y/docs`)).toMatchObject({ created: 1 });
    const blob = `${github.web}/acme/skills/blob/release/1.0/docs/skills/web/SKILL.md`;
    expect(await added(app, blob, { id: "one" })).toMatchObject({ created: 1 });
    expect(Object.keys(await statesIn(app))).toEqual(["docs:docs/skills/web", "one:docs/skills/web"]);
  });

  test.each([
    ["acme/skills@main~1", "usage.invalid", /not what git can name/],
    ["acme/skills@nothing", "source.missing", /no branch or tag nothing: look at its branches/],
    ["acme/skills@SHORT", "source.missing", /short SHAs are not accepted; give all 40 digits/],
    ["acme/skills@twice", "usage.invalid", /--ref heads\/twice` or `--ref tags\/twice/],
    ["WEB/acme/skills/tree/twice/docs", "usage.invalid", /--ref heads\/twice` or `--ref tags\/twice/],
    ["acme/none", "source.missing", /acme\/none/],
    ["https://evil.example/acme/skills", "host.refused", /evil\.example/],
  ])("T3: %s is refused, and nothing is added", async (typed, code, why) => {
    const { app, folder, github, repository, first } = await siteOf(skillFiles(["pdf"]));
    await repository.branch("twice", first);
    await repository.tag("twice", first);
    const before = keptIn(folder);
    const text = typed.replace("SHORT", first.slice(0, 12)).replace("WEB", github.web);
    const refusal = await laterRefusal(() => addSource(app, text, {}));
    expect(refusal.slice(0, refusal.indexOf(" "))).toBe(code);
    expect(refusal).toMatch(why);
    expect(keptIn(folder)).toEqual(before);
  });

  test("T3: one of two with the same name can be said, each by its space", async () => {
    const { app, repository, first } = await siteOf(skillFiles(["pdf"]));
    await repository.branch("twice", await repository.push(skillFiles(["csv"])));
    await repository.tag("twice", first);
    await added(app, "acme/skills@heads/twice", { id: "branch" });
    await added(app, "acme/skills", { id: "tag", ref: "tags/twice" });
    expect(Object.keys(await statesIn(app))).toEqual(["branch:skills/csv", "branch:skills/pdf", "tag:skills/pdf"]);
  });

  test("IN-19: one skill can be approved as it is added, but not with what blocks; a repository cannot", async () => {
    const { app } = await siteOf({ ...skillFiles(["pdf", "csv"]), "skills/csv/link": { link: "/etc/passwd" } });
    expect(await laterRefusal(() => addSource(app, "acme/skills", { approve: true }))).toMatch(/^usage\.invalid /);
    const good = await addSource(app, "acme/skills/skills/pdf/SKILL.md", { approve: true });
    expect(good).toMatchObject({ approved: { entry: "pdf:skills/pdf" }, notApproved: null });
    const bad = await addSource(app, "acme/skills/skills/csv/SKILL.md", { approve: true });
    expect(bad).toMatchObject({ approved: null, notApproved: expect.stringMatching(/path\.link blocks it/) });
    expect(await statesIn(app)).toEqual({ "pdf:skills/pdf": "enabled", "csv:skills/csv": "blocked" });
  });
});

describe("IN-12: what a sync asks for", () => {
  test("500 skills: at most 4 requests to the API; unchanged: two that say so; one change: one file", async () => {
    const names = named(500);
    const { app, repository, github } = await siteOf(skillFiles(names));
    expect(await added(app, "acme/skills")).toMatchObject({ status: "ok", created: 500 });
    const all = asked(github);
    expect(apiOf(all).length).toBeLessThanOrEqual(4);
    expect(all.length).toBeLessThanOrEqual(6);
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);

    let since = github.requests.length;
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", unchanged: 500, requests: 2, bytes: 0 });
    const two = github.requests.slice(since);
    expect(two.map(({ status, path }) => `${status} ${path}`)).toEqual([
      "304 /repos/acme/skills",
      "304 /repos/acme/skills/commits/heads/main?per_page=1",
    ]);
    for (const { headers } of two) expect(headers["if-none-match"]).toMatch(/^W\/"/);

    const now = await repository.push({ "skills/s042/SKILL.md": skillText("s042", "Other.\n") });
    since = github.requests.length;
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", updated: 1, unchanged: 499, pin: now });
    expect(asked(github, since)).toEqual([
      "api /repos/acme/skills",
      "api /repos/acme/skills/commits/heads/main?per_page=1",
      `api /repos/acme/skills/git/trees/${treeId(repository, "")}?recursive=1`,
      `raw /acme/skills/${now}/skills/s042/SKILL.md`,
    ]);
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  test("IN-7: everything after the ref is asked by id", async () => {
    const { app, github } = await siteOf(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    const [, , ...after] = asked(github);
    expect(after.filter((path) => !/[0-9a-f]{40}/.test(path) || path.includes("main"))).toEqual([]);
  });

  test("IN-17: the same again records nothing, and touches nothing", async () => {
    const { app, folder } = await siteOf(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    const before = keptIn(folder);
    for (let count = 0; count < 3; count++) await synced(app, "skills");
    expect(keptIn(folder)).toEqual(before);
    await syncSources(app, ["skills"], { repair: true });
    expect(keptIn(folder)).toEqual(before);
  });

  test("IN-20: a pin that moves without a changed skill moves alone, and is recorded once", async () => {
    const { app, folder, repository, github } = await siteOf(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    await say(app, ada, "approve", pdf);
    const { entries, history, blobs } = keptIn(folder);
    const now = await repository.push({ "README.md": "New.\n" });
    const since = github.requests.length;
    const head = await app.kept.read.auditHead();
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", updated: 0, unchanged: 2, pin: now });
    expect(asked(github, since).filter((path) => !path.startsWith("api "))).toEqual([]);
    expect(keptIn(folder)).toMatchObject({ entries, history, blobs });
    // The latest commit that is known to have these bytes (T14).
    expect((await provenanceIn(app, pdf))?.commit).toBe(now);
    const records = await app.kept.read.auditAfter(head.seq, 10);
    expect(records.map(({ act, details }) => [act, JSON.parse(details)])).toEqual([
      ["source.synced", { changes: 0, pin: now }],
    ]);
    expect(await synced(app, "skills")).toMatchObject({ requests: 2 });
  });

  test("IN-7: without a ref it follows whichever branch is the default one", async () => {
    const { app, repository, github } = await siteOf(skillFiles(["pdf"]));
    await added(app, "acme/skills");
    const now = await repository.push(skillFiles(["csv"]), { branch: "next" });
    const facts = JSON.parse(await (await fetch(`${github.api}/repos/acme/skills`)).text());
    const body = JSON.stringify({ ...facts, default_branch: "next" });
    github.next({ on: /^api \/repos\/acme\/skills$/, how: { status: 200, body } });
    expect(await synced(app, "skills")).toMatchObject({ pin: now, created: 1 });
    expect(await sourceIn(app, "skills")).toMatchObject({
      ref: null,
      remote: { ref: "heads/next", defaultBranch: "next" },
    });
  });

  test("IN-23: says how far it is, in files", async () => {
    const { app } = await siteOf(skillFiles(named(5)));
    const seen: Progress[] = [];
    await addSource(app, "acme/skills", {}, { onProgress: (_, progress) => void seen.push(progress) });
    expect(seen.map(({ done, total, of }) => `${done}/${total} ${of}`)).toEqual(
      [1, 2, 3, 4, 5].map((n) => `${n}/5 files`),
    );
    expect(seen.at(-1)?.bytes).toBe(5 * Buffer.byteLength(skillText("s000")));
  });
});

describe("IN-10: trees", () => {
  const files = { ...skillFiles(named(6)), ...skillFiles(["deep"], "tools/a/b"), "README.md": "Read.\n" };

  test("that are truncated are walked folder by folder to the same end", async () => {
    const { app, repository, github } = await siteOf(files);
    github.truncateTrees(4);
    expect(await added(app, "acme/skills")).toMatchObject({ status: "ok", created: 7, findings: [] });
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    expect(asked(github).filter((path) => treesAsked.test(path)).length).toBeGreaterThan(3);
    expect(await synced(app, "skills")).toMatchObject({ requests: 2, unchanged: 7 });
  });

  test.each([404, 502])(
    "of which a folder cannot be had (%d) are partial, and orphan nothing there",
    async (status) => {
      const { app, repository, github } = await siteOf(files);
      await added(app, "acme/skills");
      await say(app, ada, "approve", "skills:skills/s001");
      await repository.push({
        "skills/s001": null,
        "tools/a/b/deep": null,
        "skills/s002/SKILL.md": skillText("s002", "2\n"),
      });
      github.truncateTrees(4);
      const skills = new RegExp(`/git/trees/${treeId(repository, "skills")}`);
      github.misbehave({ rate: 1, random: () => 0, faults: [{ on: skills, how: { status } }] });
      expect(await synced(app, "skills")).toMatchObject({ status: "partial", orphaned: 1, updated: 0 });
      expect(await statesIn(app)).toMatchObject({
        "skills:skills/s001": "enabled",
        "skills:tools/a/b/deep": "orphaned",
      });
      expect(await usableIn(app)).toEqual(["skills:skills/s001"]);
      github.misbehave(null);
      expect(await synced(app, "skills"), "it is asked again").toMatchObject({ status: "ok", orphaned: 1, updated: 1 });
      expect(await stateIn(app, "skills:skills/s001")).toBe("orphaned");
    },
  );

  test.each(["{}", '{"tree":null}', '{"tree":{}}', "[]", '{"tree":[]}', '{"sha":"x","tree":[]}'])(
    "an answer %s is malformed, never an empty repository",
    async (body) => {
      const { app, repository, github, folder } = await siteOf(skillFiles(["pdf"]));
      await added(app, "acme/skills");
      await say(app, ada, "approve", pdf);
      await repository.push({ "README.md": "New.\n" });
      const before = keptIn(folder);
      github.next({ on: treesAsked, how: { status: 200, body } });
      expect((await notSynced(app, "skills")).code).toMatch(/^(?:upstream\.invalid|digest\.mismatch)$/);
      expect(keptIn(folder)).toEqual(before);
      expect(await statesIn(app)).toEqual({ [pdf]: "enabled" });
    },
  );
});

describe("IN-13: where skills are", () => {
  const everywhere = [
    "",
    "skills/a/",
    ".claude/skills/b/",
    ".agents/skills/c/",
    "plugin/skills/d/",
    "plugins/p/skills/e/",
    "x/1/2/3/4/5/6/f/",
  ];
  const nowhere = ["node_modules/g/", "fixtures/h/", "src/__tests__/i/", "x/1/2/3/4/5/6/7/8/j/"];
  const files = Object.fromEntries(
    [...everywhere, ...nowhere].map((at) => [`${at}SKILL.md`, skillText(at.split("/").at(-2) ?? "skills")]),
  );

  test("all of a repository, but for folders that are skipped and what is too deep", async () => {
    const { app } = await siteOf({ ...files, "y/skill.md": skillText("y") });
    const result = await added(app, "acme/skills");
    const paths = Object.keys(await statesIn(app)).map((id) => id.slice("skills:".length));
    expect(paths).toEqual(everywhere.map((at) => at.slice(0, -1)).toSorted());
    expect(codesOf(result.findings).toSorted()).toEqual(["skill.case", "walk.bounds", "walk.skipped", "walk.skipped"]);
  });

  test("which folders are skipped, the configuration says; not the repository", async () => {
    const config = "sync: { skip: [skills] }";
    const { app } = await siteOf(files, { config });
    await added(app, "acme/skills");
    const paths = Object.keys(await statesIn(app)).map((id) => id.slice("skills:".length));
    expect(paths).toEqual(["", "fixtures/h", "src/__tests__/i", "x/1/2/3/4/5/6/f"]);
  });

  test("include: only those folders; taken back, the rest is orphaned, and given again, it is back", async () => {
    const { app, github } = await siteOf({ ...skillFiles(["pdf", "csv"]), ...skillFiles(["web"], "tools") });
    expect(await added(app, "acme/skills", { include: ["skills"] })).toMatchObject({ created: 2 });
    await setSource(app, "skills", { include: ["skills/pdf", "tools"] });
    expect(await synced(app, "skills")).toMatchObject({ created: 1, orphaned: 1, unchanged: 1 });
    expect(await statesIn(app)).toEqual({ [csv]: "orphaned", [pdf]: "new", "skills:tools/web": "new" });
    expect(await synced(app, "skills")).toMatchObject({ requests: 2 });
    await setSource(app, "skills", { include: null });
    expect(await synced(app, "skills")).toMatchObject({ updated: 1, unchanged: 2 });
    await setSource(app, "skills", { include: ["nothing", "skills"] });
    const result = await synced(app, "skills");
    expect(codesOf(result.findings)).toEqual(["skill.none"]);
    expect(github.requests.every(({ service }) => service !== "web")).toBe(true);
  });
});
