import OpenAI, { toFile } from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Upstream } from "./script.ts";
import { startUpstream } from "./upstream.ts";

const messages = [{ role: "user" as const, content: "What is the weather?" }];
const toolCall = { name: "get_weather", input: { city: "Zürich", unit: "°C", days: [1, 2, 3] } };
const tools = [{ type: "function" as const, function: { name: "get_weather", parameters: { type: "object" } } }];

let upstream: Upstream;
let client: OpenAI;

beforeEach(async () => {
  upstream = await startUpstream({ secret: "sk-right", models: ["large", "small"] });
  client = new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey: "sk-right", maxRetries: 0 });
});

afterEach(() => upstream.close());

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

describe("chat completions", () => {
  it("CO-17: the official client reads text", async () => {
    upstream.next({ text: "It rains." });
    const { choices, model, usage } = await client.chat.completions.create({ model: "large", messages });
    expect(choices[0]).toMatchObject({ message: { role: "assistant", content: "It rains." }, finish_reason: "stop" });
    expect([model, usage?.total_tokens]).toEqual(["large", (usage?.prompt_tokens ?? 0) + 2]);
  });

  it("CO-17: the official client reads a tool call", async () => {
    upstream.next({ toolCall });
    const { choices } = await client.chat.completions.create({ model: "large", messages, tools });
    const call = choices[0]?.message.tool_calls?.[0];
    expect(choices[0]).toMatchObject({ message: { content: null }, finish_reason: "tool_calls" });
    expect(call?.type === "function" && JSON.parse(call.function.arguments)).toEqual(toolCall.input);
  });

  it("CO-17: the official client streams text to its end, with usage in a chunk of its own", async () => {
    upstream.next({ text: "It rains in Zürich 🌧." });
    const options = { stream_options: { include_usage: true } };
    const chunks = await all(
      await client.chat.completions.create({ model: "large", messages, stream: true, ...options }),
    );
    expect(chunks.map(({ choices }) => choices[0]?.delta.content)).toEqual([
      "",
      "It ",
      "rains ",
      "in ",
      "Zürich ",
      "🌧.",
      undefined,
      undefined,
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([...Array(6).fill(null), "stop", undefined]);
    expect(chunks.map(({ usage }) => usage?.completion_tokens ?? usage)).toEqual([...Array(7).fill(null), 5]);
  });

  it("CO-17: the official client puts a streamed message together again, tool call included", async () => {
    upstream.next({ text: "Let me look.", toolCall });
    const final = await client.chat.completions.stream({ model: "large", messages, tools }).finalChatCompletion();
    const call = final.choices[0]?.message.tool_calls?.[0];
    expect(final.choices[0]).toMatchObject({ message: { content: "Let me look." }, finish_reason: "tool_calls" });
    expect(call?.function).toMatchObject({ name: "get_weather", arguments: JSON.stringify(toolCall.input) });
  });
});

describe("responses", () => {
  it("CO-17: the official client reads text and a tool call", async () => {
    upstream.next({ text: "Let me look.", toolCall });
    const response = await client.responses.create({ model: "large", input: "What is the weather?" });
    expect(response).toMatchObject({ status: "completed", output_text: "Let me look.", model: "large" });
    expect(response.output[1]).toMatchObject({ type: "function_call", name: "get_weather", call_id: "call_1" });
  });

  it.each([{ text: "It rains in Zürich." }, { toolCall }, { text: "Let me look.", toolCall }])(
    "CO-17: what the official client puts together of the stream is what it reads unstreamed: %j",
    async (script) => {
      upstream.always(script);
      const asked = { model: "large", input: "What is the weather?" };
      const streamed = await client.responses.stream(asked).finalResponse();
      const plain = await client.responses.create(asked);
      expect(JSON.parse(withoutIds(streamed.output))).toEqual(JSON.parse(withoutIds(plain.output)));
      expect(streamed.output_text).toBe(plain.output_text);
    },
  );

  it("CO-17: events are numbered and in the order of the service", async () => {
    upstream.next({ text: "It rains.", toolCall: { name: "look", input: {} } });
    const events = await all(await client.responses.create({ model: "large", input: "Hello", stream: true }));
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
    expect(events.map(({ type }) => type.replace("response.", ""))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ]);
  });
});

/** Ids count requests; `parsed_arguments` is the client's own. */
function withoutIds(output: object): string {
  return JSON.stringify(output, (key, value: unknown) => (/^(id|call_id|parsed.*)$/.test(key) ? undefined : value));
}

describe("the others", () => {
  it("CO-17: completions, plain and streamed", async () => {
    upstream.always({ text: "once upon a time" });
    const plain = await client.completions.create({ model: "large", prompt: "Tell me" });
    const parts = await all(await client.completions.create({ model: "large", prompt: "Tell me", stream: true }));
    expect(plain.choices[0]).toMatchObject({ text: "once upon a time", finish_reason: "stop" });
    expect(parts.map(({ choices }) => choices[0]?.text).join("")).toBe("once upon a time");
    expect(parts.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, null, null, "stop"]);
  });

  it("CO-17: embeddings are the same packed and as numbers, and differ by their input", async () => {
    const ask = { model: "large", input: ["rain", "sun", "rain"] };
    const packed = await client.embeddings.create(ask);
    const numbers = await client.embeddings.create({ ...ask, encoding_format: "float" });
    const [rain, sun, again] = packed.data.map(({ embedding }) => Array.from(embedding));
    expect(numbers.data.map(({ embedding }) => embedding)).toEqual([rain, sun, again]);
    expect(again).toEqual(rain);
    expect(sun).not.toEqual(rain);
    expect(Math.hypot(...(rain ?? []))).toBeCloseTo(1, 5);
  });

  it("CO-17: moderations", async () => {
    const { results } = await client.moderations.create({ input: ["a", "b"] });
    expect(results.map(({ flagged, categories }) => [flagged, categories["self-harm"]])).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  it("CO-17: transcriptions of an uploaded file, plain, as text and streamed", async () => {
    upstream.always({ text: "It rains." });
    const ask = { model: "large", file: await toFile(Buffer.from([0, 255, 13, 10]), "rain.mp3") };
    const events = await all(await client.audio.transcriptions.create({ ...ask, stream: true }));
    expect((await client.audio.transcriptions.create(ask)).text).toBe("It rains.");
    expect(await client.audio.transcriptions.create({ ...ask, response_format: "text" })).toBe("It rains.\n");
    expect(events.map((event) => ("delta" in event ? event.delta : event.type))).toEqual([
      "It ",
      "rains.",
      "transcript.text.done",
    ]);
    expect(Buffer.from(upstream.requests[0]?.body ?? []).includes(Buffer.from([0, 255, 13, 10]))).toBe(true);
  });

  it("CO-17: speech is bytes that are no text", async () => {
    const speech = await client.audio.speech.create({ model: "large", voice: "alloy", input: "It rains." });
    expect(speech.headers.get("content-type")).toBe("audio/mpeg");
    expect(Buffer.from(await speech.arrayBuffer()).toString("hex")).toBe("4944330400fffb900080");
  });

  it("CO-17: images, drawn and edited, plain and streamed", async () => {
    const ask = { model: "large", prompt: "Rain" };
    const image = await toFile(Buffer.from("no picture"), "rain.png", { type: "image/png" });
    const drawn = await client.images.generate(ask);
    const edited = await client.images.edit({ ...ask, image });
    const events = [
      ...(await all(await client.images.generate({ ...ask, stream: true }))),
      ...(await all(await client.images.edit({ ...ask, image, stream: true }))),
    ];
    expect(
      Buffer.from(drawn.data?.[0]?.b64_json ?? "", "base64")
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    expect(edited.data).toEqual(drawn.data);
    expect(events.map(({ type }) => type)).toEqual(["image_generation.completed", "image_edit.completed"]);
  });

  it("CO-17: models", async () => {
    expect((await all(client.models.list())).map(({ id }) => id)).toEqual(["large", "small"]);
  });
});

describe("errors", () => {
  const ask = (): Promise<unknown> => client.chat.completions.create({ model: "large", messages });

  it("CO-17: a wrong key is a 401 of the protocol and uses up no script", async () => {
    upstream.next({ text: "for the right key" });
    const wrong = client.withOptions({ apiKey: "sk-wrong" }).chat.completions.create({ model: "large", messages });
    await expect(wrong).rejects.toThrow(OpenAI.AuthenticationError);
    await expect(wrong).rejects.toMatchObject({ code: "invalid_api_key", requestID: "req_1" });
    expect(await ask()).toMatchObject({ choices: [{ message: { content: "for the right key" } }] });
  });

  it.each([
    [400, OpenAI.BadRequestError],
    [403, OpenAI.PermissionDeniedError],
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
    [503, OpenAI.InternalServerError],
  ])("CO-17: a scripted %d is the client's own error, with headers", async (status, kind) => {
    upstream.next({ status, headers: { "Retry-After": "7" } });
    const refused = await ask().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(kind);
    expect(refused).toMatchObject({ status, error: { message: `The upstream answers ${status}.` } });
    expect(refused instanceof OpenAI.APIError && refused.headers?.get("retry-after")).toBe("7");
  });

  it("CO-17: an unknown place and a body that is no JSON are refused as by the service", async () => {
    await expect(client.post("/chat/nothing", { body: {} })).rejects.toThrow(OpenAI.NotFoundError);
    await expect(client.get("/constructor")).rejects.toThrow(OpenAI.NotFoundError);
    const headers = { "content-type": "application/json" };
    await expect(client.post("/chat/completions", { body: "{", headers })).rejects.toThrow(OpenAI.BadRequestError);
  });
});
