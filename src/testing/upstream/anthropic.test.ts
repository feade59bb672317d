import Anthropic from "@anthropic-ai/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Upstream } from "./script.ts";
import { startUpstream } from "./upstream.ts";

const messages = [{ role: "user" as const, content: "What is the weather?" }];
const asked = { model: "large", max_tokens: 100, messages };
const toolCall = { name: "get_weather", input: { city: "Zürich", unit: "°C", days: [1, 2, 3] } };

let upstream: Upstream;
let client: Anthropic;

beforeEach(async () => {
  upstream = await startUpstream({ secret: "sk-right", models: ["large", "small"] });
  client = new Anthropic({ baseURL: upstream.url, apiKey: "sk-right", maxRetries: 0 });
});

afterEach(() => upstream.close());

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

describe("messages", () => {
  it("CO-17: the official client reads text and a tool call", async () => {
    upstream.next({ text: "Let me look.", toolCall });
    const message = await client.messages.create(asked);
    expect(message).toMatchObject({ role: "assistant", model: "large", stop_reason: "tool_use", _request_id: "req_1" });
    expect(message.content).toMatchObject([
      { type: "text", text: "Let me look." },
      { type: "tool_use", name: "get_weather", input: toolCall.input },
    ]);
  });

  it.each([
    { text: "It rains in Zürich 🌧." },
    { toolCall },
    { text: "Let me look.", toolCall },
    { toolCall: { name: "now", input: {} } },
  ])("CO-17: what the official client puts together of the stream is what it reads unstreamed: %j", async (script) => {
    upstream.always(script);
    const streamed = await client.messages.stream(asked).finalMessage();
    const plain = await client.messages.create(asked);
    expect(streamed.content.map(withoutId)).toEqual(plain.content.map(withoutId));
    expect(streamed.stop_reason).toBe(plain.stop_reason);
    expect(streamed.usage.output_tokens).toBe(plain.usage.output_tokens);
  });

  it("CO-17: events come in the order of the service", async () => {
    upstream.next({ text: "It rains.", toolCall: { name: "look", input: {} } });
    const events = await all(await client.messages.create({ ...asked, stream: true }));
    expect(events.map(({ type }) => type)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  it("CO-17: tokens are counted, models are listed in the shape of this protocol", async () => {
    const { input_tokens: tokens } = await client.messages.countTokens({ model: "large", messages });
    const models = await all(client.models.list());
    expect(tokens).toBe(Math.ceil((upstream.requests[0]?.body.length ?? 0) / 4));
    expect(models.map(({ id, type, display_name: shown }) => [id, type, shown])).toEqual([
      ["large", "model", "large"],
      ["small", "model", "small"],
    ]);
  });
});

/** Ids count requests. */
function withoutId(block: object): object {
  return { ...block, id: "" };
}

describe("errors", () => {
  it("CO-17: a wrong key is a 401 of the protocol; the right one is taken in both places", async () => {
    const wrong = client.withOptions({ apiKey: "sk-wrong" }).messages.create(asked);
    await expect(wrong).rejects.toThrow(Anthropic.AuthenticationError);
    await expect(wrong).rejects.toMatchObject({ type: "authentication_error", requestID: "req_1" });
    const older = { headers: { authorization: null, "x-api-key": "sk-right" } };
    expect(await client.messages.create(asked, older)).toMatchObject({ id: "msg_2" });
  });

  it("CO-17: what the service does not accept is a 400: no version, a parameter that the version removed", async () => {
    const bare = client.messages.create(asked, { headers: { "anthropic-version": null } });
    await expect(bare).rejects.toThrow(Anthropic.BadRequestError);
    const warm = { body: { ...asked, temperature: 0.5 } };
    await expect(client.post("/v1/messages", warm)).rejects.toThrow(/temperature/);
    const older = { ...warm, headers: { "anthropic-version": "2023-06-01" } };
    expect(await client.post("/v1/messages", older)).toMatchObject({ type: "message" });
  });

  it.each([
    [400, Anthropic.BadRequestError, "invalid_request_error"],
    [403, Anthropic.PermissionDeniedError, "permission_error"],
    [404, Anthropic.NotFoundError, "not_found_error"],
    [429, Anthropic.RateLimitError, "rate_limit_error"],
    [500, Anthropic.InternalServerError, "api_error"],
    [529, Anthropic.InternalServerError, "overloaded_error"],
  ])("CO-17: a scripted %d is the client's own error", async (status, kind, type) => {
    upstream.next({ status });
    const refused = await client.messages.create(asked).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(kind);
    expect(refused).toMatchObject({ status, type, apiMessage: `The upstream answers ${status}.` });
  });

  it("CO-17: an error in the middle of a stream is thrown by the client", async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    upstream.next({ chunks: [`event: error\ndata: ${JSON.stringify(error)}\n\n`] });
    const events = all(await client.messages.create({ ...asked, stream: true }));
    await expect(events).rejects.toMatchObject({ type: "overloaded_error" });
  });
});
