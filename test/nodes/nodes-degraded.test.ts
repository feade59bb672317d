import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ada, say } from "../support/registry.ts";
import { bundleChild } from "../support/bundle.ts";
import { NodeRoom, type RunningNode } from "./node-room.ts";
import { createDatabase, startPostgres } from "../support/postgres.mjs";

const program = bundleChild("src/cli/bin.ts");

/** A server of this file's own: it is shut down and started again. */
let server: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  server = await startPostgres({ durable: false });
});
afterAll(() => server.stop());

/** Until a node could go on with all that is there now. */
async function keptUp({ app }: NodeRoom, ...nodes: readonly RunningNode[]): Promise<void> {
  const generation = await app.kept.read.generation();
  const wanted = { degraded: 0, generation, standby_generation: generation, standby_missing: 0 };
  for (const node of nodes) await expect.poll(() => node.figures()).toMatchObject(wanted);
}

function storeCheck(node: RunningNode): Promise<[number, string]> {
  return node.ready().then(({ status, json }) => [status, json().checks[0].about]);
}

describe("SV-7: nodes whose PostgreSQL is shut down", () => {
  test("SV-7, invariants 1 and 8: all go on with the last snapshot, byte for byte; and catch up when it is started", async () => {
    const room = await NodeRoom.create(await createDatabase(server.url), program());
    const nodes = await Promise.all([room.start("one"), room.start("other")]);
    const [one, other] = nodes;
    await room.addSkill("sewing", "Sew slowly.\n");
    await keptUp(room, ...nodes);
    const before = await one.prompt();
    expect(["Write plainly.", "Draw boldly.", "Sew slowly."].every((body) => before.includes(body))).toBe(true);

    await server.halt();
    for (const node of nodes) {
      expect(await node.prompt()).toBe(before);
      expect(await node.apiPrompt()).toBe(before);
      await expect
        .poll(() => storeCheck(node))
        .toEqual([200, expect.stringMatching(/^the store is away, since .*: answering from generation \d+, /)]);
      expect(await node.figures()).toMatchObject({ degraded: 1 });
      expect((await node.call("/v1/models", { key: "skw_nobody" })).status).toBe(401);
    }
    const refused = await one.call("/api/review/skills%3Adrawing", { json: { act: "disable" } });
    expect([refused.status, refused.json().code]).toEqual([503, "store.failed"]);

    const folder = join(room.root, "other/.local/share/skillward/cache");
    const file = readdirSync(folder).find((name) => readFileSync(join(folder, name), "utf8").includes("Sew slowly."));
    writeFileSync(join(folder, file ?? ""), "Sew anything.\n");
    const spoilt = await other.ask();
    expect([spoilt.status, spoilt.json().error.code]).toEqual([503, "store.failed"]);
    expect(spoilt.text).not.toContain("Sew anything.");
    expect(readdirSync(folder)).not.toContain(file);
    expect(await one.prompt()).toBe(before);

    await server.go();
    await say(room.app, ada, "disable", "skills:drawing");
    await keptUp(room, ...nodes);
    const after = await Promise.all(nodes.map((node) => node.prompt()));
    expect(after[0]).toBe(after[1]);
    expect(["Write plainly.", "Draw boldly.", "Sew slowly."].map((body) => after[0]?.includes(body))).toEqual([
      true,
      false,
      true,
    ]);
    for (const { log } of nodes)
      expect([...log.matchAll(/"msg":"(store \w+)"/g)].map(([, msg]) => msg)).toEqual(["store away", "store back"]);
    expect(await Promise.all(nodes.map((node) => node.end("SIGTERM")))).toEqual([0, 0]);
  });

  test("SV-7: one whose max-age is over gives out nothing, and says so; started without its database, none does", async () => {
    const room = await NodeRoom.create(await createDatabase(server.url), program());
    room.configure("degraded:\n  max-age: 1\n");
    const node = await room.start("one");
    await keptUp(room, node);
    const before = await node.prompt();
    await server.halt();
    await expect
      .poll(() => storeCheck(node))
      .toEqual([503, expect.stringMatching(/: nothing is injected until it is back$/)]);
    const [gateway, api] = [
      await node.ask(),
      await node.call("/api/complete", { json: { configuration: "house", prompt: "?" } }),
    ];
    expect([gateway.status, gateway.json().error.code]).toEqual([503, "store.failed"]);
    expect([api.status, api.json().code]).toEqual([503, "store.failed"]);
    const figures = await node.figures();
    expect([figures["degraded"], (figures["degraded_seconds"] ?? 0) > 1]).toEqual([1, true]);
    await expect(room.start("other")).rejects.toThrow(/"code": "store.failed"/);
    await server.go();
    await keptUp(room, node);
    expect(await node.prompt()).toBe(before);
    expect(await node.end("SIGTERM")).toBe(0);
  });

  test("T40: the keys are rotated without an interruption: each node goes on until it is started again", async () => {
    const room = await NodeRoom.create(await createDatabase(server.url), program());
    const nodes = await Promise.all([room.start("one"), room.start("other")]);
    await keptUp(room, ...nodes);
    // The key file is shared: it is the new one for whoever starts from now on.
    expect((await room.run("admin", ["keys", "rotate"])).code).toBe(0);
    for (const node of nodes) {
      expect(await node.prompt()).toContain("Write plainly.");
      await expect
        .poll(() => storeCheck(node))
        .toEqual([200, expect.stringMatching(/^the key file was rotated: copy the new one here/)]);
      expect((await node.say("disable", "skills:drawing")).status).toBe(500);
    }
    for (const [at, name] of ["one", "other"].entries()) {
      expect(await nodes[at]?.end("SIGTERM")).toBe(0);
      const again = await room.start(name);
      expect([(await again.ready()).status, (await again.figures())["degraded"]]).toEqual([200, 0]);
      expect((await again.say(at === 0 ? "disable" : "approve", "skills:drawing")).status).toBe(200);
      expect((await again.prompt()).includes("Draw boldly.")).toBe(at === 1);
      expect(await again.end("SIGTERM")).toBe(0);
    }
  });
});
