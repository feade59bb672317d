import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, test } from "vitest";
import { chunked, ok, serve, transportTo, within } from "../../test/support/loopback.ts";
import { AppError } from "../core/error.ts";
import type { Outgoing, Transport } from "../core/transport.ts";
import { fetchThrough } from "./fetch.ts";

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error);

describe("IN-4: fetch for SDKs goes through the transport", () => {
  test("method, headers and body of any kind arrive; status, headers and body come back", async () => {
    const server = await serve((socket) =>
      socket.write(ok('{"a":1}', "content-type: application/json\r\nset-cookie: a\r\nset-cookie: b\r\n")),
    );
    const send = fetchThrough(transportTo(server));
    const bodies = ['{"q":"ü"}', new TextEncoder().encode('{"q":"ü"}'), new Blob(['{"q":"ü"}'])];
    for (const body of bodies) {
      const response = await send(`${server.origin}/v1`, { method: "POST", headers: { "X-Key": "k" }, body });
      expect([response.status, response.ok, await response.json()]).toEqual([200, true, { a: 1 }]);
      expect(response.headers.getSetCookie()).toEqual(["a", "b"]);
    }
    for (const request of server.requests) {
      expect(request).toMatch(/^POST \/v1 HTTP\/1\.1\r\n/);
      expect(request).toContain("x-key: k\r\n");
      expect(Buffer.from(request.split("\r\n\r\n")[1] ?? "", "latin1").toString()).toBe('{"q":"ü"}');
    }
    expect((await send(new URL(server.origin))).status).toBe(200);
    expect((await send(new Request(server.origin, { headers: { a: "b" } }))).status).toBe(200);
    expect(server.requests.at(-1)).toContain("a: b\r\n");
  });

  test.each([204, 205, 404, 500])("status %i", async (status) => {
    const server = await serve((socket) => socket.write(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`));
    const send = fetchThrough(transportTo(server));
    for (let at = 0; at < 2; at++) {
      const response = await send(server.origin);
      expect([response.status, await response.text()]).toEqual([status, ""]);
    }
    expect(server.connections).toHaveLength(1);
  });

  test("a body is handed on while it comes, and a fault in it is told", async () => {
    const server = await serve((socket) => socket.write(`${chunked}3\r\none\r\n`));
    const reader = (await fetchThrough(transportTo(server))(server.origin)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("one");
    server.connections[0]?.write("3\r\ntwo\r\n");
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("two");
    server.connections[0]?.resetAndDestroy();
    expect(await reader?.read().catch(codeOf)).toBe("upstream.unreachable");
  });

  test("a reader that goes away, or a signal, closes the connection", async () => {
    const server = await serve((socket) => socket.write(`${chunked}3\r\none\r\n`));
    const send = fetchThrough(transportTo(server));
    await (await send(server.origin)).body?.cancel();
    await server.closed();
    const end = new AbortController();
    const response = await send(server.origin, { signal: end.signal });
    end.abort();
    await expect(response.text()).rejects.toMatchObject({ name: "AbortError" });
    await server.closed();
    await expect(send(server.origin, { signal: end.signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(server.requests).toHaveLength(2);
  });

  test("what may not leave does not: another method, another place, a redirect that is not followed", async () => {
    const second = await serve((socket) => socket.write(ok("reached")));
    const server = await serve((socket) =>
      socket.write(`HTTP/1.1 307 X\r\nlocation: ${second.origin}\r\ncontent-length: 0\r\n\r\n`),
    );
    const send = fetchThrough(transportTo(server, { privatePairs: server.pairs }));
    expect(await send(server.origin, { method: "DELETE" }).catch(codeOf)).toBe("egress.refused");
    expect(await send(second.origin, { method: "POST", body: "x" }).catch(codeOf)).toBe("egress.refused");
    expect(server.connections).toEqual([]);
    expect(await send(server.origin, { redirect: "follow" }).catch(codeOf)).toBe("upstream.invalid");
    expect(second.connections).toEqual([]);
  });

  test("the policy sees the URL as it was written, not as it was repaired", async () => {
    const seen: string[] = [];
    const transport: Transport = {
      send: ({ url }: Outgoing) => {
        seen.push(url);
        return Promise.reject(new AppError("egress.refused", "no"));
      },
    };
    expect(await fetchThrough(transport)("https:\\\\a\tb.example").catch(codeOf)).toBe("egress.refused");
    expect(seen).toEqual(["https:\\\\a\tb.example"]);
  });

  test("an SDK for model services speaks through it, plain and streamed", async () => {
    const event = (text: string) => `data: {"id":"1","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`;
    const streamed = `${event("one ")}${event("two")}data: [DONE]\n\n`;
    const plain =
      '{"id":"1","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}]}';
    const server = await serve((socket, request) =>
      request.includes('"stream":true')
        ? socket.write(ok(streamed, "content-type: text/event-stream\r\n"))
        : socket.write(ok(plain, "content-type: application/json\r\n")),
    );
    const fetch = fetchThrough(transportTo(server, within({ headers: 60_000 })));
    const model = createOpenAICompatible({ name: "x", baseURL: `${server.origin}/v1`, apiKey: "k", fetch }).chatModel(
      "m",
    );
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }];
    expect((await model.doGenerate({ prompt })).content).toEqual([{ type: "text", text: "hello" }]);
    let text = "";
    for await (const part of (await model.doStream({ prompt })).stream)
      if (part.type === "text-delta") text += part.delta;
    expect(text).toBe("one two");
    expect(server.requests[0]).toContain("authorization: Bearer k\r\n");
    expect(server.connections).toHaveLength(1);
  });
});
