import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Upstream } from "../../src/testing/upstream/script.ts";
import { startUpstream } from "../../src/testing/upstream/upstream.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { auditLength, done } from "../support/api-use.ts";

const secret = "sk-only-for-the-first-origin-0123456789";

let room: ApiRoom;
let first: Upstream;
let second: Upstream;

beforeEach(async () => {
  [first, second] = await Promise.all([startUpstream(), startUpstream()]);
  const pairs = [first, second].map(({ url }) => `    "${new URL(url).host}": "127.0.0.1/32"\n`);
  room = await openApiRoom({ config: `network:\n  private:\n${pairs.join("")}` });
});

afterEach(async () => {
  await room.close();
  await Promise.all([first.close(), second.close()]);
});

async function addWithSecret(): Promise<void> {
  const asked = { id: "models", protocol: "openai", origin: first.url, models: ["*"], secret };
  const added = await done(room, "POST", "/api/providers", asked);
  expect(added).toEqual({
    id: "models",
    protocol: "openai",
    origin: first.url,
    models: ["*"],
    version: 1,
    hasSecret: true,
  });
  await done(room, "POST", "/api/configurations", { id: "house", provider: "models", model: "m" });
}

function complete(): Promise<{ status: number; text: string }> {
  return room.call("POST", "/api/complete", { json: { configuration: "house", prompt: "Hello" } });
}

describe("RV-13: providers through the API", () => {
  test("RV-13: added, listed, changed, removed; refused while a configuration uses it", async () => {
    await addWithSecret();
    const [listed] = await done(room, "GET", "/api/providers");
    expect(await done(room, "GET", "/api/providers/models")).toEqual(listed);
    const changed = await done(room, "PATCH", "/api/providers/models", { models: ["m", "n"] });
    expect(changed).toMatchObject({ provider: { models: ["m", "n"], hasSecret: true }, secretDiscarded: false });
    const inUse = await room.call("DELETE", "/api/providers/models");
    expect([inUse.status, inUse.json().code]).toEqual([409, "record.in-use"]);
    await done(room, "DELETE", "/api/configurations/house");
    expect(await done(room, "DELETE", "/api/providers/models")).toEqual({ removed: "models" });
    expect((await room.call("GET", "/api/providers/models")).status).toBe(404);
  });

  test.each([
    [{ id: "Models", protocol: "openai", origin: "https://models.example.org" }, "id: expected lowercase"],
    [{ id: "models", protocol: "openai", origin: "http://models.example.org" }, "origin: expected"],
    [{ id: "models", protocol: "openai" }, "origin: expected"],
    [{ id: "models", protocol: "telepathy" }, "protocol:"],
    [{ id: "models", protocol: "echo", secret: "x" }, "needs none"],
    [{ id: "models", protocol: "echo", hasSecret: true }, 'does not know "hasSecret"'],
    [{ id: "models", protocol: "echo", models: ["a b"] }, "models.0: expected a model's name"],
  ])("SV-2: %j is refused by name, and nothing is added", async (json, words) => {
    const before = await auditLength(room);
    const refused = await room.call("POST", "/api/providers", { json });
    expect([refused.status, refused.json().code]).toEqual([400, "usage.invalid"]);
    expect(refused.json().detail).toContain(words);
    expect(await auditLength(room)).toBe(before);
  });

  test("RV-12: a secret goes in and never comes out, by no answer, no log and no export", async () => {
    await addWithSecret();
    const other = "sk-the-one-that-replaces-it-0123456789";
    const replaced = await done(room, "PUT", "/api/providers/models/secret", { secret: other });
    expect(replaced).toMatchObject({ hasSecret: true, version: 2 });
    await complete();
    expect(first.requests[0]?.header("authorization")).toBe(`Bearer ${other}`);
    const paths = ["/api/providers", "/api/providers/models", "/api/audit", "/api/doctor", "/api/openapi.json"];
    const shown = await Promise.all(paths.map(async (path) => (await room.call("GET", path)).text));
    const refused = await room.call("PUT", "/api/providers/models/secret", { json: { secret: `${other}\n` } });
    expect(refused.status).toBe(400);
    const everything = [...shown, refused.text, room.logged(), JSON.stringify(room.folder.sql("SELECT * FROM audit"))];
    for (const text of everything) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(other);
    }
  });
});

describe("T43: a secret is caught by nobody", () => {
  test("T43: another origin discards the secret, says so, and what is asked there carries none", async () => {
    await addWithSecret();
    expect((await complete()).status).toBe(200);
    expect(first.requests.map((request) => request.header("authorization"))).toEqual([`Bearer ${secret}`]);
    const changed = await done(room, "PATCH", "/api/providers/models", { origin: second.url });
    expect(changed).toMatchObject({ provider: { origin: second.url, hasSecret: false }, secretDiscarded: true });
    await complete();
    expect(second.requests.length).toBeGreaterThan(0);
    for (const { headers, text } of second.requests) {
      expect(JSON.stringify(headers)).not.toContain(secret);
      expect(text).not.toContain(secret);
    }
    // Nor does the way back bring it back.
    await done(room, "PATCH", "/api/providers/models", { origin: first.url });
    await complete();
    expect(first.requests).toHaveLength(2);
    expect(JSON.stringify(first.requests[1]?.headers)).not.toContain(secret);
  });

  test.each(["reader", "operator", "reviewer"] as const)(
    "T43: %s touches no provider, not even to look",
    async (role) => {
      await addWithSecret();
      const before = await auditLength(room);
      const key = room.keyOf(role);
      const tries = [
        await room.call("GET", "/api/providers", { key }),
        await room.call("GET", "/api/providers/models", { key }),
        await room.call("POST", "/api/providers", {
          key,
          json: { id: "mine", protocol: "openai", origin: second.url },
        }),
        await room.call("PATCH", "/api/providers/models", { key, json: { origin: second.url } }),
        await room.call("PUT", "/api/providers/models/secret", { key, json: { secret: "mine" } }),
        await room.call("DELETE", "/api/providers/models", { key }),
      ];
      expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 403));
      expect(await auditLength(room)).toBe(before);
      await complete();
      expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
    },
  );

  test("T43: nor does a configuration of an operator lead to another address", async () => {
    await addWithSecret();
    const key = room.keyOf("operator");
    const json = {
      id: "mine",
      provider: "models",
      model: "m",
      parameters: { origin: second.url, base_url: second.url },
    };
    expect((await room.call("POST", "/api/configurations", { key, json })).status).toBe(200);
    await room.call("POST", "/api/complete", { key, json: { configuration: "mine", prompt: "Hello" } });
    expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
  });
});
