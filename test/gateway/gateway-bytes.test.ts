import { request as httpRequest } from "node:http";
import fc from "fast-check";
import { toFile } from "openai";
import { beforeEach, describe, expect, it } from "vitest";
import {
  anthropicAt,
  compositionOf,
  failureOf,
  inJson,
  latin1,
  openaiAt,
  post,
  recordingFetch,
  without,
} from "../support/gateway-clients.ts";
import {
  type GatewayHome,
  gatewayHome,
  type GatewayWishes,
  upstreamModel,
  upstreamSecret,
} from "../support/gateway-home.ts";

const question = 'Is it "raining"\tin Zürich\u2028or \u0007🌧?';
const messages = [{ role: "user" as const, content: question }];

let home: GatewayHome;
/** What stands in front of the first user's words, as it stands in JSON. */
let front: string;

async function begin(wishes: GatewayWishes = {}): Promise<void> {
  home = await gatewayHome(wishes);
  front = inJson(`${(await compositionOf(home, "house")).block}\n\n`);
}

beforeEach(() => begin());

function received(n = home.upstream.requests.length): Buffer {
  return Buffer.from(home.upstream.requests[n - 1]?.body ?? "");
}

describe("what arrives", () => {
  it("CO-8, CO-15: of what the official clients send, only the inserted text and the model's value differ", async () => {
    const { sent, fetch: keeping } = recordingFetch();
    const extra = { unknown: { "müsli\u0000": [1.5, null, { deep: [[[]]] }] }, temperature: 0.1 };
    const parts = [{ type: "image_url" as const, image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }];
    for (const [base, model] of [
      ["/c/house", upstreamModel],
      ["", "house"],
    ] as const) {
      const client = openaiAt(home, base, { fetch: keeping });
      await client.chat.completions.create({ ...extra, model, messages });
      await client.chat.completions.create({ model, messages: [{ role: "user", content: parts }], ...extra });
      await client.responses.create({ ...extra, input: question, model });
      await client.completions.create({ model, prompt: question, ...extra });
    }
    const part = `{"type":"text","text":"${front.slice(0, -4)}"},`;
    for (const [at, body] of sent.entries()) {
      const original = latin1(body).replace('"model":"house"', `"model":"${upstreamModel}"`);
      expect(without(received(at + 1), at % 4 === 1 ? part : front)).toBe(original);
    }
    expect(home.upstream.requests).toHaveLength(8);
  });

  it("CO-8, CO-15: the same of Anthropic's client, also where tokens are counted", async () => {
    const { sent, fetch: keeping } = recordingFetch();
    const claude = inJson(`${(await compositionOf(home, "claude")).block}\n\n`);
    const system = [{ type: "text" as const, text: "Be brief.", cache_control: { type: "ephemeral" as const } }];
    for (const [base, model] of [
      ["/c/claude", upstreamModel],
      ["", "claude"],
    ] as const) {
      const client = anthropicAt(home, base, { fetch: keeping });
      await client.messages.create({ max_tokens: 9, system, messages, model, metadata: { user_id: "ü" } });
      await client.messages.countTokens({ model, messages });
    }
    for (const [at, body] of sent.entries()) {
      const original = latin1(body).replace('"model":"claude"', `"model":"${upstreamModel}"`);
      expect(without(received(at + 1), claude)).toBe(original);
    }
    expect(home.upstream.requests).toHaveLength(4);
  });

  it("CO-15: nothing is written anew: blanks, numbers, escapes, order and members twice are as they came", async () => {
    const body = [
      '\r\n\t{ "__proto__" : {"model":"x"}, "a":1e400, "a": 1.00000000000000000001 ,"seed":18446744073709551616,',
      '"\\u0073tream": false , "messages" :\t[ {"content":"\\ud83d\\ude00 \\/ \\ud800", "role":"us\\u0065r", "content2":[]} ,',
      `{"role":"user","content":"again"}], "mod\\u0065l" : "${upstreamModel}" , "\\u0000":"\u{1f327}" }\n \n`,
    ].join("");
    await post(home, "/c/house/v1/chat/completions", body);
    expect(without(received(), front)).toBe(latin1(Buffer.from(body)));
    expect(latin1(received()).indexOf(front)).toBe(body.indexOf("\\ud83d"));

    await post(home, "/v1/chat/completions", body.replace(`"${upstreamModel}"`, '"hous\\u0065/la\\u0072ge"'));
    expect(without(received(), front)).toBe(latin1(Buffer.from(body.replace(upstreamModel, "large"))));
  });

  it("CO-15: whatever stands beside the members that are read arrives as it was (property)", async () => {
    const member = fc.tuple(fc.string({ unit: "grapheme", maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }));
    const isOthers = ([key]: [string, unknown]) => !/^(?:model|stream|messages)$/i.test(key);
    await fc.assert(
      fc.asyncProperty(fc.array(member.filter(isOthers), { maxLength: 4 }), fc.nat(4), async (others, indent) => {
        const rest = others.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value, null, indent)}`);
        const own = [`"messages": ${JSON.stringify(messages, null, indent)}`, `"model":"${upstreamModel}"`];
        const body = `{${[...rest, ...own].join(",\n")}}`;
        expect((await post(home, "/c/house/v1/chat/completions", body)).status).toBe(200);
        expect(without(received(), front)).toBe(latin1(Buffer.from(body)));
      }),
      { numRuns: 25 },
    );
  });

  it("CO-8: without a user message, and without a skill, all of it arrives as it was, and it is said", async () => {
    const body = `{"messages":[ {"role":"system","content":"${question.slice(0, 2)}"} ],"model":"m"}`;
    const response = await post(home, "/c/house/v1/chat/completions", body);
    expect(received().toString()).toBe(body);
    expect(countsOf(response)).toEqual(["0", "2"]);
    const record = await injectionOf(response);
    expect(record["findings"]).toMatchObject([{ code: "inject.no-user" }]);

    await begin({ skills: {} });
    const plain = JSON.stringify({ model: upstreamModel, messages });
    const untouched = await post(home, "/c/house/v1/chat/completions", plain);
    expect(received().toString()).toBe(plain);
    expect(countsOf(untouched)).toEqual(["0", "0"]);
  });

  it("CO-9: embeddings, audio, images and moderation arrive byte for byte under a configuration", async () => {
    const { sent, fetch: keeping } = recordingFetch();
    const client = openaiAt(home, "/c/house", { fetch: keeping });
    const model = upstreamModel;
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7) % 256));
    const file = () => toFile(bytes, 'r"a\\in\u00fc.wav');
    await client.embeddings.create({ model, input: [question] });
    await client.moderations.create({ model, input: question });
    await client.images.generate({ model, prompt: question });
    await client.images.edit({ model, prompt: question, image: await toFile(bytes, "a.png") });
    await client.audio.speech.create({ model, input: question, voice: "alloy" });
    await client.audio.transcriptions.create({ model, file: await file() });
    await failureOf(client.audio.translations.create({ model, file: await file() }));
    await failureOf(client.images.createVariation({ model, image: await toFile(bytes, "a.png") }));
    expect(home.upstream.requests.map(({ path }) => path.slice(4))).toEqual([
      "embeddings",
      "moderations",
      "images/generations",
      "images/edits",
      "audio/speech",
      "audio/transcriptions",
      "audio/translations",
      "images/variations",
    ]);
    for (const [at, body] of sent.entries()) expect(latin1(received(at + 1))).toBe(latin1(body));
  });

  it("CO-15: under plain /v1 only the model's value differs in them, in forms too", async () => {
    const { sent, fetch: keeping } = recordingFetch();
    const client = openaiAt(home, "", { fetch: keeping });
    const file = await toFile(Buffer.from("model\r\n\r\nhouse\r\n--x\r\n\xff", "latin1"), "house.wav");
    await client.embeddings.create({ input: ["house"], model: "house" });
    await client.audio.transcriptions.create({ model: "house/large", file });
    const [json, form] = sent.map(latin1);
    expect(latin1(received(1))).toBe(json?.replace('"model":"house"', `"model":"${upstreamModel}"`));
    expect(latin1(received(2))).toBe(
      form?.replace('name="model"\r\n\r\nhouse/large\r\n', 'name="model"\r\n\r\nlarge\r\n'),
    );
    expect(home.upstream.requests[1]?.header("content-type")).toMatch(/^multipart\/form-data; boundary=/);
  });
});

function countsOf({ headers }: Response): (string | null)[] {
  return [headers.get("x-skillward-included"), headers.get("x-skillward-dropped")];
}

async function injectionOf({ headers }: Response, url = home.url): Promise<Record<string, unknown>> {
  const id = headers.get("x-skillward-injection") ?? "";
  const found = await fetch(`${url}/api/injections/${id}`, { headers: { authorization: `Bearer ${home.key}` } });
  expect(found.status).toBe(200);
  return JSON.parse(await found.text());
}

describe("what returns", () => {
  it("CO-16: an answer is handed on as it is, with what nobody knows yet", async () => {
    const body = '{ "choices": [ ], "brand_new" :1.50, "a":1,"a":2 }\n';
    home.upstream.next({ body, headers: { "x-brand-new": "yes", "content-type": "application/json;v=2" } });
    const response = await post(home, "/v1/chat/completions", JSON.stringify({ model: "house", messages }));
    expect([await response.text(), response.headers.get("x-brand-new")]).toEqual([body, "yes"]);
    expect(response.headers.get("content-type")).toBe("application/json;v=2");
    const { choices } = await openaiAt(home).chat.completions.create({ model: "house", messages });
    expect(choices).toHaveLength(1);
  });

  it.each(["openai", "anthropic"])("CO-16: a stream is handed on as it comes, chunk for chunk: %s", async (speech) => {
    const chunks = [": keep alive\r\n\r\n", "data: {torn", " apart}\n\n", "event: new\nid: 7\n\n", "data: [DONE]\n\n"];
    home.upstream.next({ chunks });
    const path = speech === "openai" ? "/c/house/v1/chat/completions" : "/c/claude/v1/messages";
    const response = await post(home, path, JSON.stringify({ model: "m", stream: true, max_tokens: 1, messages }));
    const reader = response.body?.getReader();
    for (const [at, chunk] of chunks.entries()) {
      // The upstream sends nothing more until it is told to: what is read now was not waited for.
      if (at > 0) await home.upstream.step();
      const { value } = (await reader?.read()) ?? {};
      expect(Buffer.from(value ?? "").toString()).toBe(chunk);
    }
    expect((await reader?.read())?.done).toBe(true);
  });

  it("CO-16: the official clients have the first chunk before there is a second", async () => {
    home.upstream.next({ chunks: ['data: {"choices":[{"delta":{"content":"one"}}]}\n\n', "data: [DONE]\n\n"] });
    const chat = await openaiAt(home).chat.completions.create({ model: "house", messages, stream: true });
    const chunks = chat[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toMatchObject({ choices: [{ delta: { content: "one" } }] });
    await home.upstream.step();
    expect((await chunks.next()).done).toBe(true);

    const start = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
    const stop = { type: "message_stop" };
    home.upstream.next({
      chunks: [start, stop].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
    });
    const asked = { model: "claude", max_tokens: 9, messages, stream: true } as const;
    const events = (await anthropicAt(home).messages.create(asked))[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual(start);
    await home.upstream.step();
    expect((await events.next()).value).toEqual(stop);
    expect((await events.next()).done).toBe(true);
  });
});

/** Sends exactly these headers, also those that `fetch` keeps to itself. */
function raw(path: string, body: string, headers: Record<string, string | string[]>): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(home.url + path, { method: "POST", headers }, (incoming) => {
      incoming.resume().once("end", () => resolve(incoming.headers));
    });
    outgoing.once("error", reject).end(body);
  });
}

describe("headers", () => {
  const unwanted = {
    cookie: "session=1",
    "x-forwarded-for": "10.1.2.3",
    "x-forwarded-host": "inside.example",
    "x-real-ip": "10.1.2.3",
    forwarded: "for=10.1.2.3",
    via: "1.1 proxy",
    te: "trailers",
    "proxy-authorization": "Basic eA==",
    "openai-organization": "org-client",
    "openai-project": "proj-client",
    "x-stainless-lang": "js",
    "x-custom": "1",
    "x-skillward-inject": "on",
    "x-request-id": "req_of_the_client_1",
    baggage: "user=ada",
    tracestate: "a=b",
    referer: "http://127.0.0.1/secret",
    "accept-language": "de",
    "content-language": "de",
    "accept-encoding": "gzip, br",
  };
  const wanted = {
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "Client/1",
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "one, two",
    "openai-beta": "assistants=v2",
    "idempotency-key": "key-1",
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  };

  it.each([
    ["/c/house/v1/chat/completions", "authorization", `Bearer ${upstreamSecret}`],
    ["/c/claude/v1/messages", "x-api-key", upstreamSecret],
  ])("CO-16: only those on the list leave, and the provider's own key: %s", async (path, name, secret) => {
    const keys = { "x-api-key": home.key, authorization: `Bearer ${home.key}` };
    await raw(path, JSON.stringify({ model: "m", messages }), { ...unwanted, ...wanted, ...keys });
    const { host } = new URL(home.upstream.url);
    const connection = { host, connection: "keep-alive", "accept-encoding": "identity" };
    const length = { "content-length": String(received().length) };
    const arrived = Object.fromEntries(home.upstream.requests[0]?.headers ?? []);
    expect(arrived).toEqual({ ...wanted, ...connection, ...length, [name]: secret });
    expect(home.upstream.requests[0]?.headers).toHaveLength(Object.keys(arrived).length);
    expect(JSON.stringify(home.upstream.requests[0]?.headers) + received().toString()).not.toContain(home.key);
  });

  it("CO-16: cookies, organisations and what is of one connection do not return; the rest does", async () => {
    home.upstream.always({
      setCookie: "upstream=1; Path=/",
      organisation: "org-upstream",
      hopByHop: true,
      headers: { "x-brand-new": ["one", "two"], "access-control-allow-origin": "*", "openai-processing-ms": "5" },
    });
    const key = { authorization: `Bearer ${home.key}`, "content-type": "application/json", connection: "close" };
    for (const path of ["/c/house/v1/chat/completions", "/c/claude/v1/messages"]) {
      const headers = await raw(path, JSON.stringify({ model: "m", messages }), key);
      const names = Object.keys(headers);
      expect(
        names.filter((name) => /cookie|organi[sz]ation|project|proxy|only-this|access-control/.test(name)),
      ).toEqual([]);
      expect(headers["keep-alive"]).toBeUndefined();
      expect(headers["x-brand-new"]).toBe("one, two");
      expect(headers["openai-processing-ms"]).toBe("5");
      expect(headers["x-request-id"]).not.toBe("req_1");
    }
  });
});

describe("what was done", () => {
  it("CO-16: is said in headers, and at its id right away and after a restart", async () => {
    const { response } = await openaiAt(home)
      .chat.completions.create({ model: "house/large", messages })
      .withResponse();
    const { block, digest } = await compositionOf(home, "house");
    expect(countsOf(response)).toEqual(["2", "0"]);
    const record = await injectionOf(response);
    expect(record).toMatchObject({
      id: response.headers.get("x-skillward-injection"),
      request: response.headers.get("x-request-id"),
      generation: Number(response.headers.get("x-skillward-generation")),
      configuration: "house",
      task: null,
      operation: "chat",
      model: "large",
      digest,
      bytes: Buffer.byteLength(block),
      included: [
        { entry: "skills:writing", name: "writing", via: "configuration", place: "user" },
        { entry: "skills:drawing", name: "drawing", via: "configuration", place: "user" },
      ],
      dropped: [],
      findings: [],
    });
    const url = await home.restart();
    expect(await injectionOf(response, url)).toEqual(record);
  });

  it("CO-16: is not said to a key of another configuration, and nothing is for what is never injected", async () => {
    const { response } = await openaiAt(home).chat.completions.create({ model: "house", messages }).withResponse();
    const id = response.headers.get("x-skillward-injection") ?? "";
    const headers = { authorization: `Bearer ${await home.newKey("reader", ["claude"])}` };
    const refused = await fetch(`${home.url}/api/injections/${id}`, { headers });
    expect([refused.status, await refused.text()]).toEqual([403, expect.not.stringContaining("writing")]);
    const embedded = await openaiAt(home).embeddings.create({ model: "house", input: "a" }).withResponse();
    expect(embedded.response.headers.get("x-skillward-injection")).toBeNull();
    expect(embedded.response.headers.get("x-skillward-generation")).toMatch(/^\d+$/);
  });
});
