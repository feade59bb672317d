import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../src/server/routes.ts";
import { call, callRaw, type Started, startTestServer } from "../support/http-serving.ts";

let server: Started;
beforeAll(async () => {
  server = await startTestServer({ names: ["skills.example.org"] });
});
afterAll(() => server.stop());

const complete = { json: { configuration: "mine", prompt: "hello" } };

describe("T36: DNS rebinding", () => {
  test("T36: a right name and a right key are answered", async () => {
    const key = server.serving.keys.reader;
    for (const host of [`localhost:${server.port}`, `127.0.0.1:${server.port}`, "skills.example.org"])
      expect((await call(server, "/api/complete", { ...complete, key, headers: { host } })).status).toBe(200);
  });

  test.each([...routes.keys()])("T36: %s under a foreign name does nothing, whatever the key", async (route) => {
    const [method = "", pattern = ""] = route.split(" ");
    const { serving } = server;
    const before = [serving.asked.length, serving.looks];
    const headers = { host: "evil.example" };
    const answer = await call(server, pattern, { method, key: serving.keys.admin, headers });
    expect(answer.status).toBe(421);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect([serving.asked.length, serving.looks]).toEqual(before);
  });

  test("T36: a bad Host without Origin, a bad Origin, one of another port: nothing was asked of the app", async () => {
    const { keys, asked } = server.serving;
    const before = asked.length;
    const foreign = [
      { host: "evil.example" },
      { host: "localhost:1" },
      { host: `evil.example:${server.port}` },
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:1" },
      { origin: `https://localhost:${server.port}` },
    ];
    for (const headers of foreign) {
      const answer = await call(server, "/api/complete", { ...complete, key: keys.admin, headers });
      expect([headers, answer.status, answer.json().code]).toEqual([headers, 421, "host.refused"]);
    }
    expect(asked.length).toBe(before);
  });

  test("T36: a page of its own may ask", async () => {
    const headers = { origin: `http://localhost:${server.port}` };
    expect((await call(server, "/healthz", { headers })).status).toBe(200);
  });

  test.each([
    ["no Host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["no Host in HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n"],
    ["an empty Host", "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n"],
    ["two Hosts", "GET /healthz HTTP/1.1\r\nHost: localhost:PORT\r\nHost: evil.example\r\n\r\n"],
    ["a target that names another host", "GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"],
  ])("T36: %s", async (_what, text) => {
    const answer = await callRaw(server, text.replaceAll("PORT", String(server.port)));
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(answer).toContain('"code":"host.refused"');
  });

  test("T2: a path that others may read in another way is refused", async () => {
    const host = `Host: localhost:${server.port}\r\nConnection: close`;
    const asked = (path: string) => callRaw(server, `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`);
    expect(await asked("/api\\..\\healthz")).toContain('"code":"usage.invalid"');
    expect(await asked("/healthz\u00e9")).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("SV-8: refusals are in the log and in the metrics, without the name that was given", async () => {
    await call(server, "/healthz", { headers: { host: "evil.example" } });
    expect(server.requests().at(-1)).toMatchObject({ route: "none", status: 421, code: "host.refused" });
    expect(server.log()).not.toContain("evil");
    const { text } = await call(server, "/metrics", { key: server.serving.keys.reader });
    expect(text).toMatch(/^skillward_host_refused_total [1-9]/m);
  });

  test.each([
    "/x/../healthz",
    "/./healthz",
    "/x/%2e%2E/healthz",
    "/healthz/..",
    "/x/.?a=b",
    "/%2e/healthz",
    "/heal\\thz",
  ])("T39: %s means one path to one reader and another to the next, and is refused", async (path) => {
    const asked = `GET ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\n\r\n`;
    expect(await callRaw(server, asked)).toMatch(/^HTTP\/1\.1 400 [^]*usage\.invalid/);
  });

  test("T39: dots within a segment are letters like any other", async () => {
    const asked = `GET /a..b/.c/d. HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\n\r\n`;
    expect(await callRaw(server, asked)).toMatch(/^HTTP\/1\.1 404 /);
  });
});
