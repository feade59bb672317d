import { beforeEach, describe, expect, it } from "vitest";
import { addApiKey } from "../../src/features/people/flow.ts";
import { revokeKey } from "../../src/registry/accounts/api-keys.ts";
import { mayAct, type Role, roles } from "../../src/registry/accounts/roles.ts";
import { gatewayRoutes } from "../../src/server/gateway/asked.ts";
import { routes } from "../../src/server/routes.ts";
import { type FixedClock, fixedClock } from "../../src/testing/fixed-clock.ts";
import { type GatewayHome, gatewayHome, upstreamModel } from "../support/gateway-home.ts";
import { portOf } from "../support/gateway-speakers.ts";
import { call, callRaw, type Reply } from "../support/http-serving.ts";
import { ada } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

const messages = [{ role: "user", content: "Hello?" }];

/** A body that is right for each operation; a route without one fails the first test. */
const bodies: Readonly<Record<string, object>> = {
  "/chat/completions": { messages },
  "/responses": { input: "Hello?" },
  "/completions": { prompt: "Hello?" },
  "/messages": { messages, max_tokens: 9 },
  "/messages/count_tokens": { messages },
  "/embeddings": { input: "Hello?" },
  "/moderations": { input: "Hello?" },
  "/audio/speech": { input: "Hello?", voice: "alloy" },
  "/audio/transcriptions": { file: "no file at all" },
  "/audio/translations": { file: "no file at all" },
  "/images/generations": { prompt: "Hello?" },
  "/images/edits": { prompt: "Hello?" },
  "/images/variations": { image: "none" },
};

const isOfGateway = (route: string): boolean => / \/(?:c\/:configuration\/)?v1\//.test(route);
const ours = [...routes.keys()].filter(isOfGateway);
const posted = ours.filter((route) => route.startsWith("POST "));
const asked = ours.filter((route) => route.startsWith("GET "));

let home: GatewayHome;
let clock: FixedClock;
beforeEach(async () => {
  clock = fixedClock();
  home = await gatewayHome({ world: { clock } });
  home.upstream.always({ body: '{"fine":true}' });
});

interface Asking {
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
  /** Instead of the two of the home. */
  readonly configuration?: string;
}

/** One request that is right for the route, but for what is wished. */
function ask(route: string, { key, headers = {}, configuration }: Asking = {}): Promise<Reply> {
  const [method = "", pattern = ""] = route.split(" ");
  const operation = pattern.slice(pattern.indexOf("/v1") + 3);
  const named = configuration ?? (operation.startsWith("/messages") ? "claude" : "house");
  const isNamed = pattern.startsWith("/c/");
  const path = pattern.replace(":configuration", named).replace(":model", isNamed ? upstreamModel : named);
  const model = isNamed ? upstreamModel : named;
  const json = method === "POST" ? { json: { model, ...bodies[operation] } } : {};
  return call(portOf(home), path, { method, ...json, headers, ...(key === undefined ? {} : { key }) });
}

/** The protocol's own shape of a failure: Anthropic's clients say which they are by the path, or by their version. */
function expectShape(route: string, { text }: Reply): void {
  const isAnthropic = route.includes("/messages");
  expect(JSON.parse(text)).toMatchObject(
    isAnthropic ? { type: "error", error: { type: expect.any(String) } } : { error: { code: expect.any(String) } },
  );
}

describe("T39: every route of the gateway, every role and nobody", () => {
  it("T39: both tables have the same routes, and each has a body here", () => {
    const forms = ["/v1", "/c/:configuration/v1"];
    const made = gatewayRoutes.flatMap(({ path }) => forms.map((form) => `POST ${form}${path}`));
    expect(posted.toSorted()).toEqual(made.toSorted());
    const models = forms.flatMap((form) => [`GET ${form}/models`, `GET ${form}/models/:model`]);
    expect(asked.toSorted()).toEqual(models.toSorted());
    expect(Object.keys(bodies)).toEqual(gatewayRoutes.map(({ path }) => path));
    expect(ours.map((route) => routes.get(route))).toEqual(ours.map(() => "key"));
  });

  it("T39: without a key, with a wrong one, a revoked one, or two: nothing is read and nothing leaves", async () => {
    const { text: revoked, record } = await addApiKey(home.app, { name: "revoked", role: "admin" });
    expect((await ask("GET /v1/models", { key: revoked })).status).toBe(200);
    await revokeKey(home.app.accounts, allow(ada), record.id);
    const before = home.logged().length;
    const refusals: Asking[] = [
      {},
      { key: "swk_nobody" },
      { key: revoked },
      { headers: { "x-api-key": "" } },
      { key: home.key, headers: { "x-api-key": revoked } },
      { headers: { authorization: `Basic ${home.key}` } },
    ];
    for (const route of ours)
      for (const refusal of refusals) {
        // Enough of it for one more that is wrong.
        clock.advance(2000);
        const reply = await ask(route, refusal);
        expect([route, refusal, reply.status]).toEqual([route, refusal, 401]);
        expectShape(route, reply);
        expect(reply.headers["x-skillward-generation"]).toBeUndefined();
      }
    expect(home.upstream.requests).toEqual([]);
    expect(home.logged().slice(before)).not.toContain('"principal":"');
  });

  it("T39: any role may ask through any route, and only once for each", async () => {
    const keys = new Map<Role, string>();
    for (const role of roles) keys.set(role, await home.newKey(role));
    for (const route of ours)
      for (const [role, key] of keys) {
        const before = home.upstream.requests.length;
        expect([route, role, (await ask(route, { key })).status]).toEqual([route, role, 200]);
        const arrived = home.upstream.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
        const path = route.replace("/c/:configuration", "");
        expect(arrived).toEqual(route.startsWith("POST ") ? [path] : []);
      }
  });

  it("T39, RV-12: a key that is limited to others gets nothing of a configuration, not even whether it is there", async () => {
    const limited = await home.newKey("operator", ["echo"]);
    for (const route of ours) {
      const [reply, missing] = [
        await ask(route, { key: limited }),
        await ask(route, { key: limited, configuration: "none" }),
      ];
      const isList = route === "GET /v1/models";
      expect([route, reply.status]).toEqual([route, isList ? 200 : 403]);
      expect([route, missing.status]).toEqual([route, reply.status]);
      const hide = (text: string) => text.replaceAll(/none|house|claude|req_[0-9a-f]+/g, "it");
      expect(hide(missing.text)).toBe(hide(reply.text));
      if (isList) expect(reply.json().data.map(({ id }: { id: string }) => id)).toEqual(["echo"]);
    }
    for (const model of ["task:sum-up", "house/any", "house"]) {
      const json = { model, messages };
      expect((await call(portOf(home), "/v1/chat/completions", { json, key: limited })).status).toBe(403);
    }
    expect(home.upstream.requests).toEqual([]);
    expect((await ask("POST /v1/chat/completions", { key: limited, configuration: "echo" })).status).toBe(200);
  });

  it("CO-15: only who may change a configuration may leave its skills out", async () => {
    const headers = { "x-skillward-inject": "off" };
    for (const role of roles) {
      const key = await home.newKey(role);
      const may = mayAct({ name: role, role, configurations: null }, "operate", { reviewers: false });
      for (const route of posted) {
        const isInjecting = gatewayRoutes.some(({ path, shape }) => route.endsWith(`/v1${path}`) && shape !== null);
        const before = home.upstream.requests.length;
        const { status } = await ask(route, { key, headers });
        expect([route, role, status]).toEqual([route, role, may ? 200 : 403]);
        const arrived = home.upstream.requests.slice(before);
        expect(arrived).toHaveLength(may ? 1 : 0);
        for (const { text } of arrived)
          expect([isInjecting, text.includes("Write plainly.")]).toEqual([isInjecting, false]);
      }
    }
  });
});

describe("T36: a foreign name or origin", () => {
  const foreign = (port: number): Record<string, string>[] => [
    { host: "evil.example" },
    { host: `evil.example:${port}` },
    { host: "localhost:1" },
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: `https://localhost:${port}` },
  ];

  it("T36: on every route of the gateway: nothing leaves, whatever the key", async () => {
    for (const route of ours)
      for (const headers of foreign(portOf(home).port)) {
        const reply = await ask(route, { key: home.key, headers });
        expect([route, headers, reply.status]).toEqual([route, headers, 421]);
        expectShape(route, reply);
      }
    expect(home.upstream.requests).toEqual([]);
    const page = { origin: `http://localhost:${portOf(home).port}` };
    expect((await ask("POST /v1/messages", { key: home.key, headers: page })).status).toBe(200);
  });

  it("T36: no name, two names, or an address for a path", async () => {
    const { port } = portOf(home);
    const [own, key] = [`Host: localhost:${port}`, `authorization: Bearer ${home.key}`];
    const json = ["content-type: application/json", "content-length: 2"];
    const requests = [
      ["POST /v1/messages HTTP/1.1", key, ...json],
      ["POST /v1/messages HTTP/1.1", own, "Host: evil.example", key, ...json],
      [`POST http://evil.example/v1/messages HTTP/1.1`, own, key, ...json],
    ];
    for (const lines of requests)
      expect(await callRaw({ port }, `${lines.join("\r\n")}\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 421 /);
    expect(home.upstream.requests).toEqual([]);
  });
});

describe("T2, T39: paths", () => {
  it("T2: what is not a route is none, however it is written; a query cannot lead elsewhere", async () => {
    const json = { model: "house", messages };
    const paths = [
      "/v1/chat/completions/",
      "/v1//chat/completions",
      "/v1/chat%2fcompletions",
      "/V1/chat/completions",
      "/v1/files",
      "/v1/fine_tuning/jobs",
      "/v1/models",
      "/c/house/chat/completions",
      "/c//v1/chat/completions",
    ];
    for (const path of paths) {
      const { status } = await call(portOf(home), path, { json, key: home.key });
      expect([path, status]).toEqual([path, 404]);
    }
    for (const query of ["?x=/../..", "?a#b", "?a=b@c", `?${"x".repeat(600)}`])
      expect((await call(portOf(home), `/v1/chat/completions${query}`, { json, key: home.key })).status).toBe(400);
    expect(home.upstream.requests).toEqual([]);
    expect(
      (await call(portOf(home), "/v1/messages?beta=true", { json: { model: "claude", messages }, key: home.key }))
        .status,
    ).toBe(200);
    expect(home.upstream.requests[0]?.path).toBe("/v1/messages?beta=true");
  });
});
