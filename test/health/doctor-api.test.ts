import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Upstream } from "../../src/testing/upstream/script.ts";
import { startUpstream } from "../../src/testing/upstream/upstream.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { done } from "../support/api-use.ts";
import type { Check } from "../../src/features/health/schema.ts";

const secret = "sk-only-for-its-own-origin-0123456789";

let room: ApiRoom;
let upstream: Upstream;
let start = 0;

beforeAll(async () => {
  upstream = await startUpstream();
  room = await openApiRoom({ config: `network:\n  private:\n    "${new URL(upstream.url).host}": "127.0.0.1/32"\n` });
  const provider = { id: "main", protocol: "openai", origin: upstream.url, models: ["*"], secret };
  await done(room, "POST", "/api/providers", provider);
});
afterAll(async () => {
  await room.close();
  await upstream.close();
});
beforeEach(() => {
  start = upstream.requests.length;
});

const asked = () => upstream.requests.slice(start).map(({ method, path }) => `${method} ${path}`);

describe("SV-10: the doctor of a node that runs", () => {
  test("SV-10: asks who is elsewhere, and shows no secret of it", async () => {
    const { text, json } = await room.call("GET", "/api/doctor");
    const states = json().checks.map(({ name, state }: Check) => `${name} ${state}`);
    expect(states).toEqual(expect.arrayContaining(["store ok", "keys ok", "clock ok", "provider ok"]));
    expect(asked()).toEqual(["GET /v1/models"]);
    expect(text + room.logged()).not.toContain(secret);
  });

  test("SV-10: asks nobody when that was wished, and says so", async () => {
    const { checks } = await done(room, "GET", "/api/doctor?offline=true");
    expect(checks.at(-1)).toMatchObject({ name: "network", state: "ok" });
    expect((await room.call("GET", "/api/doctor?offline=perhaps")).status).toBe(400);
    expect(asked()).toEqual([]);
  });

  test("T41: one at a time on a node, and nobody is asked for the others", async () => {
    upstream.next({ slow: true });
    const first = room.call("GET", "/api/doctor");
    await upstream.received(start + 1);
    const others = await Promise.all([room.call("GET", "/api/doctor"), room.call("GET", "/api/doctor?offline=true")]);
    for (const { status, json } of others)
      expect([status, json().detail]).toEqual([429, expect.stringContaining("a diagnosis is running on this node")]);
    for (const _ of ["head", "half", "half"]) await upstream.step();
    expect((await first).status).toBe(200);
    expect(asked()).toEqual(["GET /v1/models"]);
    expect((await room.call("GET", "/api/doctor?offline=true")).status).toBe(200);
  });

  test("RV-12: nobody but an admin has it ask anybody", async () => {
    for (const role of ["reader", "operator", "reviewer"] as const)
      expect((await room.call("GET", "/api/doctor", { key: room.keyOf(role) })).status).toBe(403);
    expect((await room.call("GET", "/api/doctor", { key: null })).status).toBe(401);
    expect(asked()).toEqual([]);
  });
});
