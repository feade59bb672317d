import { MockLanguageModelV3 } from "ai/test";
import { expect, test } from "vitest";
import { givenModel } from "./given-model.ts";

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
