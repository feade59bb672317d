import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { addSource, type AddWishes } from "../src/app/add-source.ts";
import { dropSource, setSource } from "../src/app/sources.ts";
import { syncSources } from "../src/app/syncs.ts";
import type { Timer } from "../src/base/world.ts";
import type { Progress } from "../src/ingest/source/reading.ts";
import type { FakeRepository, FileContent } from "../src/testing/github/script.ts";
import { laterRefusal } from "./refusal.ts";
import { ada, currentOf, say, skillText, stateIn, statesIn, usableIn } from "./registry.ts";
import { added, asked, notSynced, type RemoteOptions, remoteRegistry, skillFiles, synced } from "./remote.ts";
import {
  codesOf,
  filesInGit,
  git,
  hastyTimer,
  keptIn,
  loadingOf,
  provenanceIn,
  sourceIn,
  wrongBytes,
} from "./source-real-git.ts";

async function site(files: Record<string, FileContent>, options: RemoteOptions = {}) {
  const registry = await remoteRegistry({ ...options, world: { timer: hastyTimer, ...options.world } });
  const repository = await registry.github.repository("acme/skills");
  const first = await repository.push(files);
  return { ...registry, repository, first };
}

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
    const here = await site(skillFiles(["pdf"]));
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
    const cases: [typed: string, expected: object, wishes?: AddWishes][] = [
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
    const { app, folder, github, repository, first } = await site(skillFiles(["pdf"]));
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
    const { app, repository, first } = await site(skillFiles(["pdf"]));
    await repository.branch("twice", await repository.push(skillFiles(["csv"])));
    await repository.tag("twice", first);
    await added(app, "acme/skills@heads/twice", { id: "branch" });
    await added(app, "acme/skills", { id: "tag", ref: "tags/twice" });
    expect(Object.keys(await statesIn(app))).toEqual(["branch:skills/csv", "branch:skills/pdf", "tag:skills/pdf"]);
  });

  test("IN-19: one skill can be approved as it is added, but not with what blocks; a repository cannot", async () => {
    const { app } = await site({ ...skillFiles(["pdf", "csv"]), "skills/csv/link": { link: "/etc/passwd" } });
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
    const { app, repository, github } = await site(skillFiles(names));
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
    const { app, github } = await site(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    const [, , ...after] = asked(github);
    expect(after.filter((path) => !/[0-9a-f]{40}/.test(path) || path.includes("main"))).toEqual([]);
  });

  test("IN-17: the same again records nothing, and touches nothing", async () => {
    const { app, folder } = await site(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    const before = keptIn(folder);
    for (let count = 0; count < 3; count++) await synced(app, "skills");
    expect(keptIn(folder)).toEqual(before);
    await syncSources(app, ["skills"], { repair: true });
    expect(keptIn(folder)).toEqual(before);
  });

  test("IN-20: a pin that moves without a changed skill moves alone, and is recorded once", async () => {
    const { app, folder, repository, github } = await site(skillFiles(["pdf", "csv"]));
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
    const { app, repository, github } = await site(skillFiles(["pdf"]));
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
    const { app } = await site(skillFiles(named(5)));
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
    const { app, repository, github } = await site(files);
    github.truncateTrees(4);
    expect(await added(app, "acme/skills")).toMatchObject({ status: "ok", created: 7, findings: [] });
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    expect(asked(github).filter((path) => treesAsked.test(path)).length).toBeGreaterThan(3);
    expect(await synced(app, "skills")).toMatchObject({ requests: 2, unchanged: 7 });
  });

  test.each([404, 502])(
    "of which a folder cannot be had (%d) are partial, and orphan nothing there",
    async (status) => {
      const { app, repository, github } = await site(files);
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
      const { app, repository, github, folder } = await site(skillFiles(["pdf"]));
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

describe("IN-16: bounds", () => {
  test.each<[string, AddWishes, number]>([
    ["files", { maxFiles: 4 }, 4],
    ["bytes", { maxBytes: 5 * Buffer.byteLength(skillText("s000")) }, 5],
  ])("of %s make it partial; each next sync goes on from there until all is read", async (_, wishes, each) => {
    const { app, repository, github } = await site(skillFiles(named(12)));
    const first = await added(app, "acme/skills", wishes);
    expect(first).toMatchObject({ status: "partial", created: each, orphaned: 0 });
    expect(codesOf(first.findings)).toEqual(["walk.bounds"]);
    expect(first.findings[0]?.message).toMatch(new RegExp(`${each} of 12 skills were read`));
    expect((await sourceIn(app, "skills")).status).toBe("partial");
    let syncs = 1;
    for (let status = "partial"; status === "partial"; syncs++) status = (await synced(app, "skills")).status;
    expect(syncs).toBe(Math.ceil(12 / each));
    expect(Object.keys(await statesIn(app))).toHaveLength(12);
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    const since = github.requests.length;
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", unchanged: 12, requests: 2 });
    expect(github.requests.length - since).toBe(2);
  });

  test("protect what was not visited: an approved skill that changed beyond them stays as it was", async () => {
    const { app, repository } = await site(skillFiles(named(6)));
    await added(app, "acme/skills");
    for (const name of ["s001", "s004"]) await say(app, ada, "approve", `skills:skills/${name}`);
    await setSource(app, "skills", { maxFiles: 2 });
    const changes = named(6).map((name) => [`skills/${name}/SKILL.md`, skillText(name, "Changed.\n")]);
    await repository.push(Object.fromEntries(changes));
    expect(await synced(app, "skills")).toMatchObject({ status: "partial", updated: 2, orphaned: 0 });
    expect(await statesIn(app)).toMatchObject({ "skills:skills/s001": "pending", "skills:skills/s004": "enabled" });
    expect(await synced(app, "skills")).toMatchObject({ status: "partial", updated: 2 });
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", updated: 2 });
    expect(await stateIn(app, "skills:skills/s004")).toBe("pending");
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  test("a push between two parts: the rest comes from the new commit, each skill from one", async () => {
    const { app, repository } = await site(skillFiles(named(4)));
    expect(await added(app, "acme/skills", { maxFiles: 2 })).toMatchObject({ status: "partial", created: 2 });
    const now = await repository.push({ "skills/s000/SKILL.md": skillText("s000", "New.\n") });
    expect(await synced(app, "skills")).toMatchObject({ status: "partial", created: 1, updated: 1, pin: now });
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", created: 1, pin: now });
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  /** A deadline of so many milliseconds comes when the test says so. */
  function deadlineTimer(milliseconds: number): { timer: Timer; strike: () => void } {
    const acts = new Set<() => void>();
    const every: Timer["every"] = (time, act) => {
      if (time !== milliseconds) return hastyTimer.every(time, act);
      acts.add(act);
      return { stop: () => void acts.delete(act) };
    };
    return { timer: { ...hastyTimer, every }, strike: () => acts.forEach((act) => act()) };
  }

  test("of seconds end what takes too long; what was read until then counts", async () => {
    const { timer, strike } = deadlineTimer(7000);
    // It stalls in the middle of what is long, which belongs to the second one.
    const files = { ...skillFiles(named(3)), "skills/s001/assets/long.bin": incompressible(100_000) };
    const { app, repository, github } = await site(files, { world: { timer } });
    await addSource(app, "acme/skills", { maxSeconds: 7, sync: false });
    github.next({ on: "codeload", how: "stall" });
    let read = 0;
    const reading = syncSources(app, ["skills"], { onProgress: (_, { done }) => void (read = done) });
    await expect.poll(() => read).toBe(2);
    strike();
    const message = expect.stringMatching(/more than 7 seconds; 1 of 3 skills were read/);
    expect((await reading).results).toMatchObject([
      { status: "partial", created: 1, orphaned: 0, findings: [{ code: "walk.bounds", message }] },
    ]);
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", created: 2, unchanged: 1 });
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  test("of seconds before anything is known are an error, and nothing changes", async () => {
    const { timer, strike } = deadlineTimer(7000);
    const { app, repository, github, folder } = await site(skillFiles(["pdf", "csv"]), { world: { timer } });
    await added(app, "acme/skills", { maxSeconds: 7 });
    await say(app, ada, "approve", pdf);
    await repository.push({ "skills/pdf": null });
    const before = keptIn(folder);
    github.next({ on: treesAsked, how: "stall" });
    const since = github.requests.length;
    const reading = notSynced(app, "skills");
    await expect.poll(() => asked(github, since).some((path) => treesAsked.test(path))).toBe(true);
    strike();
    expect(await reading).toMatchObject({ code: "upstream.timeout", message: expect.stringMatching(/--max-seconds/) });
    expect(keptIn(folder)).toEqual(before);
    expect(await usableIn(app)).toEqual([pdf]);
  });
});

/** Bytes that look like chance, the same every time. */
function incompressible(size: number): Buffer {
  const parts = Array.from({ length: Math.ceil(size / 64) }, (_, at) => createHash("sha512").update(`${at}`).digest());
  return Buffer.concat(parts).subarray(0, size);
}

describe("IN-21: presence", () => {
  test("what is gone is orphaned and kept; what comes back waits for a word", async () => {
    const { app, repository, github } = await site(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    await say(app, ada, "approve", pdf);
    const digest = await currentOf(app, pdf);
    await repository.push({ "skills/pdf": null });
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", orphaned: 1, unchanged: 1 });
    expect(await statesIn(app)).toEqual({ [pdf]: "orphaned", [csv]: "new" });
    expect(await app.kept.read.findRevisions([digest]), "nothing is deleted").toHaveLength(1);
    expect(await synced(app, "skills")).toMatchObject({ requests: 2, orphaned: 0 });
    await repository.push(skillFiles(["pdf"]));
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", updated: 1 });
    expect(await statesIn(app), "the same bytes, but they were away").toEqual({ [pdf]: "pending", [csv]: "new" });
    await say(app, ada, "approve", pdf);
    expect(await usableIn(app)).toEqual([pdf]);
    expect(github.requests.every(({ status }) => status < 500)).toBe(true);
  });

  test.each([
    ["cannot be parsed", "---\nname: [\n---\nBroken\n", "ok", "blocked"],
    ["is too large to be read", skillText("pdf", "x".repeat(2 ** 20)), "partial", "enabled"],
  ])("one that is there and %s is not orphaned", async (_, text, status, state) => {
    const { app, repository } = await site(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    await say(app, ada, "approve", pdf);
    await repository.push({ "skills/pdf/SKILL.md": text });
    expect(await synced(app, "skills")).toMatchObject({ status, orphaned: 0 });
    expect(await stateIn(app, pdf)).toBe(state);
    await repository.push(skillFiles(["pdf"]));
    await synced(app, "skills");
    expect(await stateIn(app, pdf), "and is what it was when it is well again").toBe("enabled");
  });

  test.each(["disable", "hold"] as const)("IN-20: what changes goes by on_change: %s", async (onChange) => {
    const { app, repository } = await site({ ...skillFiles(["pdf"]), "skills/pdf/a.md": "One.\n" });
    await added(app, "acme/skills", { onChange });
    await say(app, ada, "approve", pdf);
    const approved = await currentOf(app, pdf);
    await repository.push({ "skills/pdf/a.md": "Two.\n" });
    const result = await synced(app, "skills");
    const held = onChange === "hold";
    expect(result).toMatchObject({ updated: 1, disabledOnChange: held ? 0 : 1, held: held ? 1 : 0 });
    expect(await stateIn(app, pdf)).toBe(held ? "held" : "pending");
    const { usable } = (await app.registry.look()).snapshot;
    expect(usable.get(pdf)?.digest).toBe(held ? approved : undefined);
  });

  test("a fatal error orphans nothing and moves no pin", async () => {
    const { app, repository, folder, github } = await site(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    await say(app, ada, "approve", pdf);
    const before = keptIn(folder);
    await repository.deleteBranch("main");
    await notSynced(app, "skills");
    github.misbehave({ rate: 1, random: () => 0, faults: [{ how: { status: 500 } }] });
    await notSynced(app, "skills");
    expect(keptIn(folder)).toEqual(before);
    expect(await statesIn(app)).toEqual({ [pdf]: "enabled", [csv]: "new" });
  });

  test("a `file` source whose file is gone is an error; its skill stays", async () => {
    const { app, repository, folder } = await site(skillFiles(["pdf", "csv"]));
    await addSource(app, "acme/skills/skills/pdf/SKILL.md", { approve: true });
    const before = keptIn(folder);
    await repository.push({ "skills/pdf": null });
    expect(await notSynced(app, "pdf")).toMatchObject({ code: "source.missing" });
    expect(keptIn(folder)).toEqual(before);
    expect(await statesIn(app)).toEqual({ "pdf:skills/pdf": "enabled" });
  });
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
    const { app } = await site({ ...files, "y/skill.md": skillText("y") });
    const result = await added(app, "acme/skills");
    const paths = Object.keys(await statesIn(app)).map((id) => id.slice("skills:".length));
    expect(paths).toEqual(everywhere.map((at) => at.slice(0, -1)).toSorted());
    expect(codesOf(result.findings).toSorted()).toEqual(["skill.case", "walk.bounds", "walk.skipped", "walk.skipped"]);
  });

  test("which folders are skipped, the configuration says; not the repository", async () => {
    const config = "sync: { skip: [skills] }";
    const { app } = await site(files, { config });
    await added(app, "acme/skills");
    const paths = Object.keys(await statesIn(app)).map((id) => id.slice("skills:".length));
    expect(paths).toEqual(["", "fixtures/h", "src/__tests__/i", "x/1/2/3/4/5/6/f"]);
  });

  test("include: only those folders; taken back, the rest is orphaned, and given again, it is back", async () => {
    const { app, github } = await site({ ...skillFiles(["pdf", "csv"]), ...skillFiles(["web"], "tools") });
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

describe("IN-22: fingerprint", () => {
  /** As its publisher does it, from a clone. */
  function fingerprint(repository: FakeRepository, commit: string): string {
    const lines = [...filesInGit(repository, commit)]
      .filter(([path]) => path.startsWith("skills/"))
      .map(([path, { bytes }]) => `${path}:${createHash("sha256").update(bytes).digest("hex")}\n`);
    return createHash("sha256").update(lines.toSorted().join("")).digest("hex");
  }
  const wrong = "0".repeat(64);

  test("right: it is read, and stays cheap; then others come: nothing changes, and it is audited", async () => {
    const { app, repository, first, folder, github } = await site(skillFiles(["csv", "pdf"]));
    await added(app, "acme/skills", { fingerprint: fingerprint(repository, first) });
    await say(app, ada, "approve", pdf);
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", requests: 2 });
    await repository.push({ "skills/pdf/extra.md": "More.\n" });
    const { audit: _, ...before } = keptIn(folder);
    for (let count = 0; count < 2; count++) {
      const head = await app.kept.read.auditHead();
      expect(await notSynced(app, "skills")).toMatchObject({ code: "sync.fingerprint" });
      expect(keptIn(folder)).toMatchObject(before);
      const records = await app.kept.read.auditAfter(head.seq, 10);
      expect(records.map(({ act, subject }) => `${act} ${subject}`)).toEqual(["source.refused skills"]);
    }
    expect(await usableIn(app)).toEqual([pdf]);
    const now = await repository.push({ "README.md": "x\n" });
    await setSource(app, "skills", { fingerprint: fingerprint(repository, now) });
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", updated: 1, pin: now });
    expect(github.requests.length).toBeGreaterThan(0);
  });

  test("wrong at the first sync: nothing is taken in", async () => {
    const { app, folder } = await site(skillFiles(["pdf"]));
    const { results } = await addSource(app, "acme/skills", { fingerprint: wrong });
    expect(results[0]).toMatchObject({ status: "error", error: { code: "sync.fingerprint" } });
    expect(keptIn(folder)).toMatchObject({ entries: [], blobs: [], revisions: [], provenance: [] });
    expect((await sourceIn(app, "skills")).pin).toBe(null);
  });

  test("a wrong one that is set later is found at once, although the commit is the same", async () => {
    const { app, repository, first, folder } = await site(skillFiles(["pdf"]));
    await added(app, "acme/skills");
    await setSource(app, "skills", { fingerprint: wrong });
    const { audit: _, ...before } = keptIn(folder);
    for (let count = 0; count < 2; count++)
      expect(await notSynced(app, "skills")).toMatchObject({ code: "sync.fingerprint" });
    expect(keptIn(folder)).toMatchObject(before);
    await setSource(app, "skills", { fingerprint: fingerprint(repository, first) });
    expect(await synced(app, "skills")).toMatchObject({ status: "ok" });
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", requests: 2 });
  });

  test("a part of it has none: a bound makes it an error", async () => {
    const { app, repository, first, folder } = await site(skillFiles(named(3)));
    await addSource(app, "acme/skills", { fingerprint: fingerprint(repository, first), maxFiles: 2 });
    expect(await notSynced(app, "skills")).toMatchObject({ code: "sync.fingerprint" });
    expect(keptIn(folder)).toMatchObject({ entries: [], blobs: [] });
  });
});

describe("T17: what a hand changed in the database", () => {
  async function approved() {
    const here = await site(skillFiles(["pdf", "csv"]));
    await added(here.app, "acme/skills");
    await say(here.app, ada, "approve", pdf);
    return here;
  }

  test.each([
    ["its digest", "UPDATE entries SET current = (SELECT current FROM entries WHERE path = 'skills/csv')"],
    ["its presence", "UPDATE entries SET present = 0"],
    [
      "its findings",
      `UPDATE entries SET loading = '[{"code":"x","level":"low","message":"x","at":{"file":"x","line":1}}]'`,
    ],
    ["its commit", `UPDATE entries SET commit_id = '${"0".repeat(40)}'`],
    ["its repository", "UPDATE entries SET repository_id = 1"],
  ])(
    "%s: the next sync puts it right, although the commit is the same, and the old words do not count",
    async (_, sql) => {
      const { app, folder } = await approved();
      const digest = await currentOf(app, pdf);
      folder.sql(`${sql} WHERE path = 'skills/pdf'`);
      folder.sql("UPDATE store SET generation = generation + 1");
      folder.sql("UPDATE entries SET generation = (SELECT generation FROM store) WHERE path = 'skills/pdf'");
      const other = await folder.open();
      expect(await usableIn(other)).toEqual([]);
      expect(await synced(other, "skills")).toMatchObject({ status: "ok" });
      expect(await currentOf(other, pdf)).toBe(digest);
      expect(await statesIn(other)).toEqual({ [pdf]: "pending", [csv]: "new" });
      await say(other, ada, "approve", pdf);
      expect(await usableIn(other)).toEqual([pdf]);
      expect(await synced(other, "skills")).toMatchObject({ status: "ok", requests: 2, unchanged: 2 });
    },
  );

  test("of one that is away: the next sync seals it anew, and the one after costs two requests again", async () => {
    const { app, folder, repository } = await approved();
    await repository.push({ "skills/pdf": null });
    await synced(app, "skills");
    await folder.close(app);
    folder.sql("UPDATE entries SET away_at = 0 WHERE path = 'skills/pdf'");
    const other = await folder.open();
    expect(await synced(other, "skills")).toMatchObject({ status: "ok", orphaned: 1 });
    expect(await statesIn(other)).toEqual({ [pdf]: "orphaned", [csv]: "new" });
    expect(await synced(other, "skills")).toMatchObject({ status: "ok", orphaned: 0, requests: 2 });
    await repository.push(skillFiles(["pdf"]));
    await synced(other, "skills");
    expect(await stateIn(other, pdf), "what was said before it went does not count").toBe("pending");
  });

  test("an entry that was deleted is back after the next sync, and waits", async () => {
    const { app, folder, repository } = await approved();
    await folder.close(app);
    folder.sql("DELETE FROM entries WHERE path = 'skills/pdf'");
    const other = await folder.open();
    expect(await synced(other, "skills")).toMatchObject({ status: "ok", created: 1, unchanged: 1 });
    expect(await statesIn(other)).toEqual({ [pdf]: "pending", [csv]: "new" });
    expect(await wrongBytes(other, "skills", repository)).toEqual([]);
    expect(await synced(other, "skills")).toMatchObject({ requests: 2 });
  });

  test.each([
    [
      "another commit",
      (record: string) => record.replace(/\\"commit\\":\\"[0-9a-f]{40}/, `\\"commit\\":\\"${"0".repeat(40)}`),
    ],
    [
      "another tree",
      (record: string) => record.replace(/\\"tree\\":\\"[0-9a-f]{40}/, `\\"tree\\":\\"${"0".repeat(40)}`),
    ],
    ["nothing", () => "{}"],
    ["no JSON", () => "commit"],
  ])("a provenance that says %s is not believed, and is made good at the next sync", async (_, change) => {
    const { app, folder, repository } = await approved();
    const [row] = folder.sql("SELECT record FROM provenance WHERE entry = ?", pdf);
    const record = change(String(row?.["record"]));
    expect(record).not.toBe(row?.["record"]);
    folder.sql("UPDATE provenance SET record = ? WHERE entry = ?", record, pdf);
    expect(await provenanceIn(app, pdf)).toBe(undefined);
    expect(await usableIn(app)).toEqual([pdf]);
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", unchanged: 2 });
    expect(await provenanceIn(app, pdf)).toMatchObject({ commit: treeCommit(repository), path: "skills/pdf" });
    expect(await statesIn(app)).toEqual({ [pdf]: "enabled", [csv]: "new" });
    expect(await synced(app, "skills")).toMatchObject({ requests: 2 });
  });

  test("a forged provenance with the tree of the next commit does not keep the old bytes", async () => {
    const { app, folder, repository } = await approved();
    const now = await repository.push({ "skills/pdf/SKILL.md": skillText("pdf", "Two.\n") });
    const [row] = folder.sql("SELECT record FROM provenance WHERE entry = ?", pdf);
    const forged = String(row?.["record"]).replace(
      /(\\"tree\\":\\")[0-9a-f]{40}/,
      `$1${treeId(repository, "skills/pdf")}`,
    );
    folder.sql("UPDATE provenance SET record = ? WHERE entry = ?", forged, pdf);
    expect(await synced(app, "skills")).toMatchObject({ updated: 1, pin: now });
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    expect(await stateIn(app, pdf)).toBe("pending");
  });

  test("--repair writes every byte again", async () => {
    const { app, folder, repository, github } = await approved();
    folder.sql("UPDATE blobs SET bytes = ?", Buffer.from("Other bytes."));
    folder.sql("UPDATE revisions SET summary = '{}'");
    expect(await wrongBytes(app, "skills", repository)).toHaveLength(2);
    expect(await synced(app, "skills"), "by itself it does not look").toMatchObject({ requests: 2 });
    expect(await wrongBytes(app, "skills", repository)).toHaveLength(2);
    const since = github.requests.length;
    await syncSources(app, ["skills"], { repair: true });
    expect(asked(github, since).some((path) => /^(?:raw|codeload)/.test(path))).toBe(true);
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    expect(await statesIn(app)).toEqual({ [pdf]: "enabled", [csv]: "new" });
    expect(await loadingOf(app, pdf)).toEqual([]);
  });
});

function treeCommit(repository: FakeRepository): string {
  return git(repository, ["rev-parse", "main"]).toString().trim();
}
