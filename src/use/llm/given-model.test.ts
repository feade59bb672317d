import { MockLanguageModelV3 } from "ai/test";
import { expect, test } from "vitest";
import { type GivenLanguageModel, givenModel } from "./given-model.ts";

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const hello = { messages: [{ role: "user", content: "hi" }], parameters: {} } as const;

test("AG-8: a language model of the AI SDK answers, and what it wants called comes back", async () => {
  const given = new MockLanguageModelV3({
    doGenerate: {
      content: [
        { type: "text", text: "let me see" },
        { type: "tool-call", toolCallId: "1", toolName: "read", input: '{"path":"a"}' },
      ],
      finishReason: { unified: "tool-calls", raw: "tool_calls" },
      usage,
      warnings: [],
    },
  });
  const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];
  expect(await givenModel(given).answer({ ...hello, tools })).toEqual({
    text: "let me see",
    calls: [{ id: "1", tool: "read", input: '{"path":"a"}' }],
    finish: "stop",
    tokens: { input: 3, output: 1 },
  });
  expect(given.doGenerateCalls[0]?.tools).toMatchObject([{ type: "function", name: "read" }]);
});

test("AG-8: what it throws is one of our errors", async () => {
  const given = new MockLanguageModelV3({ doGenerate: () => Promise.reject(new Error("no luck")) });
  await expect(givenModel(given).answer(hello)).rejects.toMatchObject({ code: "upstream.invalid" });
});

test.each<[string, unknown, string]>([
  ["a name", "openai/gpt-5", "a name alone"],
  ["nothing", undefined, "this is none"],
  ["null", null, "this is none"],
  ["a provider", () => new MockLanguageModelV3(), "this is none"],
  ["a model of ours", { answer: async () => ({}) }, "this is none"],
  ["one that cannot be asked", { specificationVersion: "v3", doGenerate: "x" }, "this is none"],
  ["an older one", { specificationVersion: "v2", modelId: "x", doGenerate: async () => ({}) }, "version (v2)"],
  ["one without a version", { doGenerate: async () => ({}) }, "version (undefined)"],
])("AG-8: %s is refused with what to pass", (_, model, message) => {
  const refused = (words: string) =>
    expect.objectContaining({ code: "usage.invalid", message: expect.stringContaining(words) });
  expect(() => givenModel(model as GivenLanguageModel)).toThrow(refused(message));
  expect(() => givenModel(model as GivenLanguageModel)).toThrow(refused('such as openai("gpt-5")'));
});
