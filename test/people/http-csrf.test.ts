import { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addKey } from "../../src/registry/accounts/api-keys.ts";
import type { Wire } from "../../src/server/door.ts";
import { send } from "../../src/server/send.ts";
import { tokenOf } from "../../src/server/guard/session-cookie.ts";
import type { Browser } from "./http-browser.ts";
import { startTestServer } from "../support/http-serving.ts";
import { ada } from "../support/registry.ts";
import { browserWith, openSessionRoom, password, putUser, type SessionRoom } from "./session-room.ts";
import { allow } from "../support/permits.ts";

let room: SessionRoom;
let admin: Browser;
beforeAll(async () => {
  room = await openSessionRoom();
});
afterAll(() => room.close());
beforeEach(async () => {
  room.folder.clock.advance(24 * 3_600_000);
  admin = await room.signedIn("ann");
});

type Headers = Record<string, string | string[] | undefined>;
const added = { name: "eve", role: "admin", password };
const body = JSON.stringify(added);

/** Each of these would make an admin, if it got through. */
const forged: readonly [what: string, status: number, headers: () => Headers][] = [
  ["from another site", 403, () => ({ "sec-fetch-site": "cross-site" })],
  ["from a neighbour under the same domain", 403, () => ({ "sec-fetch-site": "same-site" })],
  ["from an address that was typed", 403, () => ({ "sec-fetch-site": "none" })],
  ["from two places at once", 403, () => ({ "sec-fetch-site": ["same-origin", "cross-site"] })],
  ["of another origin", 421, () => ({ origin: "https://evil.example" })],
  ["of a page without an origin", 421, () => ({ origin: "null" })],
  ["without a token", 403, () => ({ "x-skillward-token": undefined })],
  ["with an empty token", 403, () => ({ "x-skillward-token": "" })],
  ["with a made-up token", 403, () => ({ "x-skillward-token": "A".repeat(43) })],
  ["with the token of another session", 403, () => ({ "x-skillward-token": tokenOf("B".repeat(43)) })],
  ["with two tokens", 403, () => ({ "x-skillward-token": [admin.token ?? "", "A".repeat(43)] })],
  ["as plain text", 400, () => ({ "content-type": "text/plain" })],
  ["as plain text that says JSON", 400, () => ({ "content-type": "text/plain; application/json" })],
  ["as a form", 400, () => ({ "content-type": "application/x-www-form-urlencoded" })],
  ["without a type", 400, () => ({ "content-type": undefined })],
];

describe("T37: a write that another page had a browser send", () => {
  test.each(forged)("%s (%i)", async (_what, status, headers) => {
    const before = room.everything();
    const usual = { "content-type": "application/json" };
    const reply = await admin.call("POST", "/api/users", { body, headers: { ...usual, ...headers() } });
    expect(reply.status).toBe(status);
    expect(room.everything()).toEqual(before);
  });

  test("and one of our own gets through, also from a browser that does not say where it comes from", async () => {
    for (const [name, site] of [
      ["from-page", "same-origin"],
      ["from-old-browser", undefined],
    ] as const) {
      const headers = { "sec-fetch-site": site };
      const reply = await admin.call("POST", "/api/users", { json: { ...added, name, password: null }, headers });
      expect([name, reply.status]).toEqual([name, 200]);
    }
  });

  test.each([
    ["DELETE", "/api/users/bob"],
    ["PATCH", "/api/users/bob"],
    ["PUT", "/api/session/password"],
    ["DELETE", "/api/session"],
    ["POST", "/api/keys"],
  ])("%s %s is a write like any other", async (method, path) => {
    const before = room.everything();
    const sent = method === "DELETE" ? {} : { json: { state: "disabled" } };
    for (const headers of [{ "x-skillward-token": undefined }, { "sec-fetch-site": "cross-site" }])
      expect((await admin.call(method, path, { ...sent, headers })).status).toBe(403);
    expect(room.everything()).toEqual(before);
  });

  test("a page of another site signs nobody in, and makes no first admin", async () => {
    const before = room.everything();
    const stranger = room.browser();
    const headers = { "sec-fetch-site": "cross-site" };
    for (const [path, json] of [
      ["/api/session", { name: "bob", password }],
      ["/api/first", { token: "x", name: "eve", password }],
    ] as const) {
      const { status, headers: given } = await stranger.call("POST", path, { json, headers });
      expect([path, status, given["set-cookie"]]).toEqual([path, 403, undefined]);
    }
    const plain = { "content-type": "text/plain" };
    const text = JSON.stringify({ name: "bob", password });
    expect((await stranger.call("POST", "/api/session", { body: text, headers: plain })).status).toBe(400);
    expect(room.everything()).toEqual(before);
  });

  test("what another site asks to read is not answered either", async () => {
    const asked = async (site: string) =>
      (await admin.call("GET", "/api/users", { headers: { "sec-fetch-site": site } })).status;
    expect(await Promise.all(["cross-site", "same-site", "same-origin", "none"].map(asked))).toEqual([
      403, 403, 200, 200,
    ]);
  });

  test("no answer ever lets another origin read it", async () => {
    const headers = { origin: `http://localhost:${room.port}` };
    const asked = { "access-control-request-method": "POST", "access-control-request-headers": "x-skillward-token" };
    const replies = [
      await admin.call("GET", "/api/session", { headers }),
      await admin.call("OPTIONS", "/api/users", { headers: { ...headers, ...asked } }),
      await admin.call("POST", "/api/users", { body: "{}", headers: { origin: "https://evil.example" } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 421]);
    const names = replies.flatMap((reply) => Object.keys(reply.headers));
    expect(names.filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });
});

describe("T37: a key and a cookie in one request", () => {
  test("the key says who asks, and the cookie nothing", async () => {
    const { text: key } = await addKey(room.app.accounts, allow(ada), {
      name: `k${room.folder.clock.now()}`,
      role: "reader",
    });
    const before = room.everything();
    const shown = (headers: Headers) => admin.call("GET", "/api/users", { headers });
    expect((await shown({})).status).toBe(200);
    expect((await shown({ "x-api-key": key })).json()).toMatchObject({ code: "auth.forbidden" });
    expect((await shown({ authorization: `Bearer ${key}` })).json()).toMatchObject({ code: "auth.forbidden" });
    for (const wrong of ["wrong", ""]) {
      expect((await shown({ "x-api-key": wrong })).status).toBe(401);
      expect((await shown({ authorization: `Bearer ${wrong}` })).status).toBe(401);
    }
    const { person } = (await admin.call("GET", "/api/session", { key })).json();
    expect(person).toBeNull();
    for (const [method, path] of [
      ["DELETE", "/api/session"],
      ["PUT", "/api/session/password"],
    ] as const) {
      const json = { current: password, next: "another one entirely" };
      expect((await admin.call(method, path, { key, ...(method === "PUT" ? { json } : {}) })).status).toBe(403);
    }
    expect(room.everything()).toEqual(before);
    expect(await admin.copy().whoami()).toBe("ann");
  });

  test("what a proxy asks for itself is no key", async () => {
    const headers = { authorization: "Basic cHJveHk6cHJveHk=" };
    expect((await admin.call("GET", "/api/users", { headers })).status).toBe(200);
  });
});

describe("T36, T37: a cookie at the other doors", () => {
  test("the gateway, MCP and metrics want a key", async () => {
    const reached: string[] = [];
    const others = ["POST /v1/chat/completions", "GET /v1/models", "POST /mcp", "GET /mcp"];
    const door = () => {
      const app = new Hono<Wire>();
      for (const route of others) {
        const [method = "", path = ""] = route.split(" ");
        app.on(method, path, ({ env }) => {
          reached.push(route);
          return send(env.outgoing, { status: 200, headers: {}, body: "" });
        });
      }
      return app;
    };
    const server = await startTestServer({ doors: [door], bounds: { failuresPerMinute: 1000 } });
    await putUser(server.serving.accounts, "ann", "admin");
    const browser = browserWith(server, await server.serving.sessions.open("ann", "password"));
    expect(await browser.whoami()).toBe("ann");
    for (const route of [...others, "GET /metrics"]) {
      const [method = "", path = ""] = route.split(" ");
      const post = method === "POST" ? { json: {} } : {};
      expect([route, (await browser.call(method, path, post)).status]).toEqual([route, 401]);
    }
    expect(reached).toEqual([]);
    await server.stop();
  });
});
