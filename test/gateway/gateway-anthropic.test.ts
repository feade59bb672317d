import Anthropic from "@anthropic-ai/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { fixedClock } from "../../src/testing/fixed-clock.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { all, anthropicAt, compositionOf, failureOf } from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome, upstreamModel, upstreamSecret } from "../support/gateway-home.ts";
import { permitLlm } from "../../src/models/context.ts";

const question = "What is the weather in Zürich? 🌧";
const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
const asked = { model: "claude", max_tokens: 100, messages };
const toolCall = { name: "get_weather", input: { city: "Zürich", unit: "°C", days: [1, 2, 3] } };
const tools: Anthropic.Tool[] = [{ name: "get_weather", input_schema: { type: "object" } }];

let home: GatewayHome;
let client: Anthropic;
let block: string;

beforeEach(async () => {
  home = await gatewayHome();
  client = anthropicAt(home);
  block = (await compositionOf(home, "claude")).block;
});

/** The body of the nth request that arrived. */
function arrived(n: number): unknown {
  return JSON.parse(home.upstream.requests[n - 1]?.text ?? "null");
}

/** What became of the question. */
function injected(): object {
  return { role: "user", content: `${block}\n\n${question}` };
}

describe("messages", () => {
  it("CO-15, CO-17: the model's name leads to a configuration or to one of its models", async () => {
    home.upstream.always({ text: "It rains." });
    for (const model of ["claude", "claude/large"])
      expect((await client.messages.create({ ...asked, model })).content).toMatchObject([{ text: "It rains." }]);
    const own = anthropicAt(home, "/c/claude");
    expect((await own.messages.create({ ...asked, model: "any-model" })).model).toBe("any-model");

    const models = [upstreamModel, "large", "any-model"];
    expect([1, 2, 3].map(arrived)).toEqual(models.map((model) => ({ model, max_tokens: 100, messages: [injected()] })));
    for (const request of home.upstream.requests) {
      expect([request.method, request.path]).toEqual(["POST", "/v1/messages"]);
      expect([request.header("x-api-key"), request.header("authorization")]).toEqual([upstreamSecret, undefined]);
      // As the client says it, whichever version it speaks.
      expect(request.header("anthropic-version")).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
    expect(block).toContain("Write plainly.");
  });

  it("CO-17: a stream has its events in their order, and the helper puts the message together", async () => {
    home.upstream.always({ text: "It rains in Zürich 🌧.", toolCall });
    const stream = client.messages.stream({ ...asked, tools });
    const seen = { texts: [] as string[], inputs: [] as unknown[], types: [] as string[], blocks: 0 };
    stream.on("text", (text) => seen.texts.push(text));
    stream.on("inputJson", (_part, snapshot) => seen.inputs.push(snapshot));
    stream.on("streamEvent", ({ type }) => seen.types.push(type));
    stream.on("contentBlock", () => seen.blocks++);
    const final = await stream.finalMessage();
    expect(seen.texts).toEqual(["It ", "rains ", "in ", "Zürich ", "🌧."]);
    expect(seen.inputs.at(-1)).toEqual(toolCall.input);
    expect([seen.types[0], seen.types.at(-1), seen.blocks]).toEqual(["message_start", "message_stop", 2]);
    const plain = await client.messages.create({ ...asked, tools });
    expect(final.content.map(withoutId)).toEqual(plain.content.map(withoutId));
    expect([final.stop_reason, final.model]).toEqual(["tool_use", upstreamModel]);
    expect(arrived(1)).toEqual({
      model: upstreamModel,
      max_tokens: 100,
      messages: [injected()],
      tools,
      stream: true,
    });
  });

  it("CO-8, CO-17: results of tools come first in a turn, the skills behind them", async () => {
    home.upstream.next({ toolCall });
    const { content, stop_reason: reason } = await client.messages.create({ ...asked, tools });
    expect([content[0]?.type, reason]).toEqual(["tool_use", "tool_use"]);
    const call = content[0];
    const result = {
      type: "tool_result" as const,
      tool_use_id: call?.type === "tool_use" ? call.id : "",
      content: "12°",
    };
    // A conversation that was cut begins with the result.
    const cut: Anthropic.MessageParam[] = [
      { role: "user", content: [result, result, { type: "text", text: "And tomorrow?" }] },
    ];
    await client.messages.create({ ...asked, tools, messages: cut });
    await client.messages.create({
      ...asked,
      tools,
      messages: [...messages, { role: "assistant", content }, { role: "user", content: [result] }],
    });
    const part = { type: "text", text: block };
    expect(arrived(2)).toMatchObject({
      messages: [{ role: "user", content: [result, result, part, { type: "text", text: "And tomorrow?" }] }],
    });
    expect(arrived(3)).toMatchObject({
      messages: [injected(), { role: "assistant", content }, { role: "user", content: [result] }],
    });
  });

  it("CO-8: images, and a system prompt as text or as a list, stay as they are", async () => {
    const content: Anthropic.ContentBlockParam[] = [
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
      { type: "text", text: "What is this?" },
    ];
    const list: Anthropic.TextBlockParam[] = [
      { type: "text", text: "Answer in one word.", cache_control: { type: "ephemeral" } },
    ];
    for (const system of ["Answer in one word.", list])
      await client.messages.create({ ...asked, system, messages: [{ role: "user", content }] });
    const turn = { role: "user", content: [{ type: "text", text: block }, ...content] };
    const rest = { model: upstreamModel, max_tokens: 100, messages: [turn] };
    expect([arrived(1), arrived(2)]).toEqual([
      { ...rest, system: "Answer in one word." },
      { ...rest, system: list },
    ]);
  });

  it("CO-8: with placement system, trusted skills are a part of their own behind the system prompt", async () => {
    home = await gatewayHome({ trust: "first_party", configuration: { placement: "system" } });
    client = anthropicAt(home);
    const { systemBlock, block: userBlock } = await compositionOf(home, "claude");
    const list: Anthropic.TextBlockParam[] = [{ type: "text", text: "Be brief." }];
    await client.messages.create(asked);
    await client.messages.create({ ...asked, system: "Be brief." });
    await client.messages.create({ ...asked, system: list });
    expect([userBlock, systemBlock.includes("Write plainly.")]).toEqual(["", true]);
    const rest = { model: upstreamModel, max_tokens: 100, messages };
    expect([1, 2, 3].map(arrived)).toEqual([
      { ...rest, system: systemBlock },
      { ...rest, system: `Be brief.\n\n${systemBlock}` },
      { ...rest, system: [...list, { type: "text", text: systemBlock }] },
    ]);
  });

  it("CO-15: tokens are counted with the skills; models are those that can be asked for", async () => {
    const { input_tokens: tokens } = await client.messages.countTokens({ model: "claude", messages });
    expect(home.upstream.requests[0]?.path).toBe("/v1/messages/count_tokens");
    expect(arrived(1)).toEqual({ model: upstreamModel, messages: [injected()] });
    expect(tokens).toBe(Math.ceil((home.upstream.requests[0]?.body.length ?? 0) / 4));

    const ids = (await all(client.models.list())).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(["claude", "echo", "house", "task:sum-up"]);
    expect(await client.models.retrieve("claude")).toMatchObject({ type: "model", id: "claude" });
    expect((await all(anthropicAt(home, "/c/claude").models.list())).map(({ id }) => id)).toEqual([upstreamModel]);
    expect(home.upstream.requests).toHaveLength(1);
  });
});

function withoutId(part: Anthropic.ContentBlock): object {
  return { ...part, id: undefined };
}

describe("failures", () => {
  const ask = (from: Anthropic, model = "claude") => from.messages.create({ ...asked, model });

  async function expectFailure(
    asking: Promise<unknown>,
    kind: new (...args: never) => Error,
    status: number,
    type: string,
    message: RegExp,
  ): Promise<void> {
    const error = await failureOf(asking);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status, requestID: expect.stringMatching(/^req_/), error: { type: "error" } });
    expect(error).toMatchObject({ error: { error: { type, message: expect.stringMatching(message) } } });
  }

  it("CO-16: what is refused before it leaves has the client's own error, in its own shape", async () => {
    home = await gatewayHome({
      models: [upstreamModel],
      config: "gateway:\n  body-bytes: 2KiB\n  requests-per-minute: 6\n",
      world: { clock: fixedClock() },
    });
    client = anthropicAt(home);
    const wrong = anthropicAt(home, "", { key: "swk_wrong" });
    await expectFailure(ask(wrong), Anthropic.AuthenticationError, 401, "authentication_error", /valid API key/);
    const limited = anthropicAt(home, "", { key: await home.newKey("reader", ["house"]) });
    await expectFailure(ask(limited), Anthropic.PermissionDeniedError, 403, "permission_error", /limited/);
    await expectFailure(ask(client, "claude/large"), Anthropic.PermissionDeniedError, 403, "permission_error", /large/);
    await expectFailure(ask(client, "nobody"), Anthropic.NotFoundError, 404, "not_found_error", /nobody/);
    await expectFailure(
      ask(client, "house"),
      Anthropic.BadRequestError,
      400,
      "invalid_request_error",
      /speaks openai, and .* is anthropic: nothing is translated/,
    );
    const long = client.messages.create({ ...asked, messages: [{ role: "user", content: "a".repeat(3000) }] });
    await expectFailure(long, Anthropic.APIError, 413, "request_too_large", /2048/);
    expect(home.upstream.requests).toEqual([]);
    await ask(client);
    await ask(client);
    await expectFailure(ask(client), Anthropic.RateLimitError, 429, "rate_limit_error", /minute/);
    expect(home.upstream.requests).toHaveLength(2);
  });

  it("CO-16: what the way out or the service does is told in its shape; what the service says, as it was", async () => {
    const away = { protocol: "anthropic", origin: "http://127.0.0.1:9", models: ["*"] } as const;
    await addProvider(permitLlm(home.app, "administer"), "away", away, "sk-away-0123456789abcdef");
    await addConfiguration(permitLlm(home.app, "operate"), "away", { provider: "away", model: "m" });
    const broken = Anthropic.InternalServerError;
    await expectFailure(ask(client, "away"), broken, 502, "api_error", /127\.0\.0\.1/);
    home.upstream.next({ status: 403 });
    await expectFailure(ask(client), broken, 502, "api_error", /does not accept the key/);
    home.upstream.next({ redirect: "https://elsewhere.example/v1" });
    await expectFailure(ask(client), broken, 502, "api_error", /redirects are not followed/);
    home.upstream.next({ resetAfter: 0 });
    await expectFailure(ask(client), broken, 502, "api_error", /closed the connection|reach/);
    home.upstream.next({ status: 529 });
    const overloaded = await failureOf(ask(client));
    expect(overloaded).toBeInstanceOf(Anthropic.InternalServerError);
    expect(overloaded).toMatchObject({
      status: 529,
      error: { error: { type: "overloaded_error", message: "The upstream answers 529." } },
    });
    expect((await ask(client)).content).toHaveLength(1);
  });

  it("CO-16: whoever leaves while waiting or in a stream is not waited for: the upstream sees it", async () => {
    home.upstream.next({ hang: "before-headers" });
    const leaving = new AbortController();
    const asking = failureOf(client.messages.create(asked, { signal: leaving.signal }));
    await home.upstream.received(1);
    leaving.abort();
    expect(await asking).toBeInstanceOf(Anthropic.APIUserAbortError);
    await home.upstream.gone(1);

    home.upstream.next({ chunks: ['event: ping\ndata: {"type":"ping"}\n\n', "event: never\ndata: {}\n\n"] });
    const { response, data } = await client.messages.create({ ...asked, stream: true }).withResponse();
    expect(response.headers.get("x-skillward-included")).toBe("2");
    data.controller.abort();
    await home.upstream.gone(2);
    expect((await client.messages.create(asked)).content).toHaveLength(1);
  });
});
