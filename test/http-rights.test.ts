import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mayAct, roles } from "../src/registry/accounts/roles.ts";
import type { Wire } from "../src/serve/door.ts";
import { routes } from "../src/serve/routes.ts";
import { send } from "../src/serve/send.ts";
import { call, type Started, startTestServer } from "./http-serving.ts";

const ours = [...routes].filter(([route]) => / \/(api|healthz|readyz|metrics)/.test(route));
const mounted = [...routes].filter(([route]) => !ours.some(([known]) => known === route));

let server: Started;
let reached: string[] = [];

/** Stands for the doors that are mounted beside: every other route of the table. */
function otherDoor(): Hono<Wire> {
  const app = new Hono<Wire>();
  for (const [route] of mounted) {
    const [method = "", path = ""] = route.split(" ");
    app.on(method, path, ({ env }) => {
      reached.push(route);
      return send(env.outgoing, { status: 200, headers: {}, body: "reached" });
    });
  }
  // Nobody has given this one a row, and `all` is not seen as a route.
  app.all("/forgotten", ({ env }) => send(env.outgoing, { status: 200, headers: {}, body: "reached" }));
  return app;
}

beforeAll(async () => {
  server = await startTestServer({ doors: [otherDoor], bounds: { failuresPerMinute: 1000, perMinute: 10_000 } });
});
afterAll(() => server.stop());

const bodies: Readonly<Record<string, object>> = {
  "POST /api/complete": { configuration: "mine", prompt: "x" },
  "POST /api/chat": { configuration: "mine", messages: [{ role: "user", content: "x" }] },
  "POST /api/translate": { configuration: "mine", text: "x", to: "German" },
  "POST /api/embed": { configuration: "mine", texts: ["x"] },
  "POST /api/tasks/:id/run": { input: "x" },
  "POST /api/route": { query: "x" },
};

async function asked(route: string, key: string | undefined) {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern.replace("/injections/:id", `/injections/inj_${"0".repeat(24)}`).replace(/:\w+/, "mine");
  const body = method === "POST" ? { json: bodies[route] ?? {} } : {};
  return call(server, path, { method, ...body, ...(key === undefined ? {} : { key }) });
}

describe("T39: every route, every role and nobody", () => {
  test("T39: the rows of the JSON API are the routes it has", () => {
    expect(ours.map(([route]) => route).toSorted()).toEqual(
      ["/api/chat", "/api/complete", "/api/embed", "/api/route", "/api/tasks/:id/run", "/api/translate"]
        .map((path) => `POST ${path}`)
        .concat(
          ["/api/injections/:id", "/api/openapi.json", "/healthz", "/metrics", "/readyz"].map((path) => `GET ${path}`),
        )
        .toSorted(),
    );
  });

  test.each([...routes])("T39: nobody asks %s (%s)", async (route, access) => {
    const { asked: before } = server.serving;
    const count = before.length;
    reached = [];
    const { status, text } = await asked(route, undefined);
    expect(status).toBe(access === "anybody" ? 200 : 401);
    if (access === "anybody") return;
    expect(text).toContain("a valid API key is needed");
    expect([reached, server.serving.asked.length]).toEqual([[], count]);
  });

  const cases = [...routes].flatMap(([route, access]) => roles.map((role) => ({ route, access, role })));
  test.each(cases)("T39: $role asks $route", async ({ route, access, role }) => {
    const person = { name: role, role, configurations: null };
    const may = access === "anybody" || access === "key" || mayAct(person, access, { reviewers: false });
    expect((await asked(route, server.serving.keys[role])).status).toBe(may ? 200 : 403);
  });

  const configured = Object.keys(bodies).filter((route) => "configuration" in (bodies[route] ?? {}));
  test.each(configured)("T39: a key that is limited elsewhere asks %s in vain", async (route) => {
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
