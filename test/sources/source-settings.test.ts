import { describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import type { App } from "../../src/app/app.ts";
import { dropSource, setSource } from "../../src/features/sources/flow.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { laterRefusal } from "../support/refusal.ts";
import { ada, skillText, statesIn } from "../support/registry.ts";
import { added, asked, notSynced, remoteRegistry, skillFiles, stalled, synced } from "../support/remote.ts";
import { hastyTimer, sourceIn } from "../support/source-real-git.ts";
import { allow } from "../support/permits.ts";

describe("IN-15: a source that is changed while it is synced", () => {
  /** The first transaction of a sync waits for what somebody does just before it. */
  function interrupted(app: App, act: () => Promise<unknown>): App["sync"] {
    let isFirst = true;
    const { kept } = app.sync;
    const transaction: typeof kept.transaction = async (work) => {
      if (isFirst) {
        isFirst = false;
        await act();
      }
      return kept.transaction(work);
    };
    return { ...app.sync, kept: { ...kept, transaction } };
  }

  test("removed, and another one added under its id: each keeps to its own", async () => {
    const { app, github } = await remoteRegistry({ world: { timer: hastyTimer } });
    for (const owner of ["acme", "other"])
      await (await github.repository(`${owner}/skills`)).push(skillFiles([`of-${owner}`]));
    await addSource(app, "acme/skills", { sync: false });
    const sync = interrupted(app, async () => {
      await dropSource(app, "skills");
      await addSource(app, "other/skills", { sync: false });
    });
    await runSync(sync, allow(ada), "skills");
    expect(await statesIn(app)).toEqual({ "skills:skills/of-other": "new" });
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", unchanged: 1 });
  });

  test("IN-22: a fingerprint that is set meanwhile is not passed by", async () => {
    const { app, github } = await remoteRegistry({ world: { timer: hastyTimer } });
    const repository = await github.repository("acme/skills");
    await repository.push(skillFiles(["pdf"]));
    await added(app, "acme/skills");
    await repository.push(skillFiles(["evil"]));
    const waiting = stalled(github, /^api \S*git\/trees/);
    const running = laterRefusal(() => runSync(app.sync, allow(ada), "skills"));
    await waiting;
    await setSource(app, "skills", { fingerprint: "0".repeat(64) });
    github.release();
    expect(await running).toMatch(
      /^sync\.superseded the source skills was changed during its sync; nothing was written/,
    );
    expect(await statesIn(app)).toEqual({ "skills:skills/pdf": "new" });
    expect((await notSynced(app, "skills")).code).toBe("sync.fingerprint");
  });
});

test("IN-12: a row that is nobody's does not make every sync a whole one", async () => {
  const { app, github, folder } = await remoteRegistry({ world: { timer: hastyTimer } });
  await (await github.repository("acme/skills")).push(skillFiles(["pdf"]));
  await added(app, "acme/skills");
  folder.sql(
    "INSERT INTO entries SELECT 'skills:junk', source, 'other', present, away_at, current, loading, seal, commit_id, repository_id, generation FROM entries",
  );
  expect(await synced(app, "skills")).toMatchObject({ requests: 2 });
});

test("IN-24: what is read as it is added is due when its interval has passed, not at once", async () => {
  const { app, github, folder } = await remoteRegistry({ world: { timer: hastyTimer } });
  await (await github.repository("acme/skills")).push(skillFiles(["pdf"]));
  await added(app, "acme/skills", { interval: 3600 });
  expect((await sourceIn(app, "skills")).dueAt).toBe(folder.clock.now() + 3_600_000);
  await addSource(app, "acme/skills@main", { id: "later", interval: 3600, sync: false });
  expect((await sourceIn(app, "later")).dueAt).toBe(folder.clock.now());
});

test("names that differ by case alone are one repository; what one skill includes cannot be changed", async () => {
  const { app, github } = await remoteRegistry({ world: { timer: hastyTimer } });
  await (await github.repository("acme/skills")).push(skillFiles(["pdf"]));
  await added(app, "acme/skills");
  expect(await laterRefusal(() => addSource(app, "Acme/Skills", { id: "twin" }))).toMatch(/^record\.exists /);
  await added(app, "acme/skills/skills/pdf/SKILL.md", { id: "one" });
  expect(await laterRefusal(() => setSource(app, "one", { include: ["skills/csv"] }))).toMatch(/^usage\.invalid /);
});

test("IN-12: a skill that can never be read costs no more than any other, and is said each time", async () => {
  const { app, github } = await remoteRegistry({ world: { timer: hastyTimer } });
  const huge = { "skills/huge/SKILL.md": skillText("huge", "x".repeat(2 ** 20)) };
  const repository = await github.repository("acme/skills");
  await repository.push({ ...skillFiles(["pdf"]), ...huge });
  const said = { status: "partial", findings: [{ code: "sync.unread", at: { file: "skills/huge" } }] };
  expect(await added(app, "acme/skills")).toMatchObject({ ...said, created: 1 });
  for (const times of [1, 2])
    expect(await synced(app, "skills"), `sync ${times}`).toMatchObject({ ...said, unchanged: 1, requests: 2 });
  await repository.push({ "skills/huge/SKILL.md": skillText("huge") });
  expect(await synced(app, "skills")).toMatchObject({ status: "ok", created: 1, findings: [] });
  expect(await synced(app, "skills")).toMatchObject({ status: "ok", unchanged: 2, requests: 2 });
});

test("IN-11: the tag of what is told of a repository is renewed, also while its commit stays", async () => {
  const { app, github } = await remoteRegistry({ world: { timer: hastyTimer } });
  const repository = await github.repository("acme/skills");
  await repository.push(skillFiles(["pdf"]));
  await added(app, "acme/skills");
  const { repositoryId, ownerId } = await sourceIn(app, "skills");
  const starred = { id: repositoryId, full_name: "acme/skills", owner: { id: ownerId }, default_branch: "main" };
  const how = { status: 200, headers: { etag: 'W/"starred"' }, body: JSON.stringify(starred) };
  github.next({ on: /^api \/repos\/acme\/skills$/, how });
  expect(await synced(app, "skills")).toMatchObject({ requests: 2, unchanged: 1 });
  expect((await sourceIn(app, "skills")).remote?.etags.repository).toBe('W/"starred"');
});

test("T9: an answer that spells the token in another way is refused, and nothing shows it", async () => {
  const { app, github } = await remoteRegistry({ world: { timer: hastyTimer } });
  const token = "ghp_0123456789abcdefghij0123456789abcdef";
  const repository = await github.repository("acme/skills", { private: { token } });
  await repository.push(skillFiles(["pdf"]));
  await added(app, "acme/skills", { token });
  await repository.push({ "README.md": "More.\n" });
  const { repositoryId, ownerId } = await sourceIn(app, "skills");
  const branch = token.replace("ghp", "gh\\u0070");
  const body = `{"id":${repositoryId},"full_name":"acme/skills","owner":{"id":${ownerId}},"default_branch":"${branch}"}`;
  const before = github.requests.length;
  github.next({ on: /^api \/repos\/acme\/skills$/, how: { status: 200, body } });
  const { message } = await notSynced(app, "skills");
  const said = JSON.stringify([message, asked(github, before), await app.kept.read.findSource("skills")]);
  expect(said).not.toContain(token.slice(4));
});
