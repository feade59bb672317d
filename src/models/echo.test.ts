import Anthropic, {
  BadRequestError as AnthropicBadRequest,
  NotFoundError as AnthropicNotFound,
} from "@anthropic-ai/sdk";
import fc from "fast-check";
import OpenAI, { BadRequestError, NotFoundError } from "openai";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loopback, serveTransport } from "../../test/support/model-loopback.ts";
import { echoModel, piecesOf } from "./echo.ts";
import { echoEmbedder, echoTransport } from "./echo-transport.ts";

let server: Loopback;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  server = await serveTransport(echoTransport());
  openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "none", maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: server.url, apiKey: "none", maxRetries: 0 });
});
afterAll(() => server.close());

const image = "data:image/png;base64,AAAA";
const long = `${"a line with $& and {{input}} 😀\r\n".repeat(40)}\u0000 end`;

const chatMessages = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "<block>" },
      { type: "text", text: long },
      { type: "image_url", image_url: { url: image } },
    ],
  },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "c", content: "42" },
] satisfies OpenAI.ChatCompletionMessageParam[];

const chatText = `[system]\nBe brief.\n\n[user]\n<block>\n${long}\n(image)\n\n[assistant]\n(call of look: {})\n\n[tool]\n42`;

describe("CO-18: OpenAI's official client", () => {
  test("CO-18: a chat comes back as it was received", async () => {
    const answer = await openai.chat.completions.create({ model: "any", messages: chatMessages });
    expect(answer.choices[0]?.message.content).toBe(chatText);
    expect(answer).toMatchObject({ object: "chat.completion", model: "any", choices: [{ finish_reason: "stop" }] });
    expect(answer.usage?.total_tokens).toBe(
      (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
    );
    const again = await openai.chat.completions.create({ model: "any", messages: chatMessages });
    expect(again).toEqual(answer);
    const other = await openai.chat.completions.create({ model: "any", messages: [{ role: "user", content: "x" }] });
    expect(other.id).not.toBe(answer.id);
  });

  test("CO-18: a chat streams in chunks, with the usage at the end", async () => {
    const stream = openai.chat.completions.stream({
      model: "any",
      messages: chatMessages,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe(chatText);
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: Math.ceil(chatText.length / 4) } });
  });

  test("CO-18: completions answer each prompt, plain and streaming", async () => {
    const plain = await openai.completions.create({ model: "any", prompt: ["one", "two"] });
    expect(plain.choices.map(({ text }) => text)).toEqual(["one", "two"]);
    let text = "";
    for await (const chunk of await openai.completions.create({ model: "any", prompt: long, stream: true }))
      text += chunk.choices[0]?.text ?? "";
    expect(text).toBe(long);
    expect((await openai.completions.create({ model: "any", prompt: [1, 2] })).choices[0]?.text).toBe("(tokens)");
  });

  const input: OpenAI.Responses.ResponseInput = [
    {
      role: "user",
      content: [
        { type: "input_text", text: "<block>" },
        { type: "input_image", image_url: image, detail: "auto" },
      ],
    },
    { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output: "42" },
  ];
  const responseText =
    "[system]\nBe brief.\n\n[user]\n<block>\n(image)\n\n[function_call]\n(call of look: {})\n\n[function_call_output]\n42";

  test("CO-18: a response comes back as it was received", async () => {
    const answer = await openai.responses.create({ model: "any", instructions: "Be brief.", input });
    expect(answer.output_text).toBe(responseText);
    expect(answer).toMatchObject({ status: "completed", instructions: "Be brief.", error: null });
    expect((await openai.responses.create({ model: "any", input: "hello" })).output_text).toBe("[user]\nhello");
  });

  test("CO-18: a response streams with numbered events from created to completed", async () => {
    const stream = openai.responses.stream({ model: "any", instructions: "Be brief.", input });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect((await stream.finalResponse()).output_text).toBe(responseText);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(["response.created", "response.completed"]);
  });

  test("CO-18: embeddings, moderations and models have their shapes", async () => {
    const decoded = await openai.embeddings.create({ model: "any", input: ["one", "two", "one"] });
    const plain = await openai.embeddings.create({
      model: "any",
      input: ["one", "two", "one"],
      encoding_format: "float",
    });
    expect(decoded.data.map(({ embedding }) => Array.from(embedding))).toEqual(
      plain.data.map(({ embedding }) => embedding),
    );
    expect(plain.data[0]?.embedding).toEqual(plain.data[2]?.embedding);
    expect(plain.data[0]?.embedding).not.toEqual(plain.data[1]?.embedding);
    expect(await echoEmbedder().embed(["one"])).toEqual([plain.data[0]?.embedding]);
    const moderation = await openai.moderations.create({ input: ["a", "b"] });
    expect(moderation.results.map(({ flagged }) => flagged)).toEqual([false, false]);
    const models: string[] = [];
    for await (const { id } of openai.models.list()) models.push(id);
    expect(models).toEqual(["echo"]);
  });

  test("CO-18: an unknown path and a request without a question are errors in the protocol's shape", async () => {
    await expect(openai.files.list()).rejects.toBeInstanceOf(NotFoundError);
    const nothing = { model: "any" } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
    await expect(openai.chat.completions.create(nothing)).rejects.toBeInstanceOf(BadRequestError);
  });
});

describe("CO-18: Anthropic's official client", () => {
  const asked = {
    model: "any",
    max_tokens: 10,
    system: [
      { type: "text", text: "Be brief." },
      { type: "text", text: "Be kind." },
    ],
    messages: [
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t", content: "42" },
          { type: "text", text: long },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
        ],
      },
    ],
  } satisfies Anthropic.MessageCreateParamsNonStreaming;
  const text = `[system]\nBe brief.\nBe kind.\n\n[user]\n(tool_result)\n42\n${long}\n(image)`;

  test("CO-18: a message comes back as it was received", async () => {
    const answer = await anthropic.messages.create(asked);
    expect(answer).toMatchObject({ role: "assistant", stop_reason: "end_turn", content: [{ type: "text", text }] });
    const counted = await anthropic.messages.countTokens({
      model: "any",
      system: asked.system,
      messages: asked.messages,
    });
    expect(counted.input_tokens).toBe(answer.usage.input_tokens);
  });

  test("CO-18: a message streams from message_start to message_stop", async () => {
    const stream = anthropic.messages.stream(asked);
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(await stream.finalText()).toBe(text);
    expect((await stream.finalMessage()).usage.output_tokens).toBe(Math.ceil(text.length / 4));
    expect([types[0], types.at(-1)]).toEqual(["message_start", "message_stop"]);
  });

  test("CO-18: models and errors have the protocol's shape", async () => {
    const models: string[] = [];
    for await (const { id } of anthropic.models.list()) models.push(id);
    expect(models).toEqual(["echo"]);
    await expect(anthropic.messages.batches.list()).rejects.toBeInstanceOf(AnthropicNotFound);
    const nothing = { model: "any" } as unknown as Anthropic.MessageCreateParamsNonStreaming;
    await expect(anthropic.messages.create(nothing)).rejects.toBeInstanceOf(AnthropicBadRequest);
  });
});

const outgoing = (path: string, body: string | Uint8Array) =>
  ({ method: "POST", url: `https://echo.invalid${path}`, headers: {}, body: Buffer.from(body) }) as const;

describe("CO-18: whatever it is sent", () => {
  test("CO-18: the model says what the transport says", async () => {
    const messages = [
      { role: "system", content: "a" },
      {
        role: "user",
        content: [
          { type: "text", text: "b" },
          { type: "image", url: image },
        ],
      },
    ] as const;
    const answer = await echoModel().answer({ messages, parameters: {} });
    expect(answer).toEqual({
      text: "[system]\na\n\n[user]\nb\n(image)",
      finish: "stop",
      tokens: { input: 7, output: 7 },
    });
  });

  test("AG-8: calls and what became of them can be read as in a chat", async () => {
    const calls = [{ id: "c", tool: "look", input: "{}" }];
    const messages = [
      { role: "assistant", content: "", calls },
      { role: "tool", id: "c", tool: "look", content: "42", isError: false },
    ] as const;
    const { text, calls: wanted } = await echoModel().answer({ messages, parameters: {}, tools: [] });
    expect(text).toBe("[assistant]\n(call of look: {})\n\n[tool]\n42");
    expect(wanted).toBeUndefined();
  });

  test.each([
    "",
    "[]",
    "null",
    "{",
    '"x"',
    "\uFEFF{}",
    "[".repeat(100_000),
    `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
  ])("T41: a body that asks nothing (%#) is answered with 400", async (body) => {
    const { status } = await echoTransport().send(outgoing("/v1/chat/completions", body));
    expect(status).toBe(400);
  });

  test.each(["chat/completions", "completions", "responses", "messages", "embeddings", "moderations"])(
    "T41: lists as deep as they can be are no harm to %s",
    async (path) => {
      const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
      const turns = `[{"role":${deep},"content":[{"type":"tool_result","content":${deep}}]},${deep}]`;
      const body = `{"messages":${turns},"prompt":${turns},"input":[${turns},${deep}],"system":${deep}}`;
      const { status } = await echoTransport().send(outgoing(`/v1/${path}`, body));
      expect(status).toBe(200);
    },
  );

  test("CO-18: any JSON gets an answer that can be read, and the same one twice", async () => {
    const paths = fc.constantFrom(
      "chat/completions",
      "completions",
      "responses",
      "messages",
      "embeddings",
      "moderations",
    );
    const fields = fc.record({
      messages: fc.jsonValue(),
      prompt: fc.jsonValue(),
      input: fc.jsonValue(),
      system: fc.jsonValue(),
    });
    await fc.assert(
      fc.asyncProperty(paths, fields, async (path, body) => {
        const request = outgoing(`/v1/${path}`, JSON.stringify(body));
        const [one, two] = await Promise.all([echoTransport().send(request), echoTransport().send(request)]);
        const text = await readText(one.body);
        expect(JSON.parse(text)).toBeTypeOf("object");
        expect(await readText(two.body)).toBe(text);
      }),
      { numRuns: 150 },
    );
  });

  test("CO-18: pieces are the text, and no character is cut", () => {
    const texts = fc.string({ unit: fc.constantFrom("😀", "a", "\n"), maxLength: 3000, size: "max" });
    fc.assert(
      fc.property(texts, (text) => {
        expect(piecesOf(text).join("")).toBe(text);
        expect(piecesOf(text).every((piece) => piece.isWellFormed())).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test("AG-8: what it says is told in pieces, and who stops listening ends it", async () => {
    const told: string[] = [];
    const messages = [{ role: "user", content: long }] as const;
    const { text } = await echoModel().answer({ messages, parameters: {}, onText: (piece) => void told.push(piece) });
    expect(told).toEqual(piecesOf(text));
    expect(told.length).toBeGreaterThan(1);
    const giving = new AbortController();
    const onText = (piece: string): void => {
      told.push(piece);
      giving.abort(new Error("enough"));
    };
    told.length = 0;
    const asked = echoModel().answer({ messages, parameters: {}, onText, signal: giving.signal });
    await expect(asked).rejects.toThrow("enough");
    expect(told).toHaveLength(1);
  });

  test("AG-8: a listener that throws changes nothing", async () => {
    const onText = (): never => {
      throw new Error("the terminal is gone");
    };
    const messages = [{ role: "user", content: "hi" }] as const;
    expect((await echoModel().answer({ messages, parameters: {}, onText })).text).toBe("[user]\nhi");
  });

  test("CO-16: a request that was given up is not answered, and one that is given up ends", async () => {
    const signal = AbortSignal.abort();
    await expect(echoTransport().send({ ...outgoing("/v1/models", "{}"), signal })).rejects.toThrow("aborted");
    await expect(echoModel().answer({ messages: [], parameters: {}, signal })).rejects.toThrow("aborted");
    const giving = new AbortController();
    const body = JSON.stringify({ stream: true, messages: [{ role: "user", content: long }] });
    const answer = await echoTransport().send({ ...outgoing("/v1/chat/completions", body), signal: giving.signal });
    giving.abort();
    expect(answer.body.destroyed).toBe(true);
  });
});
