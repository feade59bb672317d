import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Wire } from "../../src/server/door.ts";
import { send } from "../../src/server/send.ts";
import { call, type Started, startTestServer } from "../support/http-serving.ts";

let server: Started;

/** Nobody has given this one a row, and `all` is not seen as a route. */
function forgottenDoor(): Hono<Wire> {
  const app = new Hono<Wire>();
  app.all("/forgotten", ({ env }) => send(env.outgoing, { status: 200, headers: {}, body: "reached" }));
  return app;
}

beforeAll(async () => {
  server = await startTestServer({ doors: [forgottenDoor], bounds: { failuresPerMinute: 1000, perMinute: 10_000 } });
});
afterAll(() => server.stop());

const bodies: Readonly<Record<string, object>> = {
  "POST /api/complete": { configuration: "mine", prompt: "x" },
  "POST /api/chat": { configuration: "mine", messages: [{ role: "user", content: "x" }] },
  "POST /api/translate": { configuration: "mine", text: "x", to: "German" },
  "POST /api/embed": { configuration: "mine", texts: ["x"] },
  "POST /api/route": { query: "x" },
};

describe("T39: what the rows do not say", () => {
  test.each(Object.keys(bodies))("T39: a key that is limited elsewhere asks %s in vain", async (route) => {
    const { limitedKey, asked: before } = server.serving;
    const count = before.length;
    const [, path = ""] = route.split(" ");
    const json = { ...bodies[route], configuration: "theirs" };
    expect((await call(server, path, { json, key: limitedKey })).status).toBe(403);
    expect(server.serving.asked.length).toBe(count);
  });

  test("T39: a route without a row is not there, and mounting one fails", async () => {
    const { status, json } = await call(server, "/forgotten", { key: server.serving.keys.admin });
    expect([status, json().code]).toEqual([404, "record.missing"]);
    const app = new Hono<Wire>();
    app.get("/api/secrets", ({ text }) => text("all of them"));
    await expect(startTestServer({ doors: [() => app] })).rejects.toThrow("serve/routes.ts: GET /api/secrets");
  });

  test("SV-2: what is not there is a problem, or in the protocol's own shape", async () => {
    const unknown = async (path: string) => call(server, path, { key: server.serving.keys.reader });
    const problem = await unknown("/api/nothing?secret=1");
    expect([problem.status, problem.headers["content-type"]]).toEqual([404, "application/problem+json"]);
    expect(problem.json()).toMatchObject({ title: "Not Found", detail: "there is no GET /api/nothing" });
    expect((await unknown("/v1/nothing")).json()).toMatchObject({ error: { code: "record.missing" } });
    expect((await unknown("/c/mine/v1/messages/x")).json()).toMatchObject({ error: { type: "not_found_error" } });
    expect((await call(server, "/healthz", { method: "DELETE" })).status).toBe(404);
  });

  test("T39: HEAD is held to what GET is", async () => {
    expect((await call(server, "/metrics", { method: "HEAD" })).status).toBe(401);
    expect(await call(server, "/healthz", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  });
});
