import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type LanguageModelMiddleware, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Loopback, type Seen, sendJson, startService } from "../../test/support/model-loopback.ts";
import type { Finding } from "../core/finding.ts";
import type { Insertion } from "../compose/inject.ts";
import { type MiddlewareOptions, skillwardMiddleware } from "./middleware.ts";

const insertion = { block: "<block>", systemBlock: "<system block>" };
let server: (Loopback & { seen: Seen[] }) | undefined;

afterEach(() => server?.close());

const said = (content: string) => ({ choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] });
const call = { id: "c", type: "function", function: { name: "look", arguments: "{}" } };
const called = {
  choices: [{ message: { role: "assistant", content: null, tool_calls: [call] }, finish_reason: "tool_calls" }],
};

async function prepared(
  composition: Insertion | (() => Insertion | Promise<Insertion>),
  options: MiddlewareOptions = {},
  calls = 0,
) {
  let left = calls;
  server = await startService(({ body }, response) => {
    if (body["stream"] !== true) return sendJson(response, left-- > 0 ? called : said("hello"));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "hel" } }] })}\n\n`);
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "lo" }, finish_reason: "stop" }] })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  // The type is the check that it is one of theirs (CO-17).
  const middleware: LanguageModelMiddleware = skillwardMiddleware(composition, options);
  const provider = createOpenAICompatible({ name: "test", baseURL: `${server.url}/v1` });
  const model = wrapLanguageModel({ model: provider.chatModel("m"), middleware });
  const messages = () => server?.seen.map(({ body }) => body["messages"]);
  return { model, messages };
}

const withBlocks = (prompt: string) => [
  { role: "system", content: "Be brief." },
  { role: "system", content: "<system block>" },
  {
    role: "user",
    content: [
      { type: "text", text: "<block>" },
      { type: "text", text: prompt },
    ],
  },
];

describe("CO-17: the middleware of the AI SDK", () => {
  test("CO-8: the block leads the first user message, the system prompt stays as it is", async () => {
    const { model, messages } = await prepared(insertion);
    const { text } = await generateText({ model, system: "Be brief.", prompt: "hi", maxRetries: 0 });
    expect(text).toBe("hello");
    expect(messages()).toEqual([withBlocks("hi")]);
  });

  test("CO-8: streaming gets the same", async () => {
    const { model, messages } = await prepared(insertion);
    const stream = streamText({ model, system: "Be brief.", prompt: "hi", maxRetries: 0 });
    expect(await stream.text).toBe("hello");
    expect(messages()).toEqual([withBlocks("hi")]);
  });

  test("CO-8: only the first user message of a conversation is changed", async () => {
    const { model, messages } = await prepared({ block: "<block>", systemBlock: "" });
    const turns = [
      { role: "user", content: "one" },
      { role: "assistant", content: "two" },
      { role: "user", content: "three" },
    ] as const;
    await generateText({ model, messages: [...turns], maxRetries: 0 });
    const first = {
      role: "user",
      content: [
        { type: "text", text: "<block>" },
        { type: "text", text: "one" },
      ],
    };
    expect(messages()).toEqual([[first, ...turns.slice(1)]]);
  });

  test("CO-12: every step of a loop with tools has the block once", async () => {
    const { model, messages } = await prepared(insertion, {}, 1);
    const look = tool({ inputSchema: z.object({}), execute: () => "seen" });
    await generateText({ model, prompt: "hi", tools: { look }, stopWhen: stepCountIs(3), maxRetries: 0 });
    expect(messages()).toHaveLength(2);
    for (const each of messages() ?? []) expect(JSON.stringify(each).split("<block>")).toHaveLength(2);
  });

  test("CO-8: nothing composed, nothing changed; a function is asked at each call", async () => {
    const plain = await prepared({ block: "", systemBlock: "" });
    await generateText({ model: plain.model, prompt: "hi", maxRetries: 0 });
    expect(plain.messages()).toEqual([[{ role: "user", content: "hi" }]]);
    await server?.close();
    let calls = 0;
    const asked = await prepared(async () => ({ block: `<${++calls}>`, systemBlock: "" }));
    for (const prompt of ["a", "b"]) await generateText({ model: asked.model, prompt, maxRetries: 0 });
    expect(JSON.stringify(asked.messages()?.[1])).toContain("<2>");
    expect(calls).toBe(2);
  });

  test("T30: without a user message the prompt stays as it is, and it is said", async () => {
    const findings: Finding[] = [];
    const { model, messages } = await prepared(insertion, { onFindings: (found) => findings.push(...found) });
    await generateText({ model, messages: [{ role: "assistant", content: "hi" }], maxRetries: 0 });
    expect(messages()).toEqual([[{ role: "assistant", content: "hi" }]]);
    expect(findings).toMatchObject([{ code: "inject.no-user" }]);
  });

  test("CO-8: what was given is not changed", async () => {
    const params = { prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }], temperature: 1 };
    const before = structuredClone(params);
    const after = await skillwardMiddleware(insertion).transformParams({ params });
    expect(params).toEqual(before);
    expect(after).toMatchObject({ temperature: 1, prompt: [{ role: "system" }, { role: "user" }] });
  });
});
