import OpenAI, { toFile } from "openai";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { runSync } from "../../src/registry/sync/sync.ts";
import { fixedClock } from "../../src/testing/fixed-clock.ts";
import { attach } from "../../src/models/attachments.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { all, compositionOf, failureOf, latin1, openaiAt } from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome, upstreamModel, upstreamSecret } from "../support/gateway-home.ts";
import { ada, say } from "../support/registry.ts";
import { allow } from "../support/permits.ts";
import { permitLlm } from "../../src/models/context.ts";

const question = "What is the weather in Zürich? 🌧";
const messages = [{ role: "user" as const, content: question }];
const toolCall = { name: "get_weather", input: { city: "Zürich", unit: "°C", days: [1, 2, 3] } };
const tools = [{ type: "function" as const, function: { name: "get_weather", parameters: { type: "object" } } }];

let home: GatewayHome;
let client: OpenAI;
/** What stands in front of the first user's words. */
let front: string;

beforeEach(async () => {
  home = await gatewayHome();
  client = openaiAt(home);
  front = `${(await compositionOf(home, "house")).block}\n\n`;
});

/** The body of the nth request that arrived. */
function arrived(n: number): unknown {
  return JSON.parse(home.upstream.requests[n - 1]?.text ?? "null");
}

function paths(): string[] {
  return home.upstream.requests.map(({ method, path }) => `${method} ${path}`);
}

describe("chat", () => {
  it("CO-15, CO-17: the model's name leads to a configuration, to one of its models or to a task", async () => {
    home.upstream.always({ text: "It rains." });
    for (const model of ["house", "house/large", "task:sum-up"]) {
      const { choices } = await client.chat.completions.create({ model, messages });
      expect(choices[0]).toMatchObject({ message: { role: "assistant", content: "It rains." }, finish_reason: "stop" });
    }
    const own = openaiAt(home, "/c/house");
    expect((await own.chat.completions.create({ model: "any-model", messages })).model).toBe("any-model");

    expect(paths()).toEqual(Array(4).fill("POST /v1/chat/completions"));
    const asked = [{ role: "user", content: front + question }];
    expect([1, 2, 3, 4].map(arrived)).toEqual(
      [upstreamModel, "large", upstreamModel, "any-model"].map((model) => ({ model, messages: asked })),
    );
    expect(front).toContain("Write plainly.");
    expect(front).toContain("Draw boldly.");
  });

  it("CO-17: a task has its own skills behind those of its configuration", async () => {
    home.folder.writeSkill("summing", "Sum up in one sentence.\n");
    await say(home.app, ada, "approve", await synced("summing"));
    await attach(permitLlm(home.app, "operate"), "task:sum-up", "skills:summing");
    await client.chat.completions.create({ model: "task:sum-up", messages });
    const { block } = await compositionOf(home, "house", "sum-up");
    expect(block).toContain("Sum up in one sentence.");
    expect(arrived(1)).toEqual({
      model: upstreamModel,
      messages: [{ role: "user", content: `${block}\n\n${question}` }],
    });
  });

  it("CO-17: a stream is read to its end, with usage in a chunk of its own", async () => {
    home.upstream.next({ text: "It rains in Zürich 🌧." });
    const wishes = { stream: true, stream_options: { include_usage: true } } as const;
    const chunks = await all(await client.chat.completions.create({ model: "house", messages, ...wishes }));
    const words = ["", "It ", "rains ", "in ", "Zürich ", "🌧.", undefined, undefined];
    expect(chunks.map(({ choices }) => choices[0]?.delta.content)).toEqual(words);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(5);
    const asked = [{ role: "user", content: front + question }];
    expect(arrived(1)).toEqual({ model: upstreamModel, messages: asked, ...wishes });
  });

  it("CO-17: tools are called, plain and streamed, and their results go back", async () => {
    home.upstream.always({ text: "Let me look.", toolCall });
    const plain = await client.chat.completions.create({ model: "house", messages, tools });
    const streamed = await client.chat.completions.stream({ model: "house", messages, tools }).finalChatCompletion();
    for (const { choices } of [plain, streamed]) {
      const call = choices[0]?.message.tool_calls?.[0];
      expect(choices[0]).toMatchObject({ message: { content: "Let me look." }, finish_reason: "tool_calls" });
      expect(call?.type === "function" && JSON.parse(call.function.arguments)).toEqual(toolCall.input);
    }
    const said = plain.choices[0]?.message;
    const result = { role: "tool" as const, tool_call_id: said?.tool_calls?.[0]?.id ?? "", content: "12°" };
    const turns = [...messages, ...(said === undefined ? [] : [said]), result];
    home.upstream.next({ text: "It is 12°." });
    const last = await client.chat.completions.create({ model: "house", messages: turns, tools });
    expect(last.choices[0]?.message.content).toBe("It is 12°.");
    const [, ...rest] = turns;
    expect(arrived(3)).toEqual({
      model: upstreamModel,
      messages: [{ role: "user", content: front + question }, ...rest],
      tools,
    });
  });

  it("CO-8, CO-9: images stay as they are behind a part with the skills", async () => {
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=", detail: "low" } },
      { type: "text", text: "What is this?" },
    ];
    const system = { role: "system" as const, content: "Answer in one word." };
    await client.chat.completions.create({ model: "house", messages: [system, { role: "user", content }] });
    const block = { type: "text", text: front.slice(0, -2) };
    expect(arrived(1)).toEqual({
      model: upstreamModel,
      messages: [system, { role: "user", content: [block, ...content] }],
    });
  });
});

/** Syncs a skill that was written, and says its id. */
async function synced(name: string): Promise<string> {
  await runSync(home.app.sync, allow(ada), "skills");
  return `skills:${name}`;
}

describe("responses and completions", () => {
  it("CO-17: responses are read, plain and streamed, with a tool call", async () => {
    home.upstream.always({ text: "Let me look.", toolCall });
    const plain = await client.responses.create({ model: "house", input: question });
    expect(plain).toMatchObject({ status: "completed", output_text: "Let me look.", model: upstreamModel });
    expect(plain.output[1]).toMatchObject({ type: "function_call", name: "get_weather", call_id: "call_1" });
    const input = [{ role: "user" as const, content: question }];
    const streamed = await client.responses.stream({ model: "house/large", input }).finalResponse();
    expect(streamed).toMatchObject({ status: "completed", output_text: "Let me look.", model: "large" });
    expect(arrived(1)).toEqual({ model: upstreamModel, input: front + question });
    expect(arrived(2)).toEqual({
      model: "large",
      input: [{ role: "user", content: front + question }],
      stream: true,
    });
  });

  it.each(["plain", "streamed"])("CO-8: what goes on from a response gets the same skills once: %s", async (how) => {
    const ask = async (previous: string | undefined, input = question) => {
      const asked = { model: "house", input, ...(previous === undefined ? {} : { previous_response_id: previous }) };
      const answer = how === "plain" ? client.responses.create(asked) : client.responses.stream(asked).finalResponse();
      return (await answer).id;
    };
    const first = await ask(undefined);
    const second = await ask(first, "And tomorrow?");
    await ask(second, "And then?");
    await ask("resp_of_somebody_else", "Go on.");
    const inputs = home.upstream.requests.map(({ text }): unknown => JSON.parse(text).input);
    expect(inputs).toEqual([front + question, "And tomorrow?", "And then?", `${front}Go on.`]);
  });

  it("CO-17: completions are read, plain and streamed; every prompt of a list is one of its own", async () => {
    home.upstream.always({ text: "there was a house." });
    const { choices } = await client.completions.create({ model: "house", prompt: "Once" });
    expect(choices[0]).toMatchObject({ text: "there was a house.", finish_reason: "stop" });
    const stream = await client.completions.create({ model: "house", prompt: ["Once", "Twice"], stream: true });
    expect((await all(stream)).map((chunk) => chunk.choices[0]?.text ?? "").join("")).toBe("there was a house.");
    expect(arrived(1)).toEqual({ model: upstreamModel, prompt: `${front}Once` });
    expect(arrived(2)).toEqual({ model: upstreamModel, prompt: [`${front}Once`, `${front}Twice`], stream: true });
  });
});

/** All bytes there are, line breaks and what looks like a boundary among them. */
const sound = Buffer.concat([
  Buffer.from("\r\n--\r\n----formdata-undici\r\n\0"),
  ...Array.from({ length: 64 }, () => Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))),
]);

describe("what is never injected", () => {
  /** Everything but the form, whose boundary each client makes up. */
  const calls: Record<string, (ask: OpenAI, model: string) => Promise<unknown>> = {
    embeddings: (ask, model) => ask.embeddings.create({ model, input: [question, "two"], dimensions: 4 }),
    "embeddings as numbers": (ask, model) =>
      ask.embeddings.create({ model, input: question, encoding_format: "float" }),
    moderations: async (ask, model) => (await ask.moderations.create({ model, input: question })).results,
    images: (ask, model) => ask.images.generate({ model, prompt: question, size: "1024x1024" }),
    "streamed images": async (ask, model) =>
      all(await ask.images.generate({ model, prompt: question, stream: true, partial_images: 0 })),
    speech: async (ask, model) =>
      latin1(
        Buffer.from(await (await ask.audio.speech.create({ model, input: question, voice: "alloy" })).arrayBuffer()),
      ),
  };

  it("CO-9, CO-17: is answered as the service itself answers it, and arrives as it was sent", async () => {
    const direct = new OpenAI({ baseURL: `${home.upstream.url}/v1`, apiKey: upstreamSecret, maxRetries: 0 });
    for (const call of Object.values(calls)) {
      const before = home.upstream.requests.length;
      const answers = [
        await call(direct, upstreamModel),
        await call(openaiAt(home, "/c/house"), upstreamModel),
        await call(client, "house"),
      ];
      expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
      const requests = home.upstream.requests.slice(before).map(({ path, text }) => ({ path, text }));
      expect(requests.slice(1)).toEqual([requests[0], requests[0]]);
    }
  });

  it("CO-9, CO-17: files are uploaded, and transcripts come back plain, as text and streamed", async () => {
    home.upstream.always({ text: "It rains." });
    const file = () => toFile(sound, "rain.wav", { type: "audio/wav" });
    const model = "house";
    const { text } = await client.audio.transcriptions.create({ model, file: await file(), prompt: "Rain." });
    expect(text).toBe("It rains.");
    const wishes = { model, file: await file(), response_format: "text" } as const;
    expect(await client.audio.transcriptions.create(wishes)).toBe("It rains.\n");
    const stream = await client.audio.transcriptions.create({ model, file: await file(), stream: true });
    expect((await all(stream)).at(-1)).toMatchObject({ type: "transcript.text.done", text: "It rains." });
    const edited = await client.images.edit({ model, image: await toFile(sound, "a.png"), prompt: "Less rain." });
    expect(edited.data).toHaveLength(1);

    for (const { body, text: form } of home.upstream.requests) {
      expect(Buffer.from(body).includes(sound)).toBe(true);
      expect(form).toContain(`name="model"\r\n\r\n${upstreamModel}\r\n`);
      expect(form).not.toContain("Write plainly.");
    }
    expect(paths()).toEqual([...Array(3).fill("POST /v1/audio/transcriptions"), "POST /v1/images/edits"]);
  });

  it("CO-15: models are listed and looked up by the names that can be asked for, without asking anybody", async () => {
    const plain = (await all(client.models.list())).map(({ id }) => id);
    expect(plain.toSorted()).toEqual(["claude", "echo", "house", "task:sum-up"]);
    expect(await client.models.retrieve("task:sum-up")).toMatchObject({ id: "task:sum-up", object: "model" });
    expect((await client.models.retrieve("house/any")).id).toBe("house/any");
    const own = openaiAt(home, "/c/house");
    expect((await all(own.models.list())).map(({ id }) => id)).toEqual([upstreamModel]);
    expect((await own.models.retrieve("any/model")).id).toBe("any/model");
    expect(await failureOf(client.models.retrieve("nothing"))).toMatchObject({ status: 404, code: "record.missing" });
    expect(home.upstream.requests).toEqual([]);
  });
});

describe("failures", () => {
  const ask = (from: OpenAI, model = "house") => from.chat.completions.create({ model, messages });

  async function expectFailure(
    asking: Promise<unknown>,
    kind: new (...args: never) => Error,
    status: number,
    code: string,
    message: RegExp,
  ): Promise<void> {
    const error = await failureOf(asking);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status, code, param: null, requestID: expect.stringMatching(/^req_/) });
    expect(error instanceof Error && error.message).toMatch(message);
  }

  it("CO-16: what is refused before it leaves has the client's own error, with our code", async () => {
    const limited = await home.newKey("reader", ["claude"]);
    const wrong = openaiAt(home, "", { key: "swk_wrong" });
    await expectFailure(ask(wrong), OpenAI.AuthenticationError, 401, "auth.failed", /valid API key/);
    const other = openaiAt(home, "", { key: limited });
    await expectFailure(ask(other), OpenAI.PermissionDeniedError, 403, "auth.forbidden", /limited/);
    await expectFailure(ask(client, "nobody"), OpenAI.NotFoundError, 404, "record.missing", /nobody/);
    await expectFailure(ask(client, "task:none"), OpenAI.NotFoundError, 404, "record.missing", /none/);
    await expectFailure(
      ask(client, "claude"),
      OpenAI.BadRequestError,
      400,
      "usage.invalid",
      /speaks anthropic.*nothing is translated/,
    );
    await expectFailure(
      client.post("/chat/completions", { body: {} }),
      OpenAI.BadRequestError,
      400,
      "usage.invalid",
      /model/,
    );
    await expectFailure(
      client.post("/fine_tuning/jobs", { body: {} }),
      OpenAI.NotFoundError,
      404,
      "record.missing",
      /no POST/,
    );
    const foreign = openaiAt(home, "", { headers: { origin: "https://elsewhere.example" } });
    await expectFailure(ask(foreign), OpenAI.APIError, 421, "host.refused", /origin/i);
    expect(home.upstream.requests).toEqual([]);
  });

  it("CO-15, T41: models that are not listed, too much and too often", async () => {
    home = await gatewayHome({
      models: [upstreamModel],
      config: "gateway:\n  body-bytes: 2KiB\n  requests-per-minute: 4\n",
      world: { clock: fixedClock() },
    });
    client = openaiAt(home);
    await expectFailure(ask(client, "house/large"), OpenAI.PermissionDeniedError, 403, "model.refused", /large/);
    const own = openaiAt(home, "/c/house");
    await expectFailure(ask(own, "large"), OpenAI.PermissionDeniedError, 403, "model.refused", /large/);
    const long = [{ role: "user" as const, content: "a".repeat(3000) }];
    const much = client.chat.completions.create({ model: "house", messages: long });
    await expectFailure(much, OpenAI.APIError, 413, "request.too-large", /2048/);
    expect(home.upstream.requests).toEqual([]);
    await ask(client);
    await expectFailure(ask(client), OpenAI.RateLimitError, 429, "request.too-many", /minute/);
    expect(home.upstream.requests).toHaveLength(1);
  });

  it("CO-16: what the way out or the service does has its code; what the service says is said as it was", async () => {
    const away = { protocol: "openai", origin: "http://127.0.0.1:9", models: ["*"] } as const;
    await addProvider(permitLlm(home.app, "administer"), "away", away, "sk-away-0123456789abcdef");
    await addConfiguration(permitLlm(home.app, "operate"), "away", { provider: "away", model: "m" });
    await expectFailure(ask(client, "away"), OpenAI.InternalServerError, 502, "egress.refused", /127\.0\.0\.1/);
    home.upstream.next({ status: 401 });
    await expectFailure(ask(client), OpenAI.InternalServerError, 502, "upstream.refused", /does not accept the key/);
    home.upstream.next({ redirect: "https://elsewhere.example/v1" });
    await expectFailure(ask(client), OpenAI.InternalServerError, 502, "upstream.invalid", /redirects are not followed/);
    home.upstream.next({ resetAfter: 0 });
    await expectFailure(
      ask(client),
      OpenAI.InternalServerError,
      502,
      "upstream.unreachable",
      /closed the connection|reach/,
    );
    home.upstream.next({ status: 429, headers: { "retry-after": "7" } });
    const limited = await failureOf(ask(client));
    expect(limited).toBeInstanceOf(OpenAI.RateLimitError);
    expect(limited).toMatchObject({ code: "rate_limit_exceeded", message: "429 The upstream answers 429." });
    expect(limited instanceof OpenAI.APIError && limited.headers?.get("retry-after")).toBe("7");
    expect((await ask(client)).choices).toHaveLength(1);
  });

  it("CO-16: a service that says nothing for too long is given up", async () => {
    home = await gatewayHome({ config: "gateway:\n  headers-seconds: 1\n" });
    home.upstream.always({ hang: "before-headers" });
    const asking = ask(openaiAt(home));
    await expectFailure(asking, OpenAI.InternalServerError, 504, "upstream.timeout", /127\.0\.0\.1/);
    await home.upstream.gone(1);
    expect(home.upstream.requests[0]?.aborted).toBe(true);
  });

  it("CO-16: a refusal that lasts is not asked again by a client that retries; one that passes is", async () => {
    const patient = openaiAt(home, "", { maxRetries: 1 });
    home.upstream.next({ status: 401 });
    await expectFailure(ask(patient), OpenAI.InternalServerError, 502, "upstream.refused", /key/);
    expect(home.upstream.requests).toHaveLength(1);
    home.upstream.next({ status: 503, headers: { "retry-after-ms": "1" } });
    expect((await ask(patient)).choices).toHaveLength(1);
    expect(home.upstream.requests).toHaveLength(3);
    expect(home.upstream.requests[2]?.text).toBe(home.upstream.requests[1]?.text);
  });
});

describe("leaving", () => {
  it("CO-16: whoever leaves while waiting or in a stream is not waited for: the upstream sees it", async () => {
    home.upstream.next({ hang: "before-headers" });
    const timeout = 987_654;
    const timer = holdTimer(timeout);
    const hasty = failureOf(chat(openaiAt(home, "", { timeout })));
    await home.upstream.received(1);
    timer.end();
    expect(await hasty).toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
    await home.upstream.gone(1);

    home.upstream.next({ hang: "before-headers" });
    const leaving = new AbortController();
    const asking = failureOf(chat(client, { signal: leaving.signal }));
    await home.upstream.received(2);
    leaving.abort();
    expect(await asking).toBeInstanceOf(OpenAI.APIUserAbortError);
    await home.upstream.gone(2);

    for (const [at, open] of [openChat, openResponse, openTranscript].entries()) {
      home.upstream.next({ chunks: ['data: {"type":"first"}\n\n', "data: never sent\n\n"] });
      const stream = await open();
      const { value } = await stream[Symbol.asyncIterator]().next();
      expect(value).toMatchObject({ type: "first" });
      stream.controller.abort();
      await home.upstream.gone(at + 3);
    }
    expect((await chat(client)).choices).toHaveLength(1);
    expect(home.upstream.requests.map(({ aborted }) => aborted)).toEqual([...Array(5).fill(true), false]);
  });

  /** Until the test is over, timers that are this long end when the test says so. */
  function holdTimer(milliseconds: number): { end: () => void } {
    const { setTimeout: real } = globalThis;
    const ends: (() => void)[] = [];
    const held = (...given: Parameters<typeof real>) => {
      const [act, after] = given;
      if (after !== milliseconds) return real(...given);
      ends.push(act);
      return real(() => {}, 0);
    };
    vi.stubGlobal("setTimeout", held);
    onTestFinished(() => void vi.unstubAllGlobals());
    return { end: () => ends.forEach((act) => act()) };
  }

  const chat = (from: OpenAI, options = {}) => from.chat.completions.create({ model: "house", messages }, options);
  const wishes = { model: "house", stream: true } as const;
  const openChat = () => client.chat.completions.create({ ...wishes, messages });
  const openResponse = () => client.responses.create({ ...wishes, input: question });
  const openTranscript = async () =>
    client.audio.transcriptions.create({ ...wishes, file: await toFile(sound, "rain.wav") });
});
