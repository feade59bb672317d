import Anthropic from "@anthropic-ai/sdk";
import { Hono } from "hono";
import { connect } from "node:net";
import OpenAI from "openai";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { AppError, type ErrorCode } from "../../src/core/error.ts";
import type { Outgoing } from "../../src/core/transport.ts";
import type { Wire } from "../../src/server/door.ts";
import { answeredWith, call, startTestServer, until } from "../support/http-serving.ts";

const complete = { json: { configuration: "mine", prompt: "hello" } };

describe("SV-1: a server that stops", () => {
  test("SV-1: lets what runs end, takes nothing new, and is gone then", async () => {
    const server = await startTestServer();
    const { serving } = server;
    let go: () => void = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    serving.answer = async () => (await gate, answeredWith("late"));
    const running = call(server, "/api/complete", { ...complete, key: serving.keys.reader });
    await until(() => serving.asked.length === 1);
    const [stopped, again] = [server.stop(), server.stop()];
    expect(again).toBe(stopped);
    // Reset: a process that another thread starts just now has held the port until it runs.
    await expect(call(server, "/healthz")).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:ECONNREFUSED|ECONNRESET)$/),
    });
    expect(serving.asked).toHaveLength(1);
    go();
    expect((await running).json()).toMatchObject({ text: "late" });
    await stopped;
  });

  test("SV-1: a connection on which nothing was asked does not hold it up", async () => {
    const server = await startTestServer({ bounds: { graceMs: 3_600_000 } });
    const socket = connect(server.port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await new Promise((resolve) => socket.once("connect", resolve));
    // The server has taken it once it answers somebody who came later.
    await call(server, "/healthz");
    await expect(Promise.all([server.stop(), closed])).resolves.toHaveLength(2);
  });

  test("SV-1: what comes on a connection that is still busy is told to ask again elsewhere", async () => {
    const server = await startTestServer();
    const { serving } = server;
    let go: () => void = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    serving.answer = async () => (await gate, answeredWith("late"));
    const body = JSON.stringify(complete.json);
    const head = `POST /api/complete HTTP/1.1\r\nHost: localhost:${server.port}\r\nx-api-key: ${serving.keys.reader}\r\n`;
    const request = `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const chunks: string[] = [];
    const socket = connect(server.port, "127.0.0.1", () => socket.write(request));
    socket.on("data", (chunk) => chunks.push(chunk.toString()));
    const ended = new Promise((resolve) => socket.once("close", resolve));
    await until(() => serving.asked.length === 1);
    const stopped = server.stop();
    socket.write(request);
    await until(() => server.door.metrics.render().includes("skillward_http_running 2"));
    go();
    await Promise.all([ended, stopped]);
    const statuses = [...chunks.join("").matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect([statuses, serving.asked.length]).toEqual([["200", "503"], 1]);
    expect(chunks.join("")).toContain('"code":"stopping"');
  });

  test("SV-1: cuts off what does not end in time, and its model is told", async () => {
    const server = await startTestServer({ bounds: { graceMs: 50 } });
    const { serving } = server;
    let isTold = false;
    serving.answer = ({ asked: { signal } }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          isTold = true;
          reject(new Error("ended"));
        });
      });
    const running = call(server, "/api/complete", { ...complete, key: serving.keys.reader });
    const outcome = running.catch((error: NodeJS.ErrnoException) => error.code);
    await until(() => serving.asked.length === 1);
    await server.stop();
    expect([await outcome, isTold]).toEqual(["ECONNRESET", true]);
  });

  test("SV-1: a connection that is kept open does not hold it up", async () => {
    const server = await startTestServer({ bounds: { graceMs: 600_000, idleMs: 600_000 } });
    const answer = await fetch(`${server.url}/healthz`);
    expect(await answer.json()).toEqual({ status: "ok" });
    await server.stop();
  });
});

describe("SV-1: where it listens", () => {
  test("SV-1: a port that is in use is said, with what to do", async () => {
    const server = await startTestServer();
    const second = startTestServer({ port: server.port });
    await expect(second).rejects.toMatchObject({
      code: "usage.invalid",
      message: `cannot listen on port ${server.port} of 127.0.0.1: it is in use; choose another port (\`npm start -- --port 9000\`, \`skillward serve --port 9000\`), or stop what listens there`,
    });
    await server.stop();
  });

  test("SV-1: so is an address that is not of this machine", async () => {
    await expect(startTestServer({ host: "192.0.2.1" })).rejects.toThrow("this machine has no such address");
  });

  test("T36: on all addresses it still answers to its own names only", async () => {
    const server = await startTestServer({ host: "0.0.0.0" });
    expect(server.url).toBe(`http://localhost:${server.port}`);
    expect((await call(server, "/healthz", { headers: { host: `0.0.0.0:${server.port}` } })).status).toBe(421);
    expect((await call(server, "/healthz", { headers: { host: `localhost:${server.port}` } })).status).toBe(200);
    await server.stop();
  });
});

describe("SV-8: tracing", () => {
  test("SV-8: a known client's request is a span of its trace; nobody's is none", async () => {
    const sent: Outgoing[] = [];
    const transport = {
      async send(request: Outgoing) {
        sent.push(request);
        return { status: 200, headers: {}, body: Readable.from([]) };
      },
    };
    const server = await startTestServer({ telemetry: { endpoint: "http://collector.example", transport } });
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const key = server.serving.keys.reader;
    await call(server, "/healthz", { headers: { traceparent } });
    await call(server, "/metrics", { headers: { traceparent } });
    await call(server, "/api/complete", { ...complete, key, headers: { traceparent } });
    await server.stop();
    const [batch, ...more] = sent.map(({ body }) => JSON.parse(Buffer.from(body ?? []).toString()));
    expect(more).toEqual([]);
    expect(batch.resourceSpans[0].scopeSpans[0].spans).toEqual([
      expect.objectContaining({ name: "POST /api/complete", traceId: "a".repeat(32), parentSpanId: "b".repeat(16) }),
    ]);
    expect(JSON.stringify(batch)).not.toContain("hello");
  });
});

describe("CO-17: the official clients", () => {
  const failing = (code: ErrorCode) => () => {
    const app = new Hono<Wire>();
    const fail = () => {
      throw new AppError(code, "because");
    };
    app.post("/v1/chat/completions", fail);
    app.post("/v1/messages", fail);
    return app;
  };
  const message = { model: "m", messages: [{ role: "user" as const, content: "hi" }] };

  async function thrownBy(code: ErrorCode, apiKey?: string) {
    const server = await startTestServer({ doors: [failing(code)] });
    const options = { apiKey: apiKey ?? server.serving.keys.reader, maxRetries: 1 };
    const openai = new OpenAI({ ...options, baseURL: `${server.url}/v1` });
    const anthropic = new Anthropic({ ...options, baseURL: server.url });
    const errors = await Promise.all([
      openai.chat.completions.create(message).catch((error: unknown) => error),
      anthropic.messages.create({ ...message, max_tokens: 1 }).catch((error: unknown) => error),
    ]);
    await server.stop();
    return { errors, tries: server.requests().length };
  }

  test.each([
    ["auth.failed", OpenAI.AuthenticationError, Anthropic.AuthenticationError, "authentication_error"],
    ["auth.forbidden", OpenAI.PermissionDeniedError, Anthropic.PermissionDeniedError, "permission_error"],
    ["record.missing", OpenAI.NotFoundError, Anthropic.NotFoundError, "not_found_error"],
    ["usage.invalid", OpenAI.BadRequestError, Anthropic.BadRequestError, "invalid_request_error"],
    ["budget.exceeded", OpenAI.UnprocessableEntityError, Anthropic.UnprocessableEntityError, "invalid_request_error"],
  ] as const)("CO-17: %s is the class they have for it", async (code, ofOpenai, ofAnthropic, type) => {
    const { errors, tries } = await thrownBy(code);
    expect(errors[0]).toBeInstanceOf(ofOpenai);
    expect(errors[0]).toMatchObject({ code, message: expect.stringContaining("because") });
    expect(errors[1]).toBeInstanceOf(ofAnthropic);
    expect(errors[1]).toMatchObject({ type, requestID: expect.stringMatching(/^req_/) });
    expect(tries).toBe(2);
  });

  test("CO-17: a wrong key is an authentication error", async () => {
    const { errors } = await thrownBy("usage.invalid", "skw_wrong");
    expect(errors[0]).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(errors[1]).toBeInstanceOf(Anthropic.AuthenticationError);
  });

  test("CO-16: they do not ask again for what asking again cannot change", async () => {
    expect((await thrownBy("upstream.refused")).tries).toBe(2);
  });
});

describe("CO-16: a door that fails in the middle of an answer", () => {
  test("CO-16: the connection is cut, nothing is added to what was sent, and nothing is printed", async () => {
    const broken = () => {
      const app = new Hono<Wire>();
      app.post("/v1/responses", ({ env }) => {
        env.outgoing.writeHead(200, { "content-type": "text/event-stream" });
        env.outgoing.write("data: first\n\n");
        throw new Error("broken");
      });
      return app;
    };
    const server = await startTestServer({ doors: [broken] });
    const asked = call(server, "/v1/responses", { json: {}, key: server.serving.keys.reader });
    await expect(asked).rejects.toMatchObject({ code: "ECONNRESET" });
    await server.stop();
    expect(server.log()).toContain('"msg":"failure"');
  });
});
