import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ApiRoom, manyRequests, openApiRoom } from "../support/api-room.ts";
import { readEvents } from "./event-reader.ts";
import { call, until } from "../support/http-serving.ts";
import { byGithub, child, indexPath, indexText } from "../support/marketplace-site.ts";
import { asked, remoteRegistry, skillFiles, stalled } from "../support/remote.ts";

describe("SV-2: sources", () => {
  let room: ApiRoom;
  beforeAll(async () => {
    room = await openApiRoom();
    for (const name of ["pdf", "notes"]) room.folder.writeSkill(name);
  });
  afterAll(() => room.close());

  test("SV-2: adds a folder, reads it, and shows it with the states of its skills", async () => {
    const json = { place: room.folder.skills, id: "skills", trust: "verified", title: "Ours" };
    const added = await room.call("POST", "/api/sources", { json });
    expect(added.json()).toMatchObject({ source: { id: "skills" }, results: [{ created: 2 }], waiting: 2 });
    const listed = await room.call("GET", "/api/sources", { key: room.keyOf("reader") });
    expect(listed.json()).toMatchObject([{ source: { id: "skills", title: "Ours" }, states: { new: 2 } }]);
    const shown = await room.call("GET", "/api/sources/skills");
    expect(shown.json()).toEqual({ ...listed.json()[0], plugins: [] });
    expect((await room.call("POST", "/api/sources", { json })).json()).toMatchObject({ code: "record.exists" });
  });

  test("SV-2: changes what people say of it, and nothing else stays behind", async () => {
    const json = { trust: "community", onChange: "hold", interval: 3600, maxFiles: 500, enabled: true };
    const { source } = (await room.call("PATCH", "/api/sources/skills", { json })).json();
    expect(source).toMatchObject({ trust: "community", onChange: "hold", interval: 3600, bounds: { files: 500 } });
    const manual = await room.call("PATCH", "/api/sources/skills", { json: { interval: null } });
    expect(manual.json().source).toMatchObject({ interval: null, trust: "community", title: "Ours" });
  });

  test.each(["id", "pin", "status", "repositoryId", "seal", "addedBy", "cursor", "tokenRef", "url"])(
    "RV-12: what is managed by syncs is read-only: %s",
    async (field) => {
      const before = (await room.call("GET", "/api/sources/skills")).json();
      const refused = await room.call("PATCH", "/api/sources/skills", { json: { [field]: "mine" } });
      expect([refused.status, refused.json().detail]).toEqual([400, `the body: does not know "${field}"`]);
      expect((await room.call("GET", "/api/sources/skills")).json()).toEqual(before);
    },
  );

  test.each<[what: string, json: object]>([
    ["nothing to change", {}],
    ["an interval that is too short", { interval: 5 }],
    ["a token for a folder", { token: "ghp_x" }],
    ["half a character", { title: "\ud800" }],
    ["a list without end", { include: Array.from({ length: 5001 }, () => "x") }],
  ])("T41: refuses %s", async (_what, json) => {
    expect((await room.call("PATCH", "/api/sources/skills", { json })).status).toBe(400);
  });

  test("IN-23: a sync is answered when it has ended; of all, also those that fail", async () => {
    room.folder.writeSkill("drawing");
    const one = await room.call("POST", "/api/sources/skills/sync");
    expect(one.json()).toMatchObject({ results: [{ source: "skills", created: 1, unchanged: 2 }], waiting: 3 });
    room.folder.write("gone/x/SKILL.md", "---\nname: x\ndescription: x\n---\n");
    const place = `${room.folder.root}/gone`;
    await room.call("POST", "/api/sources", { json: { place, id: "gone", sync: false } });
    rmSync(place, { recursive: true });
    const all = await room.call("POST", "/api/sync?repair=true");
    expect(all.json().results).toMatchObject([
      { source: "gone", status: "error" },
      { source: "skills", status: "ok" },
    ]);
    // Of one source alone, its failure is that of the request.
    const failed = await room.call("POST", "/api/sources/gone/sync");
    expect([failed.status, failed.json().code]).toEqual([404, all.json().results[0].error.code]);
    expect((await room.call("POST", "/api/sources/nothing/sync")).json()).toMatchObject({ code: "record.missing" });
    expect((await room.call("POST", "/api/sync?repair=maybe")).status).toBe(400);
  });

  test("IN-21: removes it, and says how many skills went out of use", async () => {
    const { status, json } = await room.call("DELETE", "/api/sources/skills");
    expect([status, json()]).toEqual([200, { source: "skills", orphaned: 3 }]);
    expect((await room.call("DELETE", "/api/sources/skills")).status).toBe(404);
  });
});

const token = "ghp_thetoken_0123456789abcdefghijklmnop";
const other = "ghp_another_0123456789abcdefghijklmnopq";

async function remoteRoom() {
  const remote = await remoteRegistry({ config: manyRequests });
  const room = await openApiRoom({ registry: remote });
  onTestFinished(() => room.close());
  return { ...remote, room };
}

test("RV-12, IN-6: a token is set, used and replaced, and never read back", async () => {
  const { github, room, folder } = await remoteRoom();
  const repository = await github.repository("acme/secret", { private: { token, others: [other] } });
  await repository.push(skillFiles(["pdf"]));
  const answers: string[] = [];
  const ask = async (method: string, path: string, json?: object) => {
    const { text, status } = await room.call(method, path, { json });
    answers.push(text);
    return status;
  };
  expect(await ask("POST", "/api/sources", { place: "acme/secret", id: "s", token })).toBe(200);
  expect(github.requests.some(({ headers }) => headers["authorization"]?.includes(token) === true)).toBe(true);
  expect(await ask("GET", "/api/sources")).toBe(200);
  expect(await ask("GET", "/api/sources/s")).toBe(200);
  // One that does not see the repository: it is really another one that is kept now.
  expect(await ask("PATCH", "/api/sources/s", { token: other })).toBe(200);
  expect(await ask("POST", "/api/sources/s/sync")).toBe(404);
  expect(await ask("PATCH", "/api/sources/s", { token: null })).toBe(200);
  expect(JSON.parse(answers.at(-1) ?? "").source.tokenRef).toBeNull();
  expect(await ask("PATCH", "/api/sources/s", { token: `${token} and more` })).toBe(400);
  expect(await ask("GET", "/api/overview")).toBe(200);
  const rows = JSON.stringify(folder.sql("SELECT * FROM audit"));
  expect([answers.join(""), room.logged(), rows].filter((text) => /ghp_/.test(text))).toEqual([]);
});

test("IN-14: a marketplace shows where each plugin comes from, at which commit, and why one could not be read", async () => {
  const { github, room } = await remoteRoom();
  const { sha } = await child(github, "team/one");
  const plugins = [
    { name: "notes", source: "./plugins/notes" },
    byGithub("one", "team/one", { sha }),
    byGithub("legal", "team/legal"),
    { name: "charts", source: { source: "npm", package: "charts" } },
  ];
  const market = await github.repository("acme/market");
  const notes = skillFiles(["notes"], "plugins/notes/skills");
  const commit = await market.push({ [indexPath]: indexText(plugins), ...notes });
  await room.call("POST", "/api/sources", { json: { place: "acme/market" } });
  const shown = (await room.call("GET", "/api/sources/market", { key: room.keyOf("reader") })).json();
  expect(shown.plugins).toEqual([
    {
      name: "notes",
      outcome: "read",
      where: "acme/market/plugins/notes",
      commit,
      ref: "heads/main",
      skills: 1,
      reason: null,
    },
    { name: "one", outcome: "read", where: "team/one", commit: sha, ref: sha, skills: 1, reason: null },
    {
      name: "legal",
      outcome: "failed",
      where: "team/legal",
      commit: null,
      ref: null,
      skills: 0,
      reason: expect.stringContaining("has no repository team/legal"),
    },
    {
      name: "charts",
      outcome: "refused",
      where: null,
      commit: null,
      ref: null,
      skills: 0,
      reason: expect.stringContaining("npm"),
    },
  ]);
  expect((await room.call("GET", "/api/sources")).json()).toEqual([{ source: shown.source, states: shown.states }]);
});

/** Holds the next sync of the fake in the middle of what it fetches; gives when it is there, and what it is asked for. */
async function heldSync({ github, room }: Awaited<ReturnType<typeof remoteRoom>>) {
  const repository = await github.repository("acme/skills");
  await repository.push(skillFiles(["pdf", "notes"]));
  await room.call("POST", "/api/sources", { json: { place: "acme/skills", id: "s", sync: false } });
  const before = github.requests.length;
  const waiting = stalled(github, /^(?:raw|codeload) /);
  return { waiting, fetched: () => asked(github, before) };
}

test("T41, IN-15: of 1,000 syncs of one source at the same time one fetches, and 999 are refused with the fixed message", async () => {
  const remote = await remoteRoom();
  const { github, room } = remote;
  const { waiting, fetched } = await heldSync(remote);
  const reader = await readEvents(room, { "x-api-key": room.keyOf("reader") });
  let refused = 0;
  let resolveAll = () => {};
  const allRefused = new Promise<void>((resolve) => (resolveAll = resolve));
  const replies = Array.from({ length: 1000 }, async () => {
    const { status, json } = await room.call("POST", "/api/sources/s/sync");
    if (status === 409 && ++refused === 999) resolveAll();
    return status === 200 ? `${json().results[0].created} new` : `${status} ${json().code}: ${json().detail}`;
  });
  await Promise.all([allRefused, waiting]);
  github.release();
  const answers = await Promise.all(replies);
  expect(new Set(answers)).toEqual(new Set(["2 new", "409 sync.running: a sync of s is running; wait for it to end"]));
  // A second one would have asked for the same once more.
  expect(fetched().toSorted()).toEqual([...new Set(fetched())].toSorted());
  await until(() => reader.events().some(({ is }) => is === "synced"));
  const told = reader.events().filter(({ is }) => is !== "generation");
  expect(told.filter(({ is }) => is === "synced")).toHaveLength(1);
  expect(told.filter((event) => event.is === "sync" && event.progress === null)).toHaveLength(1);
  reader.close();
});

test("SV-2: a sync goes on when whoever asked for it has left", async () => {
  const remote = await remoteRoom();
  const { github, room, app } = remote;
  const { waiting } = await heldSync(remote);
  const leaving = new AbortController();
  const key = room.keyOf("admin");
  const left = call(room, "/api/sources/s/sync", { method: "POST", key, signal: leaving.signal });
  await waiting;
  leaving.abort();
  await expect(left).rejects.toThrow("aborted");
  await until(() => room.logged().includes('"status":499'));
  expect((await app.kept.read.findSource("s"))?.status).toBe("syncing");
  await expect.poll(() => (github.release(), app.kept.read.findSource("s"))).toMatchObject({ status: "ok" });
  expect((await room.call("GET", "/api/skills")).json().total).toBe(2);
});
