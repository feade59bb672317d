import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rotateKeys } from "../../src/features/health/rotation.ts";
import { detach } from "../../src/models/attachments.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { portOf, uncaught } from "../support/gateway-speakers.ts";
import { call } from "../support/http-serving.ts";
import { connectMcp } from "../support/mcp-home.ts";
import { ada, say } from "../support/registry.ts";
import { askAll, expectRefused, figures, keptUp, readiness, standbyRoom, storeNotes } from "../support/standby-room.ts";
import { permitLlm } from "../../src/models/context.ts";

/** A store that is back is noticed within a turn. */
async function back(room: Awaited<ReturnType<typeof standbyRoom>>): Promise<void> {
  await expect.poll(async () => (await figures(room.home))["degraded"]).toBe(0);
}

describe("SV-7: a node that loses its database", () => {
  test("SV-7, invariant 1: answers as before, byte for byte, from what it last saw; and says so", async () => {
    const nobodyCaught = uncaught();
    const room = await standbyRoom();
    const { home, proxy } = room;
    const before = await askAll(room);
    const models = await call(portOf(home), "/v1/models", { key: home.key });
    const generation = (await figures(home))["generation"];
    proxy.cut();
    expect(await askAll(room)).toEqual(before);
    const asked = { configuration: "echo", prompt: "Hello?" };
    const api = await call(portOf(home), "/api/complete", { key: home.key, json: asked });
    expect([api.status, api.json().injection.included, api.headers["x-skillward-generation"]]).toEqual([
      200,
      2,
      String(generation),
    ]);
    expect((await call(portOf(home), "/v1/models", { key: home.key })).text).toBe(models.text);
    expect((await call(portOf(home), "/v1/models", { key: "skw_wrong" })).status).toBe(401);
    const { status, json } = await readiness(home);
    expect([status, json().ready]).toEqual([200, true]);
    expect(json().checks[0]).toEqual({
      name: "store",
      ok: false,
      about: expect.stringMatching(
        new RegExp(
          `^the store is away, since \\d{4}-.*Z: answering from generation ${generation}, skills that may be used: 2, for at most 3600 s more$`,
        ),
      ),
    });
    expect(await figures(home)).toMatchObject({ degraded: 1, generation, standby_generation: generation });
    expect((await figures(home))["store_failures_total"]).toBeGreaterThan(0);
    expect(storeNotes(home)).toEqual(["store away"]);
    proxy.mend();
    await back(room);
    expect(await askAll(room)).toEqual(before);
    expect(storeNotes(home)).toEqual(["store away", "store back"]);
    expect(nobodyCaught).toEqual([]);
  });

  test("SV-7: what is changed needs the store; what others changed meanwhile holds from the first answer on", async () => {
    const room = await standbyRoom();
    const { home, proxy } = room;
    const [before = ""] = await askAll(room);
    expect(before).toContain("Draw boldly.");
    proxy.cut();
    await askAll(room);
    const key = { name: "late", role: "reader" };
    const refused = await call(portOf(home), "/api/keys", { key: home.key, json: key });
    expect([refused.status, refused.headers["content-type"]]).toEqual([503, "application/problem+json"]);
    expect(refused.json().code).toBe("store.failed");
    const other = await room.other();
    await say(other, ada, "disable", "skills:drawing");
    expect((await askAll(room))[0]).toBe(before);
    proxy.mend();
    await back(room);
    const [after = ""] = await askAll(room);
    expect(after).not.toContain("Draw boldly.");
    expect(after).toContain("Write plainly.");
    expect((await other.accounts.kept.read.listKeys()).some(({ name }) => name === "late")).toBe(false);
  });

  test("SV-5, SV-7: MCP lists and loads what was approved, as before, also for whoever connects only then", async () => {
    const { home, proxy } = await standbyRoom();
    const load = async () => {
      const client = await connectMcp(home.url, home.key);
      const { resources } = await client.listResources();
      const { content } = await client.callTool({ name: "load_skill", arguments: { skill: "drawing" } });
      await client.close();
      return { resources, content };
    };
    const before = await load();
    expect(JSON.stringify(before.content)).toContain("Draw boldly.");
    proxy.cut();
    expect(await load()).toEqual(before);
    expect((await figures(home))["degraded"]).toBe(1);
  });

  test("SV-7: one connection that is cut is no loss: the answer is the store's", async () => {
    const cuts = ["request"];
    // A read of a request is cut once. What would be needed without the store is never read whole: it is behind.
    const cutBy = (sent: string) =>
      sent.includes('from "triggers"') || (sent.includes('"kind" = $1 and "id" = $2') && cuts.pop() !== undefined);
    const room = await standbyRoom({ cutBy });
    const { home, proxy } = room;
    await detach(permitLlm(await room.other(), "operate"), "config:house", "skills:drawing");
    proxy.cut();
    expect((await askAll(room))[0]).not.toContain("Draw boldly.");
    expect([cuts, storeNotes(home), (await figures(home))["degraded"]]).toEqual([[], [], 0]);
  });

  test("SV-7: one answer that does not come to whether it is there is no loss: it is asked once more", async () => {
    const cuts = ["pulse", "pulse"];
    // Every connection says what it reads for: of those that ask for this, the pulse alone asks for the head of the chain.
    const cutBy = (sent: string) => sent.includes('from "audit"') && cuts.length > 1 && cuts.pop() !== undefined;
    const room = await standbyRoom({ cutBy });
    const { home, proxy } = room;
    const before = await askAll(room);
    proxy.cut();
    room.stopwatch.advance(1000);
    await expect.poll(() => cuts).toEqual(["pulse"]);
    expect(await askAll(room)).toEqual(before);
    expect([storeNotes(home), (await figures(home))["degraded"]]).toEqual([[], 0]);
    expect((await figures(home))["store_failures_total"]).toBe(1);
  });

  test("SV-8: each time that it did not answer is counted, also when nobody asked for anything", async () => {
    const { home, proxy, stopwatch } = await standbyRoom();
    expect((await figures(home))["store_failures_total"]).toBe(0);
    proxy.cut();
    stopwatch.advance(1000);
    await expect.poll(() => storeNotes(home)).toEqual(["store away"]);
    expect(home.logged()).toMatch(/"level":"warn".*"msg":"store away"/);
    const first = (await figures(home))["store_failures_total"] ?? 0;
    // As it went, it was asked twice.
    expect(first).toBeGreaterThan(1);
    await expect.poll(async () => (await figures(home))["store_failures_total"]).toBeGreaterThan(first);
  });

  test("SV-7: a network that swallows everything holds nobody up, and a stop neither", async () => {
    const room = await standbyRoom();
    const { home, proxy } = room;
    const before = await askAll(room);
    proxy.swallow();
    // As time passes: without an answer to anything, it is asked whether the store is there.
    room.stopwatch.advance(1000);
    expect(await askAll(room)).toEqual(before);
    expect(await askAll(room)).toEqual(before);
    await expectRefusedChange(home);
    proxy.mend();
    await back(room);
    expect(await askAll(room)).toEqual(before);
    proxy.swallow();
    // What has to be written down waits for the store, and then goes to the disk.
    room.stopwatch.advance(20_000);
    await home.stop();
    expect(readdirSync(home.app.places.spoolFolder)).not.toEqual([]);
  });
});

async function expectRefusedChange(home: Awaited<ReturnType<typeof standbyRoom>>["home"]): Promise<void> {
  const { status, json } = await call(portOf(home), "/api/keys", {
    key: home.key,
    json: { name: "late", role: "reader" },
  });
  expect([status, json().code]).toEqual([503, "store.failed"]);
}

describe("SV-7: what it may not do without its database", () => {
  test("SV-7: after degraded.max-age nothing is given out, for no configuration; readiness and figures say so", async () => {
    const room = await standbyRoom({ config: "degraded:\n  max-age: 60\n" });
    const { home, proxy, stopwatch } = room;
    await addConfiguration(permitLlm(home.app, "operate"), "plain", { provider: "openai", model: "m" });
    await keptUp(room);
    const before = await askAll(room);
    proxy.cut();
    stopwatch.advance(59_000);
    expect(await askAll(room)).toEqual(before);
    expect((await readiness(home)).json().checks[0].about).toMatch(/for at most 1 s more$/);
    stopwatch.advance(1001);
    await expectRefused(room);
    const messages = [{ role: "user", content: "Hello?" }];
    const plain = await call(portOf(home), "/v1/chat/completions", {
      key: home.key,
      json: { model: "plain", messages },
    });
    expect([plain.status, plain.json().error.code]).toEqual([503, "store.failed"]);
    await expect.poll(async () => (await readiness(home)).status).toBe(503);
    const { json } = await readiness(home);
    expect([json().ready, json().checks[0].about]).toEqual([
      false,
      expect.stringMatching(/^the store is away, since .*: nothing is injected until it is back$/),
    ]);
    const told = await figures(home);
    expect([told["degraded"], told["degraded_seconds"]]).toEqual([1, 60.001]);
    proxy.mend();
    await back(room);
    expect(await askAll(room)).toEqual(before);
    await expect.poll(async () => (await readiness(home)).status).toBe(200);
  });

  test("invariant 1: a body on the disk that was changed is given to nobody, and taken away", async () => {
    const room = await standbyRoom({ config: "gateway:\n  log-prompts: on\n" });
    const { home, proxy } = room;
    const folder = home.app.places.cacheFolder;
    const file = readdirSync(folder).find((name) => readFileSync(join(folder, name), "utf8").includes("Draw boldly."));
    const path = join(folder, file ?? "none");
    writeFileSync(path, readFileSync(path, "utf8").replace("Draw boldly.", "Draw badly!!"));
    proxy.cut();
    await expectRefused(room);
    expect(readdirSync(folder)).not.toContain(file);
    expect(home.logged()).not.toContain("Draw badly");
    proxy.mend();
    await back(room);
    expect((await askAll(room))[0]).toContain("Draw boldly.");
  });

  test("SV-7: a node that has seen something newer than it could keep does not go back to what was before", async () => {
    // Reading all that would be needed fails, reading what a request takes does not.
    const room = await standbyRoom({ cutBy: 'from "triggers"' });
    const { home, proxy } = room;
    proxy.cut();
    const other = await room.other();
    await say(other, ada, "disable", "skills:drawing");
    const [seen = ""] = await askAll(room);
    expect([seen.includes("Draw boldly."), (await figures(home))["degraded"]]).toEqual([false, 0]);
    proxy.close();
    await expectRefused(room);
    await expect.poll(async () => (await readiness(home)).status).toBe(503);
  });

  test.each([
    ["an older one", "UPDATE store SET generation = generation - 1", "UPDATE store SET generation = generation + 1"],
    [
      "one whose chain was cut short",
      "ALTER TABLE audit RENAME TO whole; CREATE TABLE audit AS SELECT * FROM whole WHERE seq < (SELECT max(seq) FROM whole)",
      "DROP TABLE audit; ALTER TABLE whole RENAME TO audit",
    ],
    ["another one", "UPDATE store SET id = translate(id, '0123456789abcdef', '123456789abcdef0')", null],
    ["an empty one", "ALTER TABLE store RENAME TO gone", "ALTER TABLE gone RENAME TO store"],
  ])(
    "T19: what comes back is %s: it is neither read nor written, and the node goes on as without it",
    async (_what, spoil, heal) => {
      const room = await standbyRoom();
      const { home, proxy, place } = room;
      const before = await askAll(room);
      const [{ id = "" } = {}] = await place.query("SELECT id FROM store");
      proxy.cut();
      await askAll(room);
      await place.query(spoil);
      proxy.mend();
      await expect
        .poll(async () => (await readiness(home)).json().checks[0].about)
        .toMatch(/^what came back is not the store that went; the log says why, since .* answering from generation /);
      expect(await askAll(room)).toEqual(before);
      const change = await call(portOf(home), "/api/keys", { key: home.key, json: { name: "late", role: "reader" } });
      expect([change.status, change.json().code]).toEqual([503, "store.rolled-back"]);
      expect(storeNotes(home)).toEqual(["store away", "store away"]);
      await place.query(heal ?? `UPDATE store SET id = '${String(id)}'`);
      await back(room);
      expect(await askAll(room)).toEqual(before);
    },
  );

  test("T40: after the key file was rotated elsewhere a node goes on with what it knew, writes nothing, and says why", async () => {
    const room = await standbyRoom();
    const { home } = room;
    const before = await askAll(room);
    await rotateKeys(() => room.other());
    expect(await askAll(room)).toEqual(before);
    await expect
      .poll(async () => (await readiness(home)).json().checks[0].about)
      .toMatch(/^the key file was rotated: copy the new one here and start the node again, since .* answering from /);
    expect(home.logged()).toContain("if it was rotated elsewhere, copy the new one here");
    const change = await call(portOf(home), "/api/keys", { key: home.key, json: { name: "late", role: "reader" } });
    expect([change.status, change.json().code]).toEqual([500, "keys.unusable"]);
  });
});
