import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditHash } from "../../src/registry/audit/audit.ts";
import { recordUsage } from "../../src/registry/usage/usage.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { approveSkills, done, echoConfiguration, attachAll, auditLength } from "../support/api-use.ts";
import { heldDisk } from "./held-disk.ts";
import { call } from "../support/http-serving.ts";
import { currentOf, RegistryFolder } from "../support/registry.ts";
import type { AuditRecord } from "../../src/registry/schema.ts";

let room: ApiRoom;
let digest: string;
const disk = heldDisk();
const folder = new RegistryFolder({ world: { files: disk.files } });
beforeAll(async () => {
  room = await openApiRoom({ registry: { folder, app: await folder.open() } });
  await approveSkills(room, { writing: "Write plainly.\n" });
  await echoConfiguration(room);
  await attachAll(room, "configurations/echo", ["writing"]);
  digest = await currentOf(room.app, "skills:writing");
  const at = room.folder.clock.now();
  const place = { entry: "skills:writing", digest, configuration: "echo", task: null, conversation: "c", tool: null };
  const records = [
    { at, event: "injected", ...place },
    { at: at + 1, event: "injected", ...place },
  ] as const;
  await recordUsage(room.app.kept, { id: "b", node: "n", at, records, injections: [] });
});
afterAll(async () => {
  await room.close();
  await folder.remove();
});

interface Page {
  readonly items: readonly AuditRecord[];
  readonly next: number | null;
}

const list = (query = ""): Promise<Page> => done(room, "GET", `/api/audit${query}`);

describe("RV-8: the audit through the API", () => {
  test("RV-8: the newest first, in pages, each record once", async () => {
    const length = await auditLength(room);
    const seen: AuditRecord[] = [];
    for (let query = "?limit=4"; ; ) {
      const { items, next } = await list(query);
      seen.push(...items);
      if (next === null) break;
      query = `?limit=4&before=${next}`;
    }
    expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length }, (_, at) => length - at));
    for (const record of seen) expect(auditHash(record)).toBe(record.hash);
  });

  test("RV-8: narrowed by act, subject, who and when", async () => {
    const acts = async (query: string) => (await list(query)).items.map(({ act }) => act);
    expect(new Set(await acts("?act=configuration."))).toEqual(new Set(["configuration.added"]));
    expect(await acts("?act=skill.&subject=writing&by=key:a-admin")).toEqual(["skill.attached"]);
    expect(await acts("?by=nobody")).toEqual([]);
    expect(await acts("?since=2999-01-01")).toEqual([]);
    for (const query of ["since=yesterday", "before=-1", "limit=501", "limit=0", "after=1"])
      expect([query, (await room.call("GET", `/api/audit?${query}`)).status]).toEqual([query, 400]);
  });

  test("RV-8: the export is every record to the byte, and at its end the checkpoint", async () => {
    const reply = await call(room, "/api/audit/export", { key: room.keyOf("reader") });
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    const lines = reply.text.trimEnd().split("\n");
    const { checkpoint } = JSON.parse(lines.pop() ?? "");
    const records: AuditRecord[] = lines.map((line) => JSON.parse(line));
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, at) => at + 1));
    expect(records).toHaveLength(await auditLength(room));
    expect(checkpoint.audit).toMatchObject({ seq: records.length, hash: records.at(-1)?.hash });
    expect(room.logged()).toContain(`"records":${records.length}`);
  });

  test("T41: two exports at a time on a node, and another one when one has ended", async () => {
    disk.hold(folder.checkpoints);
    const key = room.keyOf("reader");
    const running = [call(room, "/api/audit/export", { key }), call(room, "/api/audit/export", { key })];
    await disk.held(2);
    const third = await call(room, "/api/audit/export", { key: room.keyOf("operator") });
    expect([third.status, third.json().code]).toEqual([429, "request.too-many"]);
    disk.goOn();
    for (const { status } of await Promise.all(running)) expect(status).toBe(200);
    expect((await call(room, "/api/audit/export", { key })).status).toBe(200);
  });

  test("T41: whoever asks for the head alone starts no export", async () => {
    disk.hold(folder.checkpoints);
    const { status, headers, text } = await call(room, "/api/audit/export", {
      method: "HEAD",
      key: room.keyOf("reader"),
    });
    expect([status, headers["content-type"], text]).toEqual([200, "application/x-ndjson", ""]);
    expect(disk.waiting()).toBe(0);
    disk.goOn();
    const limited = await room.limitedKey(["echo"]);
    expect((await call(room, "/api/audit/export", { method: "HEAD", key: limited })).status).toBe(403);
  });

  test("RV-8: where a digest was used, by how it begins; every single use when asked", async () => {
    const found = await done(room, "GET", `/api/where/${digest.slice(0, 12)}`);
    expect(found).toMatchObject({
      digest,
      entries: [{ entry: "skills:writing", state: "enabled", isInUse: true, attachedTo: ["config:echo"] }],
      decisions: [{ word: "approve" }],
      uses: [{ configuration: "echo", event: "injected", times: 2 }],
      more: false,
    });
    const each = await done(room, "GET", `/api/where/${digest}?each=true&limit=1`);
    expect([each.uses.length, each.more, each.uses[0].digest]).toEqual([1, true, digest]);
    expect((await room.call("GET", "/api/where/ffffffffffff")).status).toBe(404);
    expect((await room.call("GET", "/api/where/xyz")).status).toBe(400);
  });
});

describe("RV-8: verifying through the API", () => {
  const verify = (json: object = {}) => room.call("POST", "/api/audit/verify", { key: room.keyOf("reader"), json });

  test("T41: one at a time on a node, and the next one afterwards", async () => {
    disk.hold(folder.checkpoints);
    const first = verify({ all: true });
    await disk.held();
    const second = await verify();
    expect([second.status, second.json().code]).toEqual([429, "request.too-many"]);
    disk.goOn();
    expect((await first).json()).toMatchObject({ passes: true });
    expect((await verify()).status).toBe(200);
  });

  test("T19: names a record that was changed by hand; requests are answered all the same", async () => {
    const [{ by_whom: by } = {}] = room.folder.sql("SELECT by_whom FROM audit WHERE seq = 2");
    room.folder.sql("UPDATE audit SET by_whom = 'nobody' WHERE seq = 2");
    const report = (await verify()).json();
    const audit = report.parts.find(({ part }: { part: string }) => part === "audit");
    expect([report.passes, audit.findings[0].code]).toEqual([false, "audit.changed"]);
    expect((await room.call("GET", "/api/configurations")).status).toBe(200);
    room.folder.sql("UPDATE audit SET by_whom = ? WHERE seq = 2", String(by));
    expect((await verify()).json().passes).toBe(true);
  });
});

describe("SV-10: the doctor through the API", () => {
  test("SV-10: what this node stands on, for admins alone", async () => {
    const { checks } = await done(room, "GET", "/api/doctor");
    const states = Object.fromEntries(checks.map(({ name, state }: { name: string; state: string }) => [name, state]));
    expect(states).toMatchObject({
      node: "ok",
      configuration: "ok",
      data: "ok",
      store: "ok",
      keys: "ok",
      checkpoint: "ok",
    });
    expect(states).toMatchObject({ registry: "ok", source: "ok", attachment: "ok", spool: "ok" });
    for (const role of ["reader", "operator", "reviewer"] as const)
      expect((await room.call("GET", "/api/doctor", { key: room.keyOf(role) })).status).toBe(403);
  });
});
