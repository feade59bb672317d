import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { setSource } from "../../src/features/sources/flow.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import type { FakeRepository } from "../../src/testing/github/script.ts";
import { ada, currentOf, say, skillText, stateIn, statesIn, usableIn } from "../support/registry.ts";
import { added, asked, notSynced, skillFiles, synced } from "../support/remote.ts";
import {
  filesInGit,
  git,
  keptIn,
  loadingOf,
  provenanceIn,
  sourceIn,
  wrongBytes,
  siteOf,
} from "../support/source-real-git.ts";

const pdf = "skills:skills/pdf";
const csv = "skills:skills/csv";
function named(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `s${String(at).padStart(3, "0")}`);
}

function treeId(repository: FakeRepository, path: string): string {
  return git(repository, ["rev-parse", `main:${path}`])
    .toString()
    .trim();
}

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
    const { app, repository, first, folder, github } = await siteOf(skillFiles(["csv", "pdf"]));
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
    const { app, folder } = await siteOf(skillFiles(["pdf"]));
    const { results } = await addSource(app, "acme/skills", { fingerprint: wrong });
    expect(results[0]).toMatchObject({ status: "error", error: { code: "sync.fingerprint" } });
    expect(keptIn(folder)).toMatchObject({ entries: [], blobs: [], revisions: [], provenance: [] });
    expect((await sourceIn(app, "skills")).pin).toBe(null);
  });

  test("a wrong one that is set later is found at once, although the commit is the same", async () => {
    const { app, repository, first, folder } = await siteOf(skillFiles(["pdf"]));
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
    const { app, repository, first, folder } = await siteOf(skillFiles(named(3)));
    await addSource(app, "acme/skills", { fingerprint: fingerprint(repository, first), maxFiles: 2 });
    expect(await notSynced(app, "skills")).toMatchObject({ code: "sync.fingerprint" });
    expect(keptIn(folder)).toMatchObject({ entries: [], blobs: [] });
  });
});

describe("T17: what a hand changed in the database", () => {
  async function approved() {
    const here = await siteOf(skillFiles(["pdf", "csv"]));
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
