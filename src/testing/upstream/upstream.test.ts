import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Upstream, UpstreamScript } from "./script.ts";
import { startUpstream } from "./upstream.ts";

const asked = { model: "large", messages: [{ role: "user", content: "Hello" }] };

let upstream: Upstream;

beforeEach(async () => {
  upstream = await startUpstream();
});

afterEach(() => upstream.close());

function chat(fields: object = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${upstream.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer sk-client", "content-type": "application/json" },
    body: JSON.stringify({ ...asked, ...fields }),
    redirect: "manual",
    ...(signal ? { signal } : {}),
  });
}

/** A connection on which a test writes its own bytes. */
async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(upstream.url).port), "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** Everything that comes until the connection ends, however it ends. */
async function readToEnd(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part)).on("error", () => {});
  await once(socket, "close");
  return Buffer.concat(parts).toString("latin1");
}

/** One request whose answer is read as bytes; the service ends the connection. */
async function exchange(script: UpstreamScript, body = JSON.stringify(asked)): Promise<string> {
  upstream.next(script);
  const socket = await open();
  const head = "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer sk-client";
  socket.write(
    `${head}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return readToEnd(socket);
}

/** Another request, there and back: what was going to be sent without waiting is sent by now. */
async function roundTrip(): Promise<void> {
  await (await fetch(`${upstream.url}/v1/models`)).text();
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  promise.then(settle, settle);
  await roundTrip();
  return !isSettled;
}

describe("the record", () => {
  it("CO-15: keeps every byte of a request as it came", async () => {
    const body = Buffer.from([0x7b, 0x00, 0xff, 0xc3, 0x28, 0x0d, 0x0a, 0x7d]);
    const socket = await open();
    socket.write("POST /v1/chat/../x%2F?a=%00&a HTTP/1.1\r\nHOST: x\r\nX-Twice: 1\r\nx-twice:  2 \r\n");
    socket.write(`Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
    await readToEnd(socket);
    const request = await upstream.received(1);
    expect(request).toMatchObject({ method: "POST", path: "/v1/chat/../x%2F?a=%00&a", aborted: false });
    expect(request.headers).toEqual([
      ["HOST", "x"],
      ["X-Twice", "1"],
      ["x-twice", "2"],
      ["Connection", "close"],
      ["Content-Length", "8"],
    ]);
    expect(Buffer.from(request.body).equals(body)).toBe(true);
    expect([request.header("X-TWICE"), request.header("cookie")]).toEqual(["1", undefined]);
  });

  it("CO-15: tells of a request as soon as it is there", async () => {
    const second = upstream.received(2);
    await chat({ user: "first" });
    expect(await isPending(upstream.received(3))).toBe(true);
    expect((await second).path).toBe("/v1/models");
    expect(upstream.requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  it("CO-16: keeps what came of a request that the client did not finish", async () => {
    upstream.next({ text: "for a whole request" });
    const socket = await open();
    socket.write("POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nonly this");
    socket.end();
    await upstream.gone(1);
    expect(upstream.requests[0]).toMatchObject({ text: "only this", aborted: true });
    expect(await textOf(await chat())).toBe("for a whole request");
  });
});

describe("scripts", () => {
  it("CO-16: `next` is for one request, in order, `always` for all others", async () => {
    upstream.always(({ path }) => ({ text: `for ${path}` }));
    upstream.next({ text: "one" });
    upstream.next({ text: "two" });
    const texts = [await textOf(await chat()), await textOf(await chat()), await textOf(await chat())];
    expect(texts).toEqual(["one", "two", "for /v1/chat/completions"]);
  });

  it("CO-16: answers are the same bytes whenever they are asked for", async () => {
    const first = await exchange({ text: "same" });
    await upstream.close();
    upstream = await startUpstream();
    expect(await exchange({ text: "same" })).toBe(first);
    expect(first).not.toMatch(/\ndate:/i);
  });

  it("CO-16: a status, headers and a body go out as they are", async () => {
    upstream.next({ status: 200, headers: { "Content-Type": "text/html", "x-many": ["1", "2"] }, body: "<h1>Hi</h1>" });
    const response = await chat();
    expect([response.status, response.headers.get("content-type"), response.headers.get("x-many")]).toEqual([
      200,
      "text/html",
      "1, 2",
    ]);
    expect(await response.text()).toBe("<h1>Hi</h1>");
  });

  it("CO-16: a redirect leads elsewhere", async () => {
    upstream.next({ redirect: "http://169.254.169.254/latest" });
    upstream.next({ redirect: "/other", status: 301 });
    const [first, second] = [await chat(), await chat()];
    expect([first.status, first.headers.get("location")]).toEqual([307, "http://169.254.169.254/latest"]);
    expect([second.status, second.headers.get("location")]).toEqual([301, "/other"]);
  });

  it("CO-16: headers that may not be handed on", async () => {
    upstream.next({ setCookie: "session=1", organisation: "org-1", hopByHop: true });
    expect(Object.fromEntries((await chat()).headers)).toMatchObject({
      "set-cookie": "session=1",
      "openai-organization": "org-1",
      "anthropic-organization-id": "org-1",
      connection: "keep-alive, x-only-this-hop",
      "x-only-this-hop": "named by connection",
      "keep-alive": "timeout=77",
      "proxy-authenticate": 'Basic realm="upstream"',
    });
  });

  it("CO-16: the received key comes back in text, stream, error and header", async () => {
    const script = { echoSecret: true };
    const answers = [
      await exchange(script),
      await exchange(script, JSON.stringify({ ...asked, stream: true })),
      await exchange({ ...script, status: 500 }),
    ];
    for (const answer of answers) {
      expect(answer).toContain("x-received-key: sk-client\r\n");
      expect(answer.slice(answer.indexOf("\r\n\r\n"))).toContain("sk-client");
    }
  });

  it.each([false, true])("CO-16: a compressed body is what it was; streamed: %s", async (stream) => {
    upstream.always({ gzip: true, text: "It rains in Zürich." });
    const response = await chat({ stream });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect((await response.text()).replaceAll(/"\}.*?"content":"/gs, "")).toContain("It rains in Zürich.");
    expect(await exchange({ gzip: true })).not.toContain("chat.completion");
  });

  it("CO-16: a wrong length is claimed, too long and too short", async () => {
    const long = await exchange({ body: "twelve bytes", contentLength: 100 });
    const short = await exchange({ body: "twelve bytes", contentLength: 3 });
    expect(long).toMatch(/content-length: 100\r\n[^]*\r\n\r\ntwelve bytes$/);
    expect(short).toMatch(/content-length: 3\r\n[^]*\r\n\r\ntwelve bytes$/);
    upstream.next({ body: "twelve bytes", contentLength: 100 });
    await expect(chat().then((response) => response.text())).rejects.toThrow("terminated");
  });
});

async function textOf(response: Response): Promise<unknown> {
  const answer = (await response.json()) as { choices: { message: { content: unknown } }[] };
  return answer.choices[0]?.message.content;
}

describe("gates", () => {
  it("CO-16: a chunk waits for its step, the first one for nothing", async () => {
    upstream.next({ chunks: ["data: one\n\n", "data: two\n\n", "data: three\n\n"] });
    const reader = readerOf(await chat({ stream: true }));
    expect(await reader()).toBe("data: one\n\n");
    const second = reader();
    expect(await isPending(second)).toBe(true);
    await upstream.step();
    expect(await second).toBe("data: two\n\n");
    const third = reader();
    expect(await isPending(third)).toBe(true);
    await upstream.step();
    expect([await third, await reader()]).toEqual(["data: three\n\n", undefined]);
  });

  it("CO-16: a step that comes before its answer waits for it", async () => {
    upstream.next({ chunks: ["data: one\n\n", "data: two\n\n"] });
    const step = upstream.step();
    expect(await (await chat()).text()).toBe("data: one\n\ndata: two\n\n");
    await step;
  });

  it("CO-16: a slow answer waits with its head, and with each piece", async () => {
    upstream.next({ slow: true, body: "abcd" });
    const response = chat();
    await upstream.received(1);
    expect(await isPending(response)).toBe(true);
    await upstream.step();
    const reader = readerOf(await response);
    const first = reader();
    expect(await isPending(first)).toBe(true);
    await upstream.step();
    expect(await first).toBe("ab");
    await upstream.step();
    expect([await reader(), await reader()]).toEqual(["cd", undefined]);
  });

  it("CO-16: a step goes to no client that left", async () => {
    const leaving = new AbortController();
    upstream.next({ chunks: ["data: one\n\n", "data: two\n\n"] });
    upstream.next({ chunks: ["data: 1\n\n", "data: 2\n\n"] });
    await readerOf(await chat({}, leaving.signal))();
    const staying = readerOf(await chat());
    leaving.abort();
    await upstream.gone(1);
    await upstream.step();
    expect([await staying(), await staying()]).toEqual(["data: 1\n\n", "data: 2\n\n"]);
  });
});

/** What came next, or undefined at the end. */
function readerOf(response: Response): () => Promise<string | undefined> {
  const reader = response.body?.getReader();
  return async () => {
    const part = await reader?.read();
    return part?.value ? Buffer.from(part.value).toString() : undefined;
  };
}

describe("faults", () => {
  it("CO-16: the connection is cut after so many chunks, each of which arrived", async () => {
    upstream.next({ chunks: ["data: one\n\n", "data: two\n\n", "data: three\n\n"], resetAfter: 2 });
    const reader = readerOf(await chat());
    expect(await reader()).toBe("data: one\n\n");
    await upstream.step();
    expect(await reader()).toBe("data: two\n\n");
    await expect(reader()).rejects.toThrow("terminated");
    await expect(upstream.gone(1)).rejects.toThrow("cut");
    expect(upstream.requests[0]?.aborted).toBe(false);
  });

  it("CO-16: the connection is cut before anything, within a body, and after the last chunk", async () => {
    expect(await exchange({ resetAfter: 0 })).toBe("");
    expect(await exchange({ body: "abcd", resetAfter: 1 })).toMatch(/content-length: 4\r\n[^]*\r\n\r\nab$/);
    expect(await exchange({ chunks: ["data: one\n\n"], resetAfter: 9 })).toMatch(/data: one\n\n\r\n$/);
  });

  it("CO-16: it hangs before the head until the client goes away, which it notices", async () => {
    const leaving = new AbortController();
    upstream.next({ hang: "before-headers" });
    const response = chat({}, leaving.signal);
    await upstream.received(1);
    expect(await isPending(response)).toBe(true);
    expect(await isPending(upstream.gone(1))).toBe(true);
    leaving.abort();
    await upstream.gone(1);
    expect(upstream.requests[0]?.aborted).toBe(true);
    await expect(response).rejects.toThrow("aborted");
  });

  it.each([false, true])("CO-16: it hangs in the middle of a body; streamed: %s", async (stream) => {
    const leaving = new AbortController();
    upstream.next({ hang: "mid-body" });
    const reader = readerOf(await chat({ stream }, leaving.signal));
    expect(await reader()).toContain("chatcmpl-1");
    const rest = reader();
    expect(await isPending(rest)).toBe(true);
    leaving.abort();
    await upstream.gone(1);
    await expect(rest).rejects.toThrow("aborted");
  });

  it("CO-16: a client that had its answer did not go away", async () => {
    await (await chat()).text();
    await expect(upstream.gone(1)).rejects.toThrow("answered");
    expect(upstream.requests[0]?.aborted).toBe(false);
  });
});

describe("the end", () => {
  it("CO-16: closing ends every connection and rejects what still waits", async () => {
    upstream.next({ chunks: ["data: one\n\n", "data: two\n\n"] });
    upstream.next({ hang: "before-headers" });
    const reader = readerOf(await chat());
    await reader();
    const waiting = Promise.allSettled([reader(), chat(), upstream.received(3), upstream.gone(2)]);
    await upstream.received(2);
    await upstream.close();
    expect((await waiting).map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
    await expect(upstream.step()).rejects.toThrow("closed");
    expect(upstream.requests.map(({ aborted }) => aborted)).toEqual([false, false]);
  });
});
