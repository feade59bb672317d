import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import type { UpstreamScript } from "../../src/testing/upstream/script.ts";
import { closedOrigin } from "../support/closed-port.ts";
import { compositionOf, failureOf, inJson, without } from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome, upstreamModel } from "../support/gateway-home.ts";
import {
  addElsewhere,
  httpPlace,
  question,
  type Speaker,
  speakers,
  tcpPlace,
  uncaught,
} from "../support/gateway-speakers.ts";
import { call, until } from "../support/http-serving.ts";

const hello = "Hello from the upstream.";
const html = "<html><body><h1>Bad gateway</h1></body></html>";
const asHtml = { body: html, headers: { "content-type": "text/html" } };

let home: GatewayHome;
let nobodyCaught: readonly unknown[];

beforeEach(async () => {
  nobodyCaught = uncaught();
  home = await gatewayHome();
});

/** A fault is over with its request. */
async function expectWell(...spoken: readonly Speaker[]): Promise<void> {
  for (const speaker of spoken) expect(await speaker.ask(home)).toBe(hello);
  expect(nobodyCaught).toEqual([]);
}

/** Every request arrived once, with the skills in their place and every other byte as the client wrote it. */
async function expectArrived(count: number): Promise<void> {
  expect(home.upstream.requests).toHaveLength(count);
  const [house, claude] = [await compositionOf(home, "house"), await compositionOf(home, "claude")];
  for (const { body, path } of home.upstream.requests) {
    const isMessages = path === "/v1/messages";
    const { block } = isMessages ? claude : house;
    const asked = without(body, `${inJson(block)}\\n\\n`);
    const stream = asked.includes('"stream"') ? { stream: true } : {};
    const messages = [{ role: "user", content: question }];
    const sent = { model: upstreamModel, messages, ...(isMessages ? { max_tokens: 99 } : {}), ...stream };
    expect(Buffer.from(asked, "latin1").toString()).toBe(JSON.stringify(sent));
  }
}

/** All events that came, and how it ended. The gates of the upstream are opened while somebody reads. */
async function readAll(speaker: Speaker, steps = 0): Promise<{ events: object[]; error: unknown }> {
  const stepping = (async () => {
    for (let step = 0; step < steps; step++) await home.upstream.step();
  })();
  const events: object[] = [];
  try {
    for await (const event of await speaker.stream(home)) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  } finally {
    await stepping;
  }
}

describe("CO-16: before an answer began", () => {
  const refused = /does not accept the key that is kept for it \(40[13]\)/;
  type Fault = { script: UpstreamScript; status: number; code?: string | null; said: RegExp };
  const faults: Record<string, Fault> = {
    "it closes the connection": {
      script: { resetAfter: 0 },
      status: 502,
      code: "upstream.unreachable",
      said: /cannot be reached: it closed the connection/,
    },
    "it answers 500": { script: { status: 500 }, status: 500, code: null, said: /^The upstream answers 500\.$/ },
    "it answers a page with 502": { script: { ...asHtml, status: 502 }, status: 502, said: /Bad gateway/ },
    "it answers 401": { script: { status: 401, body: "WORDS" }, status: 502, code: "upstream.refused", said: refused },
    "it answers 403": { script: { status: 403, ...asHtml }, status: 502, code: "upstream.refused", said: refused },
    "it encodes in a way of its own": {
      script: { headers: { "content-encoding": "zstd" } },
      status: 502,
      code: "upstream.invalid",
      said: /encoded its answer as zstd/,
    },
  };

  it("CO-16: each fault is the client's own error, and over with its request", async () => {
    for (const [name, { script, status, code, said }] of Object.entries(faults))
      for (const speaker of speakers) {
        home.upstream.next(script);
        const seen = speaker.seen(await failureOf(speaker.ask(home)));
        const kind = "InternalServerError";
        expect({ name, ...seen }).toMatchObject({ name, kind, status, said: expect.stringMatching(said) });
        if (speaker.name === "openai") expect([name, seen.code]).toEqual([name, code]);
        const isRefused = code === "upstream.refused";
        if (isRefused) expect(seen.said).not.toMatch(/WORDS|Bad gateway/);
        expect([name, seen.headers?.get("x-should-retry")]).toEqual([name, isRefused ? "false" : null]);
        await expectWell(speaker);
      }
    await expectArrived(2 * 2 * Object.keys(faults).length);
  });

  it("CO-16: limits and faults keep their words, their waiting time and every byte", async () => {
    const body = Buffer.from('{"error":{"message":"caf\u00e9 \u0000\ufffd","odd":[1e999,  01]}}\r\n');
    for (const speaker of speakers) {
      home.upstream.next({ status: 429, headers: { "retry-after": "7", "x-should-retry": "true" } });
      const seen = speaker.seen(await failureOf(speaker.ask(home)));
      expect(seen).toMatchObject({ kind: "RateLimitError", status: 429, said: "The upstream answers 429." });
      expect([seen.headers?.get("retry-after"), seen.headers?.get("x-should-retry")]).toEqual(["7", "true"]);
      home.upstream.next({ status: 529 });
      expect(speaker.seen(await failureOf(speaker.ask(home)))).toMatchObject({ status: 529 });
      home.upstream.next({ status: 418, body });
      const { status, text } = await raw(speaker);
      expect([status, text]).toEqual([418, body.toString()]);
      await expectWell(speaker);
    }
    await expectArrived(8);
  });

  it("IN-5, T4: a redirect is not followed, whatever it says", async () => {
    const place = await httpPlace((_, response) => response.end("{}"));
    home = await gatewayHome({ nearby: [place.url] });
    for (const speaker of speakers)
      for (const status of [301, 302, 303, 307, 308]) {
        home.upstream.next({ redirect: `${place.url}/v1/chat/completions?x=1`, status });
        const seen = speaker.seen(await failureOf(speaker.ask(home)));
        expect(seen).toMatchObject({ kind: "InternalServerError", status: 502 });
        expect(seen.said).toContain(`answered ${status} and points to ${new URL(place.url).host}; redirects are not`);
        if (speaker.name === "openai") expect(seen.code).toBe("upstream.invalid");
        expect(seen.headers?.get("location")).toBeNull();
      }
    await expectWell(...speakers);
    await expectArrived(12);
    expect(place.sockets).toEqual([]);
  });

  const rubbish: Record<string, string> = {
    "no HTTP": "\u0016\u0003 rubbish\r\n\r\n",
    "a status that does not exist": "HTTP/1.1 999 Strange\r\ncontent-length: 0\r\n\r\n",
    "headers without end": `HTTP/1.1 200 OK\r\n${"x-more: and more\r\n".repeat(2000)}`,
    "two lengths": "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nabcde",
  };

  it("CO-16: nobody listens there, or nobody who speaks HTTP", async () => {
    let answer = "";
    const odd = await tcpPlace((socket) => void socket.once("data", () => socket.write(answer)));
    home = await gatewayHome({ nearby: [odd.url, closedOrigin] });
    await addElsewhere(home, "odd", odd.url);
    await addElsewhere(home, "away", closedOrigin);
    for (const [what, text] of Object.entries(rubbish))
      for (const speaker of speakers) {
        answer = text;
        const seen = speaker.seen(await failureOf(speaker.ask(home, `odd-${speaker.name}`)));
        expect({ what, ...seen }).toMatchObject({ what, kind: "InternalServerError", status: 502 });
        if (speaker.name === "openai") expect(seen.code).toMatch(/^upstream\.(invalid|unreachable)$/);
      }
    expect(odd.sockets).toHaveLength(8);
    await until(() => odd.sockets.every(({ destroyed, readableEnded }) => destroyed || readableEnded));
    for (const speaker of speakers) {
      const seen = speaker.seen(await failureOf(speaker.ask(home, `away-${speaker.name}`)));
      expect(seen).toMatchObject({ kind: "InternalServerError", status: 502 });
      expect(seen.said).toMatch(/cannot be reached: nobody listens there$/);
      if (speaker.name === "openai") expect(seen.code).toBe("upstream.unreachable");
    }
    await expectWell(...speakers);
    await expectArrived(2);
  });
});

/** The answer past every client: its status and its very text. */
async function raw(speaker: Speaker, base = "") {
  const { model, ...rest } = { model: speaker.configuration, messages: [{ role: "user", content: question }] };
  const limit = speaker.name === "anthropic" ? { max_tokens: 99 } : {};
  const json = { model: base === "" ? model : upstreamModel, ...rest, ...limit };
  return call({ port: Number(new URL(home.url).port) }, base + speaker.path, { json, key: home.key });
}

describe("CO-16: in the middle of an answer", () => {
  const gzip = { "content-encoding": "gzip" };
  const cut: Record<string, UpstreamScript> = {
    "it closes the connection": { resetAfter: 1 },
    "it promises more than it sends": { contentLength: 100_000 },
    "it compresses in another way than it says": { headers: gzip },
    "it sends a few bytes that become many": { body: gzipSync(Buffer.alloc(2 ** 23, " ")), headers: gzip },
  };

  it("CO-16: what is cut off is taken for whole by no client", async () => {
    for (const [name, script] of Object.entries(cut))
      for (const speaker of speakers) {
        home.upstream.next(script);
        const seen = speaker.seen(await failureOf(speaker.ask(home)));
        expect({ name, ...seen }).toMatchObject({ name, kind: "TypeError", said: "terminated" });
        await expectWell(speaker);
      }
    await expectArrived(2 * 2 * Object.keys(cut).length);
  });

  it("CO-16: an answer that says less than it sends has no more than it said, and the next one nothing of it", async () => {
    for (const speaker of speakers) {
      home.upstream.next({ contentLength: 20 });
      expect(speaker.seen(await failureOf(speaker.ask(home)))).toMatchObject({ kind: "SyntaxError" });
      home.upstream.next({ contentLength: 20 });
      expect((await raw(speaker)).text).toHaveLength(20);
      await expectWell(speaker);
    }
    await expectArrived(6);
  });

  it("CO-16: a page with 200 is handed on as what it is; what is compressed arrives plain", async () => {
    for (const speaker of speakers) {
      home.upstream.next(asHtml);
      const { status, headers, text } = await raw(speaker);
      expect([status, headers["content-type"], headers["x-content-type-options"]]).toEqual([
        200,
        "text/html",
        "nosniff",
      ]);
      expect(text).toBe(html);
      home.upstream.next({ gzip: true });
      expect(await speaker.ask(home)).toBe(hello);
      home.upstream.next({ gzip: true });
      const compressed = await readAll(speaker);
      const plain = await readAll(speaker);
      expect([compressed.events.length, compressed.error]).toEqual([plain.events.length, undefined]);
      expect((await raw(speaker)).headers["content-encoding"]).toBeUndefined();
    }
    expect(nobodyCaught).toEqual([]);
  });

  it("T7, CO-16: an answer without end is cut off, and so is its connection", async () => {
    const page = Buffer.alloc(2 ** 20, " ");
    const place = await httpPlace((_, response) => {
      response.on("error", () => {}).writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (response.write(page));
      };
      response.on("drain", more);
      more();
    });
    home = await gatewayHome({ nearby: [place.url] });
    await addElsewhere(home, "endless", place.url);
    const response = await fetch(`${home.url}/c/endless-openai/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${home.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: upstreamModel, input: "x" }),
    });
    let received = 0;
    const reading = (async () => {
      for await (const chunk of response.body ?? []) received += chunk.length;
    })();
    await expect(reading).rejects.toThrow("terminated");
    expect(received).toBeLessThanOrEqual(256 * 2 ** 20);
    await until(() => place.sockets.every(({ destroyed }) => destroyed));
    expect(home.logged()).toContain("answered more than 268435456 bytes");
    await expectWell(...speakers);
  });
});

describe("CO-16: in the middle of a stream", () => {
  const word = (speaker: Speaker, at: number): string =>
    speaker.name === "openai"
      ? `id: ${at}\ndata: {"id":"c","choices":[{"index":0,"delta":{"content":"word ${at}"}}]}\n\n`
      : `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word ${at}"}}\n\n`;
  const words = (speaker: Speaker): string[] => [1, 2, 3].map((at) => word(speaker, at));
  const endings = { LF: "\n", CRLF: "\r\n" };

  it("CO-16: a connection that ends between two events is one more event, the client's own error", async () => {
    for (const [ending, line] of Object.entries(endings))
      for (const speaker of speakers) {
        const chunks = words(speaker).map((text) => text.replaceAll("\n", line));
        home.upstream.next({ chunks, resetAfter: 2 });
        const { events, error } = await readAll(speaker, 1);
        expect(JSON.stringify(events)).toMatch(/word 1.*word 2/);
        expect([ending, events.length]).toEqual([ending, 2]);
        const seen = speaker.seen(error);
        expect({ ending, ...seen }).toMatchObject({ ending, kind: "APIError", status: undefined });
        expect(seen.said).toMatch(/cannot be reached: it closed the connection/);
        if (speaker.name === "openai") expect(seen.code).toBe("upstream.unreachable");
        await expectWell(speaker);
      }
    await expectArrived(8);
  });

  const torn: Record<string, (text: string) => string> = {
    "in its data": (text) => text.slice(0, -20),
    "after its first line": (text) => text.slice(0, text.indexOf("\n") + 1),
    "after its data": (text) => text.slice(0, -1),
    "in a name": (text) => text.slice(0, 3),
  };

  it("CO-16: one that ends inside an event makes none of it, and adds nothing to it", async () => {
    for (const [where, tear] of Object.entries(torn))
      for (const [ending, line] of Object.entries(endings))
        for (const speaker of speakers) {
          const chunks = [word(speaker, 1), tear(word(speaker, 2))].map((text) => text.replaceAll("\n", line));
          home.upstream.next({ chunks, resetAfter: 2 });
          const { events, error } = await readAll(speaker, 1);
          const { kind, said } = speaker.seen(error);
          expect([where, ending, events.length, kind, said]).toEqual([where, ending, 1, "TypeError", "terminated"]);
        }
    await expectWell(...speakers);
    await expectArrived(18);
  });

  it("CO-16: nothing is added to a stream whose length was said: it is cut", async () => {
    for (const speaker of speakers) {
      home.upstream.next({ contentLength: 100_000 });
      const { error } = await readAll(speaker);
      expect(speaker.seen(error)).toMatchObject({ kind: "TypeError", said: "terminated" });
      await expectWell(speaker);
    }
  });

  it("CO-16: the head of a stream is handed on before its first event, and every event before the next one", async () => {
    for (const speaker of speakers) {
      home.upstream.next({ chunks: words(speaker), slow: true });
      const opening = speaker.stream(home);
      await home.upstream.step();
      const events = (await opening)[Symbol.asyncIterator]();
      for (const at of [1, 2, 3]) {
        await home.upstream.step();
        const { value } = await events.next();
        expect(JSON.stringify(value)).toContain(`word ${at}`);
      }
      expect((await events.next()).done).toBe(true);
      home.upstream.next({ slow: true });
      const plain = speaker.ask(home);
      for (let step = 0; step < 3; step++) await home.upstream.step();
      expect(await plain).toBe(hello);
    }
    await expectArrived(4);
  });
});

describe("CO-16: silence", () => {
  it("CO-16: before an answer, in its middle and in a stream: the time is over, and the upstream is let go", async () => {
    home = await gatewayHome({ config: "gateway:\n  headers-seconds: 3\n  idle-seconds: 3\n" });
    home.upstream.always(({ text }) => ({ hang: text.includes('"stream":true') ? "mid-body" : "before-headers" }));
    const never = speakers.map(async (speaker) => speaker.seen(await failureOf(speaker.ask(home))));
    const halves = speakers.map(async (speaker) => speaker.seen((await readAll(speaker)).error));
    expect(await Promise.all(never)).toMatchObject([
      { kind: "InternalServerError", status: 504, code: "upstream.timeout" },
      { kind: "GatewayTimeoutError", status: 504 },
    ]);
    expect(await Promise.all(halves)).toMatchObject([
      { kind: "APIError", code: "upstream.timeout", said: expect.stringMatching(/took too long/) },
      { kind: "APIError", said: expect.stringMatching(/took too long/) },
    ]);
    home.upstream.always({ hang: "mid-body" });
    const cut = speakers.map(async (speaker) => speaker.seen(await failureOf(speaker.ask(home))));
    expect(await Promise.all(cut)).toMatchObject(speakers.map(() => ({ kind: "TypeError", said: "terminated" })));
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => home.upstream.gone(n)));
    home.upstream.always({});
    await expectWell(...speakers);
    await expectArrived(8);
  });
});
