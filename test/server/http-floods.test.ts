import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createKeyText } from "../../src/registry/accounts/api-keys.ts";
import { seededRandomness } from "../../src/testing/seeded-randomness.ts";
import { answeredWith, call, callRaw, type Started, startTestServer, until } from "../support/http-serving.ts";

let server: Started;
afterEach(() => server.stop());

const complete = { json: { configuration: "mine", prompt: "hello" } };

describe("T38: guessing keys", () => {
  test("T38: 1,000 wrong keys: all answered alike, then slowed; health and right keys from the same address go on", async () => {
    server = await startTestServer({ bounds: { failuresPerMinute: 30 } });
    const random = seededRandomness("wrong");
    const wrong = Array.from({ length: 1000 }, () => createKeyText(random).text);
    const statuses = new Map<number, number>();
    for (let at = 0; at < wrong.length; at += 50) {
      const tries = wrong.slice(at, at + 50).map((key) => call(server, "/api/complete", { ...complete, key }));
      const [health, right] = [call(server, "/healthz"), call(server, "/metrics", { key: server.serving.keys.reader })];
      for (const { status } of await Promise.all(tries)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect([(await health).status, (await right).status]).toEqual([200, 200]);
    }
    expect(statuses).toEqual(
      new Map([
        [401, 30],
        [429, 970],
      ]),
    );
    expect(server.serving.asked).toEqual([]);
    const { status, headers } = await call(server, "/metrics", { key: "wrong" });
    expect([status, headers["retry-after"]]).toEqual([429, "2"]);
    server.clock.advance(2000);
    expect((await call(server, "/metrics", { key: "wrong" })).status).toBe(401);
    expect(server.door.requestLimits.size).toEqual({ principals: 1, addresses: 1 });
  });
});

describe("T41: floods", () => {
  test("T41: so many requests a minute for each principal", async () => {
    server = await startTestServer({ bounds: { perMinute: 3 } });
    const { operator, reader } = server.serving.keys;
    const asked = () => call(server, "/api/complete", { ...complete, key: operator });
    const answers = [await asked(), await asked(), await asked(), await asked()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers["x-ratelimit-remaining-requests"])).toEqual(["2", "1", "0", undefined]);
    expect(answers[3]?.headers["retry-after"]).toBe("20");
    expect(server.serving.asked.length).toBe(3);
    expect((await call(server, "/api/complete", { ...complete, key: reader })).status).toBe(200);
    server.clock.advance(20_000);
    expect((await asked()).status).toBe(200);
  });

  test("T41: so many at the same time, and a place is free again when an answer ends or its client leaves", async () => {
    server = await startTestServer({ bounds: { concurrent: 2 } });
    const { serving } = server;
    const key = serving.keys.operator;
    let go: () => void = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    serving.answer = async () => (await gate, answeredWith("late"));
    const leaving = new AbortController();
    const first = call(server, "/api/complete", { ...complete, key });
    const second = call(server, "/api/complete", { ...complete, key, signal: leaving.signal }).catch(() => "left");
    await until(() => serving.asked.length === 2);
    expect((await call(server, "/api/complete", { ...complete, key })).status).toBe(429);
    leaving.abort();
    expect(await second).toBe("left");
    await until(() => server.requests().some(({ status }) => status === 499));
    const third = call(server, "/api/complete", { ...complete, key });
    await until(() => serving.asked.length === 3);
    expect((await call(server, "/api/complete", { ...complete, key })).status).toBe(429);
    go();
    expect((await Promise.all([first, third])).map(({ status }) => status)).toEqual([200, 200]);
    expect((await call(server, "/api/complete", { ...complete, key })).status).toBe(200);
  });

  test("T41: a body that says it is too large, or turns out to be, reaches nobody", async () => {
    server = await startTestServer({ bounds: { bodyBytes: 1000 } });
    const key = server.serving.keys.reader;
    const json = JSON.stringify({ configuration: "mine", prompt: "x".repeat(100_000) });
    const headers = { "content-type": "application/json" };
    const said = await call(server, "/api/complete", { key, body: json, headers });
    const chunked = await call(server, "/api/complete", {
      key,
      body: json,
      headers: { ...headers, "transfer-encoding": "chunked" },
    });
    for (const { status, json: body } of [said, chunked])
      expect([status, body().code]).toEqual([413, "request.too-large"]);
    expect(server.serving.asked).toEqual([]);
    const fits = JSON.stringify({ configuration: "mine", prompt: "" });
    const exact = fits.replace('""', `"${"x".repeat(1000 - fits.length)}"`);
    expect((await call(server, "/api/complete", { key, body: exact, headers })).status).toBe(200);
  });

  test("T41: texts for models may be large, everything else is small", async () => {
    server = await startTestServer();
    const key = server.serving.keys.reader;
    const post = (path: string, body: string) =>
      call(server, path, { key, body, headers: { "content-type": "application/json" } });
    const ofBytes = (start: string, bytes: number) => `${start}${"x".repeat(bytes - start.length - 2)}"}`;
    const start = '{"query":"';
    expect((await post("/api/route", ofBytes(start, 2 ** 20))).status).toBe(200);
    expect((await post("/api/route", ofBytes(start, 2 ** 20 + 1))).status).toBe(413);
    const prompt = '{"configuration":"mine","prompt":"';
    expect((await post("/api/complete", ofBytes(prompt, 2 ** 20 + 1))).status).toBe(200);
    const evaluation = '{"title":"';
    // What is in it is not looked at before it is known to be modest: of this, the title is too long.
    const operator = { key: server.serving.keys.operator, headers: { "content-type": "application/json" } };
    const evaluate = (bytes: number) =>
      call(server, "/api/evaluations", { ...operator, body: ofBytes(evaluation, bytes) });
    expect((await evaluate(8 * 2 ** 20)).json().detail).toContain("title: Too big");
    expect((await evaluate(8 * 2 ** 20 + 1)).status).toBe(413);
    expect(server.serving.asked.length).toBe(2);
  });

  test("T41: what is nested deep or has too many values is refused before it is parsed", async () => {
    server = await startTestServer();
    const sent = new Set<string>();
    const post = async (path: string, body: string) => {
      sent.add(body);
      const headers = { "content-type": "application/json" };
      const { status, json } = await call(server, path, { key: server.serving.keys.reader, body, headers });
      return [status, json().detail];
    };
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const parsed = () => parse.mock.calls.filter(([text]) => sent.has(text)).length;
    const nested = (depth: number) => `{"query":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    expect(await post("/api/route", nested(65))).toEqual([400, expect.stringContaining("nested more than 64 deep")]);
    expect(await post("/api/chat", nested(1e6))).toEqual([400, expect.stringContaining("nested more than 64 deep")]);
    // One value more than its commas and the object.
    const keys = (count: number) => `{${Array.from({ length: count }, (_, each) => `"k${each}":1`).join()}}`;
    expect(await post("/api/route", keys(20_000))).toEqual([400, expect.stringContaining("more than 20000 values")]);
    const list = (count: number) => `{"messages":[${"1,".repeat(count)}1]}`;
    expect(await post("/api/chat", list(200_000))).toEqual([400, expect.stringContaining("more than 200000 values")]);
    expect(parsed()).toBe(0);
    // At the bounds they are read, and then held to what the route takes.
    expect(await post("/api/route", nested(64))).toEqual([400, expect.stringContaining("query: ")]);
    expect(await post("/api/route", keys(19_999))).toEqual([400, expect.stringContaining('does not know "k0"')]);
    expect(parsed()).toBe(2);
    expect(server.serving.asked).toEqual([]);
  });

  test("T41: without a key no body is waited for", async () => {
    server = await startTestServer();
    const head = `POST /api/complete HTTP/1.1\r\nHost: localhost:${server.port}\r\ncontent-length: 1000000\r\n\r\n`;
    expect(await callRaw(server, head)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test("T41: more headers than the bound are refused before anything looks at them", async () => {
    server = await startTestServer({ bounds: { headerBytes: 4096 } });
    const many = Array.from({ length: 500 }, (_, each) => `x-${each}: ${"y".repeat(20)}`).join("\r\n");
    const answer = await callRaw(server, `GET /healthz HTTP/1.1\r\nHost: localhost:${server.port}\r\n${many}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 .*nosniff/s);
    expect(server.requests()).toEqual([]);
    const { text } = await call(server, "/metrics", { key: server.serving.keys.reader });
    expect(text).toContain('skillward_http_malformed_total{status="431"} 1');
  });

  test("T41: what is no request is refused", async () => {
    server = await startTestServer();
    expect(await callRaw(server, "\x16\x03\x01\x02 rubbish\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("T41: headers and bodies that never end are cut off, and nobody was asked", async () => {
    server = await startTestServer({ bounds: { headersMs: 1000, requestMs: 2000, checkMs: 50 } });
    const key = server.serving.keys.reader;
    const start = `POST /api/complete HTTP/1.1\r\nHost: localhost:${server.port}\r\n`;
    const [headers, body] = await Promise.all([
      callRaw(server, start),
      callRaw(
        server,
        `${start}authorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`,
      ),
    ]);
    expect([headers, body].map((answer) => answer.split("\r\n", 1)[0])).toEqual(
      Array(2).fill("HTTP/1.1 408 Request Timeout"),
    );
    expect(server.serving.asked).toEqual([]);
    await until(() => server.requests().length === 1);
  });

  test("T41: more connections than the bound are closed, and the others are answered", async () => {
    server = await startTestServer({ bounds: { connections: 3 } });
    const { port } = server;
    const idle = Array.from({ length: 3 }, () => connect(port, "127.0.0.1"));
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
    await expect(call(server, "/healthz")).rejects.toMatchObject({ code: "ECONNRESET" });
    idle[0]?.destroy();
    await until(() => idle[0]?.closed === true);
    let answered: number | undefined;
    await until(() => {
      void call(server, "/healthz").then(
        ({ status }) => (answered = status),
        () => {},
      );
      return answered === 200;
    });
    for (const socket of idle) socket.destroy();
  });

  test("T41: however often readiness is asked for, the store is looked at once in a second", async () => {
    server = await startTestServer();
    await Promise.all(Array.from({ length: 50 }, () => call(server, "/readyz")));
    expect(server.serving.looks).toBe(1);
    server.serving.ready = false;
    server.clock.advance(1000);
    const answer = await call(server, "/readyz");
    expect([answer.status, answer.json()]).toEqual([
      503,
      { ready: false, checks: [{ name: "store", ok: false, about: "generation 7" }] },
    ]);
  });
});

describe("CO-16: a client that goes away", () => {
  test("CO-16: ends the call of the model", async () => {
    server = await startTestServer();
    const { serving } = server;
    const aborted: boolean[] = [];
    serving.answer = ({ asked: { signal } }) =>
      new Promise((_, reject) =>
        signal?.addEventListener("abort", () => {
          aborted.push(signal.aborted);
          reject(new Error("ended"));
        }),
      );
    const sent = httpRequest({ port: server.port, path: "/api/complete", method: "POST" });
    sent.setHeader("authorization", `Bearer ${serving.keys.reader}`);
    sent.setHeader("content-type", "application/json");
    sent.on("error", () => {});
    sent.end(JSON.stringify(complete.json));
    await until(() => serving.asked.length === 1);
    sent.destroy();
    await until(() => server.requests().length === 1);
    expect(aborted).toEqual([true]);
    expect(server.requests()).toMatchObject([{ status: 499, route: "POST /api/complete", configuration: "mine" }]);
    expect(server.log()).not.toContain("failure");
  });
});
