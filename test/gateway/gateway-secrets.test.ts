import { describe, expect, it } from "vitest";
import type { UpstreamScript } from "../../src/testing/upstream/script.ts";
import { changeProvider, setProviderSecret } from "../../src/models/providers.ts";
import { failureOf } from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome, upstreamModel, upstreamSecret as secret } from "../support/gateway-home.ts";
import { addElsewhere, httpPlace, portOf, type Speaker, speakers, tcpPlace } from "../support/gateway-speakers.ts";
import { call, callRaw } from "../support/http-serving.ts";
import { permitLlm } from "../../src/models/context.ts";

const covered = "*".repeat(secret.length);
const hello = "Hello from the upstream.";

function shows(text: string): boolean {
  return text.toLowerCase().includes(secret);
}

interface RawWishes {
  readonly base?: string;
  readonly headers?: readonly string[];
  readonly stream?: boolean;
  readonly prompt?: string;
  readonly key?: string;
}

/** All that comes back over the connection: status line, headers and body as they are. */
function rawAnswer(home: GatewayHome, speaker: Speaker, wishes: RawWishes = {}): Promise<string> {
  const { base = `/c/${speaker.configuration}`, headers = [], prompt = "Say it.", key = home.key } = wishes;
  const messages = [{ role: "user", content: prompt }];
  const body = JSON.stringify({ model: upstreamModel, messages, max_tokens: 9, stream: wishes.stream === true });
  const head = [
    `POST ${base}${speaker.path} HTTP/1.1`,
    `host: localhost:${portOf(home).port}`,
    "connection: close",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    `authorization: Bearer ${key}`,
    ...headers,
  ];
  return callRaw(portOf(home), `${head.join("\r\n")}\r\n\r\n${body}`);
}

/** The body of a chunked answer, put together. */
function dechunked(answer: string): string {
  const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
  let text = "";
  for (let at = 0; ; ) {
    const end = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.slice(at, end), 16);
    if (!(size > 0)) return text;
    text += body.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}

describe("CO-16, T9: the secret of a provider", () => {
  const page = { "content-type": "text/html" };
  const said: Record<string, UpstreamScript> = {
    "in its answer and a header": { echoSecret: true },
    "in a compressed answer": { echoSecret: true, gzip: true },
    "in an error": { echoSecret: true, status: 500 },
    "in a limit": { echoSecret: true, status: 429, headers: { "retry-after": "1" } },
    "in a refusal of it": { echoSecret: true, status: 401 },
    "in another refusal": { body: `no: ${secret}`, status: 403, headers: { "www-authenticate": secret } },
    "in a page": { body: `<p>${secret}</p>${secret}${secret}`, status: 502, headers: page },
    "among bytes that are no text": { body: Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from(secret)]) },
    "in headers that are there twice": { headers: { "x-one": [secret, `a ${secret} b`], link: `<https://${secret}>` } },
    "in the name of a header": { headers: { [secret]: "x", [`x-${secret}-y`]: "x" } },
    "in its type": { headers: { "content-type": `application/json; key=${secret}` } },
    "in an encoding": { headers: { "content-encoding": secret } },
    "in a redirect": { redirect: `https://${secret}.example/${secret}?${secret}` },
  };

  it("CO-16: never comes back, wherever the service says it, nor is it logged or measured", async () => {
    const home = await gatewayHome();
    for (const speaker of speakers)
      for (const [where, script] of Object.entries(said))
        for (const stream of [false, true]) {
          home.upstream.next(script);
          const answer = await rawAnswer(home, speaker, { stream });
          expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
          expect([where, speaker.name, shows(answer)]).toEqual([where, speaker.name, false]);
        }
    for (const { headers } of home.upstream.requests) expect(JSON.stringify(headers)).toContain(secret);
    expect(home.upstream.requests).toHaveLength(2 * 2 * Object.keys(said).length);
    await expectUnsaid(home);
  });

  it("CO-16: never comes back from a server that is none: status, trailers, what is no HTTP", async () => {
    const texts = [
      `HTTP/1.1 500 ${secret}\r\ncontent-length: 2\r\n\r\n{}`,
      `HTTP/1.1 103 Early\r\nlink: ${secret}\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}`,
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x\r\n\r\n2;x=${secret}\r\n{}\r\n0\r\nx: ${secret}\r\n\r\n`,
      `${secret}\r\n\r\n`,
      `HTTP/1.1 200 OK\r\n${secret}\r\n\r\n`,
    ];
    let text = "";
    const place = await tcpPlace((socket) => void socket.once("data", () => socket.end(text)));
    const home = await gatewayHome({ nearby: [place.url] });
    await addElsewhere(home, "odd", place.url);
    for (const speaker of speakers)
      for (const each of texts) {
        text = each;
        const answer = await rawAnswer(home, speaker, { base: `/c/odd-${speaker.name}` });
        expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
        expect([each, shows(answer)]).toEqual([each, false]);
      }
    await expectUnsaid(home);
  });

  it("CO-16: is covered in a stream wherever it is torn, and nothing else is", async () => {
    const home = await gatewayHome();
    const [openai, anthropic] = speakers;
    const cuts = Array.from({ length: secret.length - 1 }, (_, at) => [secret.slice(0, at + 1), secret.slice(at + 1)]);
    const streams = [
      ...cuts,
      secret.split(""),
      [secret, secret],
      [secret.slice(0, 9), `${secret}${secret.slice(0, 9)}`],
    ];
    for (const [at, parts] of streams.entries()) {
      const chunks = [`data: {"a":"`, ...parts, `sk-upstream"}\n\n`];
      home.upstream.next({ chunks });
      const speaker = at % 2 === 0 ? openai : anthropic;
      if (speaker === undefined) continue;
      const reading = rawAnswer(home, speaker, { stream: true });
      for (let step = 1; step < chunks.length; step++) await home.upstream.step();
      const answer = await reading;
      expect(shows(answer)).toBe(false);
      expect(dechunked(answer)).toBe(chunks.join("").replaceAll(secret, covered));
    }
  });

  it("CO-16: a stream that is cut off within it gives none of it away but what was no secret", async () => {
    const home = await gatewayHome();
    for (const speaker of speakers) {
      home.upstream.next({ chunks: ["data: 1\n\n", `data: ${secret.slice(0, -1)}`], resetAfter: 2 });
      const reading = rawAnswer(home, speaker, { stream: true });
      await home.upstream.step();
      expect(await reading).not.toContain(secret.slice(0, 4));
    }
  });

  it("CO-14, CO-16: is in no answer of the JSON API, and in no error of it", async () => {
    const home = await gatewayHome();
    const asked: Record<string, object> = {
      "/api/complete": { configuration: "house", prompt: "x" },
      "/api/chat": { configuration: "claude", messages: [{ role: "user", content: "x" }] },
      "/api/translate": { configuration: "house", text: "x", to: "German" },
      "/api/tasks/sum-up/run": { input: "x" },
      "/api/embed": { configuration: "house", texts: ["x"] },
    };
    const scripts: UpstreamScript[] = [
      { echoSecret: true },
      { echoSecret: true, status: 400 },
      { echoSecret: true, status: 401 },
      { body: `{"error": ${secret}` },
      { body: JSON.stringify({ error: { message: secret, type: secret, code: secret } }), status: 404 },
      { redirect: `https://${secret}.example/` },
      { headers: { "content-encoding": secret } },
    ];
    for (const [path, json] of Object.entries(asked))
      for (const script of scripts) {
        home.upstream.next(script);
        const { text, headers } = await call(portOf(home), path, { json, key: home.key });
        expect([path, script, shows(text + JSON.stringify(headers))]).toEqual([path, script, false]);
      }
    expect(home.upstream.requests.length).toBeGreaterThanOrEqual(35);
    await expectUnsaid(home);
  });

  /** Neither what is logged nor what is shown to anybody has the secret or a client's key. */
  async function expectUnsaid(home: GatewayHome): Promise<void> {
    const injections = [...home.logged().matchAll(/inj_[0-9a-f]{24}/g)].map(([id]) => `/api/injections/${id}`);
    expect(injections.length).toBeGreaterThan(3);
    for (const path of ["/metrics", "/readyz", "/healthz", "/v1/models", "/api/openapi.json", ...injections]) {
      const { status, text } = await call(portOf(home), path, { key: home.key });
      expect([path, status, shows(text), text.includes(home.key)]).toEqual([path, 200, false, false]);
    }
    expect(home.logged().length).toBeGreaterThan(1000);
    expect([shows(home.logged()), home.logged().includes(home.key)]).toEqual([false, false]);
  }
});

describe("CO-16, T9: what is a client's own", () => {
  it("CO-16: its key, cookies and address never reach the upstream, however they are sent", async () => {
    const home = await gatewayHome();
    const own = [
      "cookie: session=theirs",
      "forwarded: for=192.0.2.1",
      "x-forwarded-for: 192.0.2.1",
      "x-real-ip: 192.0.2.1",
      `proxy-authorization: Bearer ${home.key}`,
      `x-goog-api-key: ${home.key}`,
      `api-key: ${home.key}`,
      "openai-organization: theirs",
      "origin: http://localhost:PORT",
      "referer: http://localhost/",
      "x-stainless-os: Linux",
      "x-skillward-inject: on",
      "te: trailers",
      "accept-encoding: gzip, br",
    ].map((header) => header.replace("PORT", String(portOf(home).port)));
    const passed = ["accept: text/plain", "user-agent: theirs/1", "idempotency-key: idem-1", "openai-beta: b=1"];
    for (const speaker of speakers) {
      const isOpenai = speaker.name === "openai";
      const versions = isOpenai ? [] : ["anthropic-version: 2023-06-01", "anthropic-beta: beta-1"];
      for (const both of [[], [`x-api-key: ${home.key}`]])
        expect(await rawAnswer(home, speaker, { headers: [...own, ...passed, ...versions, ...both] })).toMatch(/ 200 /);
      const { headers } = home.upstream.requests.at(-1) ?? {};
      const sent = headers?.map(([name, value]) => `${name.toLowerCase()}: ${value}`) ?? [];
      const length = sent.find((header) => header.startsWith("content-length: ")) ?? "";
      const auth = isOpenai ? `authorization: Bearer ${secret}` : `x-api-key: ${secret}`;
      const ours = [`host: ${new URL(home.upstream.url).host}`, "connection: keep-alive", "accept-encoding: identity"];
      const expected = [...ours, auth, length, ...passed, ...versions, "content-type: application/json"];
      expect(sent.toSorted()).toEqual(expected.toSorted());
    }
    for (const { headers, path, text } of home.upstream.requests)
      expect(JSON.stringify([headers, path, text])).not.toContain(home.key);
    expect(home.upstream.requests).toHaveLength(4);
  });

  const prompt = "the-words-of-a-prompt";

  it("SV-8: its words are in no log, whatever becomes of them", async () => {
    const home = await gatewayHome();
    for (const speaker of speakers) {
      for (const script of [
        {},
        { text: prompt },
        { status: 500, body: prompt },
        { resetAfter: 0 },
        { resetAfter: 1 },
      ]) {
        home.upstream.next(script);
        await rawAnswer(home, speaker, { prompt });
      }
      const asked = { key: home.key, method: "POST", headers: { "content-type": "application/json" } };
      for (const body of [`{"model":"${prompt}"}`, `{"${prompt}`, `{"messages":"${prompt}","model":"house/${prompt}"}`])
        await call(portOf(home), `${speaker.path}?${prompt}`, { ...asked, body });
      await call(portOf(home), `/c/${prompt}/v1/${prompt}`, { ...asked, body: prompt });
      await call(portOf(home), speaker.path, { ...asked, body: prompt, headers: { "content-type": prompt } });
    }
    expect(home.upstream.requests.length).toBeGreaterThanOrEqual(10);
    expect(home.logged().split("\n").length).toBeGreaterThan(20);
    expect(home.logged()).not.toContain(prompt);
    const { text } = await call(portOf(home), "/metrics", { key: home.key });
    expect(text).not.toContain(prompt);
  });

  it("SV-8: they are when an admin has switched it on, and keys still are not", async () => {
    const home = await gatewayHome({ config: "gateway:\n  log-prompts: on\n" });
    for (const speaker of speakers) expect(await rawAnswer(home, speaker, { prompt })).toContain(hello);
    expect(home.logged().split(prompt)).toHaveLength(3);
    expect([shows(home.logged()), home.logged().includes(home.key)]).toEqual([false, false]);
  });
});

describe("T43: a secret belongs to its origin", () => {
  it("T43, RV-13: another origin is sent everything but the secret", async () => {
    const other = await httpPlace((request, response) => {
      received.push(JSON.stringify([request.rawHeaders, request.url]));
      request.on("data", (chunk) => received.push(String(chunk))).on("end", () => response.end('{"choices":[]}'));
    });
    const received: string[] = [];
    const home = await gatewayHome({ nearby: [other.url] });
    for (const speaker of speakers) {
      expect(await speaker.ask(home)).toBe(hello);
      const { secretDiscarded } = await changeProvider(permitLlm(home.app, "administer"), speaker.name, {
        origin: other.url,
      });
      expect(secretDiscarded).toBe(true);
      expect(await rawAnswer(home, speaker)).toMatch(/ 200 /);
    }
    expect(received.join("")).toContain("Say it.");
    expect(shows(received.join(""))).toBe(false);
    expect(received.join("")).not.toMatch(/authorization|x-api-key/i);
    expect(home.upstream.requests).toHaveLength(2);
    await setProviderSecret(permitLlm(home.app, "administer"), "openai", "sk-of-the-other-one");
    expect(await rawAnswer(home, speakers[0] ?? nobody())).toMatch(/ 200 /);
    expect(received.join("")).toContain("sk-of-the-other-one");
  });

  const byHand: Record<string, (from: string, to: string) => string[]> = {
    "another origin": (from, to) => ["record = replace(record, ?, ?)", from, to],
    "the secret of another provider": () => [
      "secret = (SELECT secret FROM llm_records WHERE kind = 'provider' AND id = 'anthropic')",
    ],
  };

  it.each(Object.entries(byHand))("T43: %s, written into the database by hand: nothing leaves", async (_what, hand) => {
    const other = await httpPlace((_, response) => response.end("{}"));
    const home = await gatewayHome({ nearby: [other.url] });
    const speaker = speakers[0] ?? nobody();
    expect(await speaker.ask(home)).toBe(hello);
    const [set = "", ...parameters] = hand(home.upstream.url, other.url);
    const row = "WHERE kind = 'provider' AND id = 'openai' RETURNING id";
    expect(home.folder.sql(`UPDATE llm_records SET ${set} ${row}`, ...parameters)).toHaveLength(1);
    // What was read before goes where it went.
    expect(await speaker.ask(home)).toBe(hello);
    const next = { ...home, url: await home.restart() };
    const seen = speaker.seen(await failureOf(speaker.ask(next)));
    expect(seen).toMatchObject({ kind: "InternalServerError", status: 500, code: "keys.unusable" });
    expect(seen.headers?.get("x-should-retry")).toBe("false");
    expect(other.sockets).toEqual([]);
    expect(home.upstream.requests).toHaveLength(2);
    expect(shows(seen.said + home.logged())).toBe(false);
    expect(await speakers[1]?.ask(next)).toBe(hello);
  });
});

function nobody(): never {
  throw new Error("there are two speakers");
}
