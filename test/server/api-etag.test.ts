import { copyFileSync, renameSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { tagOf } from "../../src/server/send.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { ada, person, registryFolder, say } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

let room: ApiRoom;
beforeAll(async () => {
  room = await openApiRoom();
  for (const name of ["pdf", "notes", "drawing"]) room.folder.writeSkill(name);
  await addFolder(room.app.sync, allow(ada), room.folder.skills, { id: "skills" });
  await runSync(room.app.sync, allow(ada), "skills");
});
afterAll(() => room.close());

const reader = () => room.keyOf("reader");
const ask = (path: string, tag?: string, key = reader()) =>
  room.call("GET", path, { key, headers: tag === undefined ? {} : { "if-none-match": tag } });

async function tagAt(path: string, key = reader()): Promise<string> {
  const { etag } = (await ask(path, undefined, key)).headers;
  return etag ?? "";
}

const tagged = ["/api/review", "/api/skills", "/api/skills/pdf/revisions", "/api/blocks", "/api/triggers"];

describe("SV-2, RV-10: what follows from the generation carries a tag", () => {
  test.each(tagged)("RV-10: %s is not sent again in the same generation, and is after an approval", async (path) => {
    const first = await ask(path);
    expect([first.status, first.headers["cache-control"]]).toEqual([200, "private, no-cache"]);
    expect(first.headers.vary).toBe("authorization, x-api-key, cookie");
    const tag = first.headers.etag ?? "";
    expect(tag).toMatch(/^W\/"\d+-[0-9a-f]{16}"$/);
    const known = await ask(path, tag);
    expect([known.status, known.text, known.headers.etag]).toEqual([304, "", tag]);
    expect((await ask(path, `"other", ${tag}`)).status).toBe(304);
    await say(room.app, ada, "approve", "skills:pdf");
    const moved = await ask(path, tag);
    expect([moved.status, moved.headers.etag === tag]).toEqual([200, false]);
  });

  test("RV-10: another role, and another person of the same role, has another tag", async () => {
    const tags = await Promise.all(
      ["reader", "operator", "reviewer", "admin"].map((role) => tagAt("/api/skills", room.keyOf(role as "reader"))),
    );
    expect(new Set(tags).size).toBe(4);
    const [ofReader = "", ofOperator = ""] = tags;
    expect((await ask("/api/skills", ofReader, room.keyOf("operator"))).status).toBe(200);
    expect((await ask("/api/skills", ofOperator, room.keyOf("operator"))).status).toBe(304);
  });

  test("T39: whoever may not is refused, whatever tag they show", async () => {
    const tag = await tagAt("/api/skills");
    expect((await room.call("GET", "/api/skills", { key: null, headers: { "if-none-match": tag } })).status).toBe(401);
    expect((await ask("/api/users", tag)).status).toBe(403);
  });

  test("SV-2: any tag at all, and what is no tag of ours, is not known", async () => {
    const tag = await tagAt("/api/skills");
    for (const given of ["*", "", '"x"', tag.replace("W/", ""), `${tag}x`])
      expect((await ask("/api/skills", given)).status).toBe(200);
  });

  test("RV-12: limits, how reviewing is set up and the release are in the tag", () => {
    const policy = { reviewers: false };
    const limited = { ...person("x", "reader"), configurations: ["mine"] };
    const tags = [
      tagOf(1, person("x", "reader"), policy),
      tagOf(2, person("x", "reader"), policy),
      tagOf(1, person("x", "operator"), policy),
      tagOf(1, person("y", "reader"), policy),
      tagOf(1, limited, policy),
      tagOf(1, person("x", "reader"), { reviewers: true }),
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });
});

test.each([
  // Usage, the audit and how a sync goes on change without a new generation.
  "/api/overview",
  "/api/sources",
  "/api/sources/skills",
  "/api/usage",
  "/api/audit",
  // Bytes are verified each time they are asked for: a hand in the database makes no generation.
  "/api/review/pdf",
  "/api/review/pdf/raw",
  "/api/skills/pdf",
  "/api/skills/pdf/text",
  "/api/skills/pdf/diff",
])("SV-2: %s carries no tag", async (path) => {
  const { status, headers } = await ask(path, "*");
  expect([status, headers.etag, headers["cache-control"]]).toEqual([200, undefined, "no-store"]);
});

test("T17: bytes that were changed by hand show in the same generation", async () => {
  const before = (await ask("/api/skills/notes")).json();
  expect([before.revision.tampering, before.revision.files.length]).toEqual([[], 1]);
  room.folder.sql("UPDATE blobs SET bytes = ? WHERE digest = ?", Buffer.from("other"), before.revision.files[0].digest);
  const after = (await ask("/api/skills/notes")).json();
  expect(after.revision).toMatchObject({ files: [], tampering: [{ code: "revision.tampered", level: "critical" }] });
});

test("T19, RV-10: after a rollback that was accepted no tag of before stands for something else", async () => {
  const folder = registryFolder();
  folder.writeSkill("pdf");
  const app = await folder.open();
  await addFolder(app.sync, allow(ada), folder.skills, { id: "skills" });
  await runSync(app.sync, allow(ada), "skills");
  folder.sql("PRAGMA wal_checkpoint(TRUNCATE)");
  copyFileSync(folder.database, `${folder.database}.old`);
  const before = await openApiRoom({ registry: { folder, app } });
  await say(app, ada, "approve", "skills:pdf");
  const asked = (at: ApiRoom, tag = "") =>
    at.call("GET", "/api/skills", { key: at.keyOf("reader"), headers: { "if-none-match": tag } });
  const { headers, text } = await asked(before);
  await before.stop();
  await folder.close(app);
  for (const rest of ["-wal", "-shm"]) rmSync(`${folder.database}${rest}`, { force: true });
  renameSync(`${folder.database}.old`, folder.database);
  const accepted = await folder.open({ acceptRollback: true });
  // As many changes as there were before, by people of the same names.
  const after = await openApiRoom({ registry: { folder, app: accepted } });
  const again = await asked(after, headers.etag);
  expect([again.status, again.headers.etag === headers.etag, again.text === text]).toEqual([200, false, false]);
  expect((await asked(after, again.headers.etag)).status).toBe(304);
  await after.stop();
});
