import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PublicFile } from "../../src/features/publishing/public-shelf.ts";
import { publishSkill, unpublishSkill } from "../../src/features/publishing/flow.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import { shelfRoutes } from "../../src/server/shelf/shelf.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { call, startTestServer, until } from "../support/http-serving.ts";
import { ada, currentOf, say, skillText } from "../support/registry.ts";
import { readShelf } from "./shelf-reader.ts";
import { allow } from "../support/permits.ts";

const on = "publish:\n  enabled: on\n";
const index = "/.well-known/agent-skills/index.json";

const opened: ApiRoom[] = [];
afterAll(() => Promise.all(opened.map((room) => room.close())));

/** A running node with approved skills: `alone` is one file, `several` has more. */
async function shelfRoom(config = on): Promise<ApiRoom> {
  const room = await openApiRoom({ config });
  opened.push(room);
  const { folder, app } = room;
  for (const skill of ["alone", "several", "waiting"]) folder.writeSkill(skill);
  folder.write("skills/several/scripts/run.sh", "echo 1\n");
  folder.write("skills/several/references/note.md", "A note.\n");
  await addFolder(app.sync, allow(ada), folder.skills, { id: "skills" });
  await runSync(app.sync, allow(ada), "skills");
  for (const skill of ["alone", "several"]) await say(app, ada, "approve", `skills:${skill}`);
  return room;
}

const ask = (room: ApiRoom, path: string, init: RequestInit = {}) => fetch(`${room.url}${path}`, init);

async function refusalOf(room: ApiRoom, path: string): Promise<unknown> {
  const answer = await ask(room, path);
  const { request: _, ...problem } = JSON.parse(await answer.text());
  return { status: answer.status, headers: [...answer.headers.keys()].toSorted(), problem };
}

/** One for all that only look: `alone` and `several` are published. */
let shared: ApiRoom;
beforeAll(async () => {
  shared = await shelfRoom();
  for (const skill of ["several", "alone"]) await publishSkill(shared.app, skill);
});

describe("SV-6: `.well-known/agent-skills`", () => {
  test("has what is published, for anybody, and every byte is what the index says", async () => {
    const skills = await readShelf(shared.url);
    expect(skills).toMatchObject([
      {
        name: "alone",
        type: "skill-md",
        description: "What alone does and when to use it.",
        url: "alone/SKILL.md",
        files: { "SKILL.md": skillText("alone") },
      },
      {
        name: "several",
        type: "archive",
        url: "several/several.tar.gz",
        files: { "SKILL.md": skillText("several"), "scripts/run.sh": "echo 1\n", "references/note.md": "A note.\n" },
      },
    ]);
    expect(skills.map((skill) => Object.keys(skill))).toEqual(
      Array.from({ length: 2 }, () => ["name", "type", "description", "url", "digest", "files"]),
    );
  });

  test("says nothing of where skills come from, nor of any other skill", async () => {
    const text = await (await ask(shared, index)).text();
    expect(text).not.toMatch(/skills:|waiting|machine|ada/);
    expect(JSON.parse(text).skills).toHaveLength(2);
  });

  test("what is approved next is what is served next; what is taken back is gone at once", async () => {
    const room = await shelfRoom();
    const { folder, app } = room;
    expect(await readShelf(room.url)).toEqual([]);
    await publishSkill(app, "alone");
    folder.writeSkill("alone", "Another way.\n");
    await runSync(app.sync, allow(ada), "skills");
    expect(await readShelf(room.url)).toEqual([]);
    expect((await ask(room, "/.well-known/agent-skills/alone/SKILL.md")).status).toBe(404);
    await say(app, ada, "approve", "skills:alone");
    expect(await readShelf(room.url)).toMatchObject([{ files: { "SKILL.md": skillText("alone", "Another way.\n") } }]);
    await say(app, ada, "disable", "skills:alone");
    expect(await readShelf(room.url)).toEqual([]);
    expect((await ask(room, "/.well-known/agent-skills/alone/SKILL.md")).status).toBe(404);
    await say(app, ada, "approve", "skills:alone");
    await unpublishSkill(app, "alone");
    expect(await readShelf(room.url)).toEqual([]);
    expect((await ask(room, "/.well-known/agent-skills/alone/SKILL.md")).status).toBe(404);
  });

  test("answers HEAD, carries strong tags over the bytes, and tells whoever has them already", async () => {
    for (const [path, type] of [
      [index, "application/json"],
      ["/.well-known/agent-skills/several/several.tar.gz", "application/gzip"],
    ] as const) {
      const got = await ask(shared, path);
      const head = await ask(shared, path, { method: "HEAD" });
      const etag = got.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"sha256-[0-9a-f]{64}"$/);
      expect([got.headers.get("content-type"), got.headers.get("cache-control")]).toEqual([type, "public, max-age=60"]);
      expect(got.headers.get("content-security-policy")).toContain("sandbox");
      expect([head.status, head.headers.get("etag"), (await head.arrayBuffer()).byteLength]).toEqual([200, etag, 0]);
      expect(head.headers.get("content-length")).toBe(String((await got.arrayBuffer()).byteLength));
      const again = await ask(shared, path, { headers: { "if-none-match": etag } });
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
      expect((await ask(shared, path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    }
  });

  test("SV-7: two nodes of one store serve the same bytes under the same tags", async () => {
    const app = await shared.folder.open();
    const other = await serveApp(app, { host: "127.0.0.1", port: 0, log: { write: () => {} } });
    try {
      expect(await readShelf(other.url)).toEqual(await readShelf(shared.url));
      const tags = [shared, other].map(async ({ url }) => (await fetch(`${url}${index}`)).headers.get("etag"));
      expect(new Set(await Promise.all(tags)).size).toBe(1);
    } finally {
      await other.stop();
      await shared.folder.close(app);
    }
  });

  test("T39: takes nothing but GET and HEAD", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"])
      expect((await ask(shared, index, { method })).status).toBe(404);
  });
});

describe("SV-6: what is not published cannot be told from what never was", () => {
  test("names that are approved, waiting or unknown, files, ids and traversals are answered alike", async () => {
    const room = await shelfRoom();
    await publishSkill(room.app, "alone");
    const digest = (await currentOf(room.app, "skills:several")).slice(0, 16);
    const unknown = JSON.stringify(await refusalOf(room, "/.well-known/nothing"));
    for (const path of [
      "nothing/SKILL.md",
      "several/SKILL.md",
      "several/several.tar.gz",
      "waiting/SKILL.md",
      "alone/alone.tar.gz",
      "alone/skill.md",
      "alone/..%2fseveral",
      "Alone/SKILL.md",
      "skills:alone/SKILL.md",
      `${digest}/SKILL.md`,
      "__proto__/SKILL.md",
      "constructor/SKILL.md",
    ]) {
      const refused = JSON.stringify(await refusalOf(room, `/.well-known/agent-skills/${path}`));
      expect(refused.replaceAll(`agent-skills/${path}`, "nothing")).toBe(unknown);
    }
  });

  test.each(["", "publish:\n  enabled: off\n"])(
    "with the door off (%j) there is none, whatever is switched on",
    async (config) => {
      const room = await shelfRoom(config);
      await publishSkill(room.app, "alone");
      for (const path of [index, "/.well-known/agent-skills/alone/SKILL.md"]) {
        const refused = JSON.stringify(await refusalOf(room, path));
        const never = JSON.stringify(await refusalOf(room, "/nothing"));
        expect(refused.replace(path, "/nothing")).toBe(never);
      }
    },
  );

  test("T18: a row that a hand put there opens nothing", async () => {
    const room = await shelfRoom();
    const add = "INSERT INTO published (entry, at, by_whom, seal) VALUES (?, 1, 'ada', 'x')";
    for (const entry of ["skills:alone", "skills:waiting"]) room.folder.sql(add, entry);
    expect(await readShelf(room.url)).toEqual([]);
    for (const name of ["alone", "waiting"])
      expect((await ask(room, `/.well-known/agent-skills/${name}/SKILL.md`)).status).toBe(404);
  });

  test("T17: bytes that a hand changed are not served, though the index was made before", async () => {
    const room = await shelfRoom();
    await publishSkill(room.app, "alone");
    await readShelf(room.url);
    room.folder.sql("UPDATE blobs SET bytes = CAST('changed' AS BLOB)");
    const answer = await ask(room, "/.well-known/agent-skills/alone/SKILL.md");
    expect([answer.status, await answer.text()]).toEqual([404, expect.not.stringContaining("changed")]);
  });
});

describe("T41: one address asks so much and no more", () => {
  const file: PublicFile = { type: "application/json", bytes: Buffer.from("{}"), digest: "d".repeat(64) };

  test("the rest is refused before any work, until it has waited; whoever has a key is not counted with it", async () => {
    let made = 0;
    const shelf = { index: async () => (made++, file), file: async () => undefined };
    const bounds = { perMinute: 6, concurrent: 3, remembered: 10 };
    const server = await startTestServer({ doors: [(door) => shelfRoutes(door, shelf, bounds)] });
    try {
      for (let times = 0; times < 5; times++) expect((await call(server, index)).status).toBe(200);
      expect((await call(server, "/.well-known/agent-skills/a/SKILL.md")).status).toBe(404);
      const refused = await call(server, index);
      expect([refused.status, refused.headers["retry-after"], made]).toEqual([429, "10", 5]);
      expect((await call(server, "/healthz")).status).toBe(200);
      expect((await call(server, "/api/openapi.json", { key: server.serving.keys.reader })).status).toBe(200);
      server.clock.advance(10_000);
      expect([(await call(server, index)).status, made]).toEqual([200, 6]);
    } finally {
      await server.stop();
    }
  });

  test("also of those at the same time; one that is over makes room", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let inside = 0;
    const waitInside = async () => {
      inside++;
      await gate;
      return file;
    };
    const shelf = { index: waitInside, file: async () => file };
    const bounds = { perMinute: 100, concurrent: 2, remembered: 10 };
    const server = await startTestServer({ doors: [(door) => shelfRoutes(door, shelf, bounds)] });
    try {
      const waiting = [call(server, index), call(server, index)];
      const other = "/.well-known/agent-skills/a/SKILL.md";
      await until(() => inside === 2);
      expect((await call(server, other)).status).toBe(429);
      release();
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
      // A place is free once the server has seen the answer end.
      await until(() => server.requests().length === 3);
      expect((await call(server, other)).status).toBe(200);
    } finally {
      release();
      await server.stop();
    }
  });
});

describe("SV-2: the switch over HTTP", () => {
  test("on, listed, and off again", async () => {
    const room = await shelfRoom();
    const put = await room.call("PUT", "/api/skills/alone/published");
    expect([put.status, put.json()]).toEqual([200, expect.objectContaining({ entry: "skills:alone", findings: [] })]);
    expect((await room.call("GET", "/api/published")).json()).toEqual([put.json()]);
    expect(await readShelf(room.url)).toHaveLength(1);
    expect((await room.call("PUT", "/api/skills/skills%3Aalone/published")).status).toBe(409);
    expect((await room.call("PUT", "/api/skills/waiting/published")).status).toBe(422);
    expect((await room.call("DELETE", "/api/skills/alone/published")).json()).toEqual({ entry: "skills:alone" });
    expect((await room.call("DELETE", "/api/skills/alone/published")).status).toBe(404);
    expect(await readShelf(room.url)).toEqual([]);
  });
});
