import { get } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { startUpstream } from "../../src/testing/upstream/upstream.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { attach } from "../../src/models/attachments.ts";
import { bundleChild } from "../support/bundle.ts";
import { NodeRoom, type RunningNode } from "./node-room.ts";
import { createDatabase, dropDatabase } from "../support/postgres.mjs";
import { permitLlm } from "../../src/models/context.ts";

const program = bundleChild("src/cli/bin.ts");

/** A node with a configuration `slow`, whose model answers when the test lets it. */
async function slowRoom() {
  const database = await createDatabase(inject("postgres"));
  onTestFinished(() => dropDatabase(database));
  const room = await NodeRoom.create(database, program());
  const upstream = await startUpstream({ secret: "sk-upstream" });
  onTestFinished(() => upstream.close());
  room.configure(`network:\n  private:\n    "${new URL(upstream.url).host}": "127.0.0.1/32"\n`);
  const app = await room.open("admin");
  await addProvider(
    permitLlm(app, "administer"),
    "slow",
    { protocol: "openai", origin: upstream.url, models: ["*"] },
    "sk-upstream",
  );
  await addConfiguration(permitLlm(app, "operate"), "slow", { provider: "slow", model: "m" });
  await attach(permitLlm(app, "operate"), "config:slow", "skills:writing");
  await app.close();
  return { room, upstream, node: await room.start("one") };
}

const asked = { json: { model: "slow", messages: [{ role: "user", content: "Hello?" }] } };

/** A stream that has no end of its own, and when it ends all the same. */
async function endless(node: RunningNode, key: string): Promise<{ readonly ended: Promise<string> }> {
  const response = await new Promise<Parameters<typeof text>[0]>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
    get({ host: "127.0.0.1", port: node.port, path: "/api/events", headers }, resolve).once("error", reject);
  });
  return { ended: text(response) };
}

describe("SV-1, SV-7: a node that is asked to end", () => {
  test("finishes what runs, ends what has no end, takes nothing new, writes down what happened, and ends with 0", async () => {
    const { room, upstream, node } = await slowRoom();
    upstream.next({ slow: true });
    const running = node.call("/v1/chat/completions", asked);
    await upstream.received(1);
    const events = await endless(node, room.key);
    node.kill("SIGTERM");
    await events.ended;
    await expect(node.call("/readyz")).rejects.toMatchObject({ code: expect.stringMatching(/^ECONN/) });
    for (let piece = 0; piece < 3; piece++) await upstream.step();
    const { status, headers } = await running;
    expect([status, await node.ended]).toEqual([200, 0]);
    const injection = await room.app.kept.read.findInjection(String(headers["x-skillward-injection"]));
    expect(injection?.included.map(({ entry }) => entry)).toEqual(["skills:writing"]);
    expect(upstream.requests[0]?.aborted).toBe(false);
  });

  test("ends at once when it is asked again, by whichever signal", async () => {
    const { upstream, node } = await slowRoom();
    upstream.next({ hang: "before-headers" });
    const running = node.call("/v1/chat/completions", asked).catch((error: NodeJS.ErrnoException) => error.code);
    await upstream.received(1);
    node.kill("SIGTERM");
    await expect.poll(() => node.call("/healthz").catch(() => "gone")).toBe("gone");
    expect(await node.end("SIGINT")).toBe("SIGINT");
    expect(await running).toBe("ECONNRESET");
  });
});
