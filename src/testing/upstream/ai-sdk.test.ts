import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible, type OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";
import { embed, generateText, jsonSchema, type LanguageModel, streamText, type ToolSet } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Upstream } from "./script.ts";
import { startUpstream } from "./upstream.ts";

const input = { city: "Zürich" };
const tools: ToolSet = { look: { inputSchema: jsonSchema({ type: "object" }) } };
const asked = { prompt: "What is the weather?", tools, maxOutputTokens: 100, maxRetries: 0 };

let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream({ secret: "sk-right" });
  upstream.always({ text: "Let me look.", toolCall: { name: "look", input } });
});

afterAll(() => upstream.close());

function openai(): OpenAICompatibleProvider {
  const options = { name: "upstream", apiKey: "sk-right", includeUsage: true };
  return createOpenAICompatible({ ...options, baseURL: `${upstream.url}/v1` });
}

const models: [name: string, model: () => LanguageModel][] = [
  ["openai", () => openai()("large")],
  ["anthropic", () => createAnthropic({ baseURL: `${upstream.url}/v1`, apiKey: "sk-right" })("large")],
];

/** The official clients trust what they read; these check every field they use against a schema. */
describe.each(models)("the AI SDK's reader of %s", (_name, model) => {
  it("CO-17: accepts the plain shape", async () => {
    const { text, toolCalls } = await generateText({ ...asked, model: model() });
    expect([text, toolCalls[0]?.input]).toEqual(["Let me look.", input]);
  });

  it("CO-17: accepts the stream", async () => {
    const { text, toolCalls, usage } = streamText({ ...asked, model: model() });
    expect([await text, (await toolCalls)[0]?.input]).toEqual(["Let me look.", input]);
    expect((await usage).outputTokens).toBeGreaterThan(3);
  });
});

it("CO-17: the AI SDK accepts the shape of embeddings", async () => {
  const { embedding } = await embed({ model: openai().embeddingModel("large"), value: "rain", maxRetries: 0 });
  expect(embedding).toHaveLength(8);
});
