import { channel } from "node:diagnostics_channel";
import { request as httpRequest } from "node:http";
import { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createKeyText } from "../../src/registry/accounts/api-keys.ts";
import { type FixedClock, fixedClock } from "../../src/testing/fixed-clock.ts";
import { seededRandomness } from "../../src/testing/seeded-randomness.ts";
import { failureOf } from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome, upstreamModel } from "../support/gateway-home.ts";
import { portOf, type Speaker, speakers, uncaught } from "../support/gateway-speakers.ts";
import { call, callRaw, type Reply, until } from "../support/http-serving.ts";

const hello = "Hello from the upstream.";

let home: GatewayHome;
let clock: FixedClock;
let nobodyCaught: readonly unknown[];

beforeEach(() => {
  nobodyCaught = uncaught();
});

async function start(gateway = ""): Promise<void> {
  clock = fixedClock();
  home = await gatewayHome({ world: { clock }, config: gateway === "" ? "" : `gateway:\n${gateway}` });
}

/** The connections that servers of this process take from now on. */
function takenSockets(): Socket[] {
  const sockets: Socket[] = [];
  const note = (message: unknown): void => {
    const socket = typeof message === "object" && message !== null && "socket" in message ? message.socket : null;
    if (socket instanceof Socket) sockets.push(socket);
  };
  channel("net.server.socket").subscribe(note);
  onTestFinished(() => {
    channel("net.server.socket").unsubscribe(note);
  });
  return sockets;
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}

/** What was sent on loopback is there after a few turns of the loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => void setImmediate(resolve));
}

describe("CO-16: 500 streams at the same time", () => {
  const pieces = 3;
  const line = (who: number, piece: number): string => `data: {"who":${who},"piece":${piece}}\n\n`;

  /** Each asks for itself, and is answered by itself, piece by piece, all of them in turn. */
  async function flood(count: number): Promise<void> {
    home.upstream.always(({ text }) => {
      const who = Number(/"user":"(\d+)"/.exec(text)?.[1]);
      return { chunks: Array.from({ length: pieces }, (_, piece) => line(who, piece)) };
    });
    const streams = Array.from({ length: count }, async (_, who) => {
      const speaker = speakers[who % 2];
      const path = `${home.url}/c/${speaker?.configuration}${speaker?.path}`;
      const body = JSON.stringify({ model: upstreamModel, user: String(who), messages: [], max_tokens: 9 });
      const headers = { authorization: `Bearer ${home.key}`, "content-type": "application/json" };
      const response = await fetch(path, { method: "POST", headers, body });
      return { response, text: response.text() };
    });
    // All of them are open before any of them goes on.
    const open = await Promise.all(streams);
    const stepping = (async () => {
      for (let step = 0; step < count * (pieces - 1); step++) await home.upstream.step();
    })();
    const texts = await Promise.all(open.map(({ text }) => text));
    await stepping;
    expect(open.every(({ response }) => response.status === 200)).toBe(true);
    const own = (_: unknown, who: number) => Array.from({ length: pieces }, (__, piece) => line(who, piece)).join("");
    expect(texts).toEqual(Array.from({ length: count }, own));
  }

  it("CO-16: each client gets its own, and memory and connections come back", async () => {
    await start();
    const sockets = takenSockets();
    const { port } = portOf(home.upstream);
    const atUpstream = () => sockets.filter(({ localPort, destroyed }) => localPort === port && !destroyed).length;
    await flood(50);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    await flood(500);
    expect(home.upstream.requests).toHaveLength(550);
    // Some are kept for the next requests.
    await until(() => atUpstream() <= 256);
    const { text } = await call(portOf(home), "/metrics", { key: home.key });
    expect(text).toMatch(/^skillward_http_running 1$/m);
    const ofGateway = sockets.filter(({ localPort }) => localPort === portOf(home).port);
    await home.stop();
    await until(() => atUpstream() === 0);
    const refs = ofGateway.map((socket) => new WeakRef(socket));
    for (const held of [sockets, ofGateway]) held.length = 0;
    await turns(5);
    collectGarbage();
    // Nothing holds on to what is over; the last ones may still be in somebody's hands.
    expect(refs.length).toBeGreaterThanOrEqual(500);
    expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(100);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(32 * 2 ** 20);
    expect(nobodyCaught).toEqual([]);
  });

  it("CO-16: whoever does not read slows the upstream down, and nobody else", async () => {
    await start();
    const page = `data: ${"x".repeat(2 ** 20)}\n\n`;
    home.upstream.next({ body: page.repeat(48), headers: { "content-type": "text/event-stream" } });
    const [speaker] = speakers;
    const sockets = takenSockets();
    const response = await speaker?.open(home, true);
    for (let each = 0; each < 20; each++) expect(await speaker?.ask(home)).toBe(hello);
    const ofUpstream = sockets.filter(({ localPort }) => home.upstream.url.endsWith(`:${localPort}`));
    // What is under way is in the buffers of the system, not all of it in this process.
    expect(Math.max(...ofUpstream.map(({ writableLength }) => writableLength))).toBeGreaterThan(8 * 2 ** 20);
    expect((await response?.text())?.length).toBe(page.length * 48);
  });
});

describe("CO-16: a client that leaves", () => {
  /** What the log says of the requests so far. */
  const logged = (): Record<string, unknown>[] =>
    home
      .logged()
      .split("\n")
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line));

  it("CO-16: while it sends its body: nothing has left, and nothing is left", async () => {
    await start();
    const sockets = takenSockets();
    for (const speaker of speakers) {
      const before = logged().length;
      const sent = httpRequest(`${home.url}${speaker.path}`, { method: "POST" });
      sent.on("error", () => {});
      sent.setHeader("authorization", `Bearer ${home.key}`);
      sent.setHeader("content-type", "application/json");
      sent.setHeader("content-length", 1000);
      sent.write(`{"model":"${speaker.configuration}","messages":[`);
      await until(() => sockets.some(({ destroyed, bytesRead }) => !destroyed && bytesRead > 0));
      sent.destroy();
      await until(() => logged().length === before + 1);
      expect(logged().at(-1)).toMatchObject({ status: 499, route: `POST ${speaker.path}` });
    }
    expect(home.upstream.requests).toEqual([]);
    await expectNothingLeft();
  });

  it("CO-16: while it waits for the answer, and in a stream: the upstream is let go", async () => {
    await start();
    let count = 0;
    for (const speaker of speakers) {
      const waiting = new AbortController();
      home.upstream.next({ hang: "before-headers" });
      const asking = failureOf(speaker.open(home, false, waiting.signal));
      await home.upstream.received(++count);
      waiting.abort();
      expect(speaker.seen(await asking)).toMatchObject({ kind: "APIUserAbortError" });
      await home.upstream.gone(count);

      const reading = new AbortController();
      home.upstream.next({ chunks: ['data: {"choices":[],"type":"ping"}\n\n', "data: never\n\n"] });
      const response = await speaker.open(home, true, reading.signal);
      expect((await response.body?.getReader().read())?.value).toBeDefined();
      reading.abort();
      await home.upstream.gone(++count);
    }
    await until(() => logged().length === count);
    expect(logged().map(({ status }) => status)).toEqual([499, 200, 499, 200]);
    await expectNothingLeft();
    const { text } = await call(portOf(home), "/metrics", { key: home.key });
    for (const operation of ["chat", "messages"])
      expect(text).toContain(`skillward_gateway_requests_total{operation="${operation}",outcome="left"} 2`);
  });

  it("CO-16: a hundred of them at once, wherever they were", async () => {
    await start();
    home.upstream.always({ chunks: ["data: {}\n\n", "data: never\n\n"] });
    const leaving = Array.from({ length: 100 }, () => new AbortController());
    const asking = leaving.map(({ signal }, at) => {
      const { path = "", configuration: model } = speakers[at % 2] ?? {};
      return call(portOf(home), path, { json: { model, messages: [] }, key: home.key, signal }).catch(() => "left");
    });
    await home.upstream.received(20);
    for (const client of leaving) client.abort();
    expect(await Promise.all(asking)).toEqual(leaving.map(() => "left"));
    await until(() => logged().length === 100);
    expect(logged().every(({ status }) => status === 499 || status === 200)).toBe(true);
    await Promise.all(home.upstream.requests.map((_, at) => home.upstream.gone(at + 1)));
    await expectNothingLeft();
  });

  async function expectNothingLeft(): Promise<void> {
    home.upstream.always({});
    for (const speaker of speakers) expect(await speaker.ask(home)).toBe(hello);
    expect(home.logged()).not.toContain('"msg":"failure"');
    expect(nobodyCaught).toEqual([]);
  }
});

describe("T41: floods", () => {
  it("T41: so many requests a minute for each key, and when to ask again", async () => {
    await start("  requests-per-minute: 3\n");
    for (const speaker of speakers) {
      clock.advance(60_000);
      const before = home.upstream.requests.length;
      for (let each = 0; each < 3; each++) expect(await speaker.ask(home)).toBe(hello);
      const seen = speaker.seen(await failureOf(speaker.ask(home)));
      expect(seen).toMatchObject({ kind: "RateLimitError", status: 429, said: expect.stringMatching(/a minute/) });
      expect(seen.headers?.get("retry-after")).toBe("20");
      expect(home.upstream.requests).toHaveLength(before + 3);
      const other = await home.newKey("reader");
      expect(await speaker.ask({ ...home, key: other })).toBe(hello);
      clock.advance(20_000);
      expect(await speaker.ask(home)).toBe(hello);
    }
  });

  it("T41: so many at the same time, and a place is free when one ends or leaves", async () => {
    await start("  concurrent: 2\n");
    const [openai, anthropic] = speakers;
    home.upstream.always({ hang: "before-headers" });
    const leaving = new AbortController();
    const held = [openai, anthropic].map((speaker) => failureOf(speaker?.open(home, false, leaving.signal) ?? never()));
    await home.upstream.received(2);
    for (const speaker of speakers) {
      const seen = speaker.seen(await failureOf(speaker.ask(home)));
      expect(seen).toMatchObject({ kind: "RateLimitError", status: 429, said: expect.stringMatching(/are running/) });
      expect(seen.headers?.get("retry-after")).toBe("1");
    }
    expect(home.upstream.requests).toHaveLength(2);
    leaving.abort();
    await Promise.all(held);
    await Promise.all([home.upstream.gone(1), home.upstream.gone(2)]);
    home.upstream.always({});
    await until(() => home.logged().split('"status":499').length === 3);
    for (const speaker of speakers) expect(await speaker.ask(home)).toBe(hello);
  });

  it("T41: a body that says it is too large, or turns out to be, reaches nobody", async () => {
    await start("  body-bytes: 2KiB\n");
    for (const speaker of speakers) {
      const body = bodyOf(speaker, 3000);
      const chunked = { "transfer-encoding": "chunked", "content-type": "application/json" };
      const said = await post(speaker, { body: bodyOf(speaker, 3000) });
      const found = await post(speaker, { body, headers: chunked });
      for (const { status, text } of [said, found]) {
        expect(status).toBe(413);
        expect(text).toContain(speaker.name === "openai" ? "request.too-large" : "request_too_large");
        expect(text).toContain("more than 2048 bytes");
      }
    }
    const { port } = portOf(home);
    const head = `POST /v1/messages HTTP/1.1\r\nHost: localhost:${port}\r\nauthorization: Bearer ${home.key}\r\n`;
    const unsent = await callRaw({ port }, `${head}content-length: 3000\r\nconnection: close\r\n\r\n`);
    expect(unsent).toMatch(/^HTTP\/1\.1 413 /);
    expect(home.upstream.requests).toEqual([]);
    const [openai] = speakers;
    if (openai === undefined) return;
    const fitting = bodyOf(openai, 2048 - bodyOf(openai, 0).length);
    expect(Buffer.byteLength(fitting)).toBe(2048);
    expect((await post(openai, { body: fitting })).status).toBe(200);
    expect((await post(openai, { body: `${fitting} ` })).status).toBe(413);
    const form = {
      body: `--b\r\n\r\n${"x".repeat(3000)}`,
      headers: { "content-type": "multipart/form-data; boundary=b" },
    };
    const upload = await call(portOf(home), "/v1/audio/transcriptions", { ...form, key: home.key, method: "POST" });
    expect(upload.status).toBe(413);
    expect(home.upstream.requests).toHaveLength(1);
  });

  it("T41: too many headers are refused before anything looks at them; a body waits for a key", async () => {
    await start();
    const { port } = portOf(home);
    const head = (more: string) => `POST /v1/messages HTTP/1.1\r\nHost: localhost:${port}\r\n${more}\r\n\r\n`;
    const many = Array.from({ length: 600 }, (_, each) => `x-${each}: ${"y".repeat(30)}`).join("\r\n");
    expect(await callRaw({ port }, head(`authorization: Bearer ${home.key}\r\n${many}`))).toMatch(/^HTTP\/1\.1 431 /);
    expect(home.logged()).toBe("");
    const unknown = await callRaw({ port }, head("content-type: application/json\r\ncontent-length: 1000000"));
    expect(unknown).toMatch(/^HTTP\/1\.1 401 .*authentication_error/s);
    expect(home.upstream.requests).toEqual([]);
  });

  it("T41, T38: 1,000 wrong keys are answered alike and then slowed down; a right one goes on", async () => {
    await start();
    const random = seededRandomness("wrong");
    const count = new Map<number, number>();
    for (let round = 0; round < 20; round++) {
      const keys = Array.from({ length: 50 }, () => createKeyText(random).text);
      const tries = keys.map((key, at) => call(portOf(home), speakers[at % 2]?.path ?? "", { key, json: {} }));
      for (const { status } of await Promise.all(tries)) count.set(status, (count.get(status) ?? 0) + 1);
      for (const speaker of speakers.slice(round % 2)) expect(await speaker.ask(home)).toBe(hello);
    }
    expect(Object.fromEntries(count)).toEqual({ 401: 30, 429: 970 });
    for (const speaker of speakers) {
      const seen = speaker.seen(await failureOf(speaker.ask({ ...home, key: "swk_wrong" })));
      expect(seen).toMatchObject({ kind: "RateLimitError", status: 429, said: expect.stringMatching(/wrong keys/) });
      expect(seen.headers?.get("retry-after")).toBe("2");
    }
    expect(home.upstream.requests).toHaveLength(30);
  });
});

function never(): Promise<never> {
  throw new Error("there are two speakers");
}

function bodyOf(speaker: Speaker, letters: number): string {
  const messages = [{ role: "user", content: "x".repeat(letters) }];
  return JSON.stringify({ model: speaker.configuration, messages, max_tokens: 9 });
}

function post(speaker: Speaker, asked: { body: string; headers?: Record<string, string> }): Promise<Reply> {
  const headers = asked.headers ?? { "content-type": "application/json" };
  return call(portOf(home), speaker.path, { ...asked, headers, key: home.key, method: "POST" });
}
