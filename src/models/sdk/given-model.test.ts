import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { describe, expect, test } from "vitest";
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

describe("AG-8: a language model that streams", () => {
  type Given = NonNullable<ConstructorParameters<typeof MockLanguageModelV3>[0]>;
  type Streamed = Extract<NonNullable<Given["doStream"]>, { stream: unknown }>;
  type Part = Streamed["stream"] extends ReadableStream<infer Each> ? Each : never;
  const finish: Part = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage };
  const say = (delta: string): Part => ({ type: "text-delta", id: "0", delta });

  async function listen(given: GivenLanguageModel, signal?: AbortSignal) {
    const told: string[] = [];
    const answering = givenModel(given).answer({ ...hello, signal, onText: (text) => void told.push(text) });
    return { told, answer: await answering };
  }

  test("AG-8: its text is told as it comes", async () => {
    const doStream = { stream: convertArrayToReadableStream([say("It "), say("rains."), finish]) };
    const { told, answer } = await listen(new MockLanguageModelV3({ doStream }));
    expect(told).toEqual(["It ", "rains."]);
    expect(answer).toEqual({ text: "It rains.", finish: "stop", tokens: { input: 3, output: 1 } });
  });

  test("AG-8: one that cannot answers at once", async () => {
    const content = [{ type: "text", text: "It rains." }];
    const doGenerate = async () => ({ content, finishReason: finish.finishReason, usage });
    const { told, answer } = await listen({ specificationVersion: "v3", modelId: "x", doGenerate });
    expect([told, answer.text]).toEqual([[], "It rains."]);
  });

  test.each<Part>([
    { type: "reasoning-delta", id: "0", delta: "x".repeat(8 * 2 ** 20) },
    { type: "tool-call", toolCallId: "1", toolName: "read", input: "x".repeat(8 * 2 ** 20) },
    { type: "tool-call", toolCallId: "1", toolName: "read", input: "{}" },
  ])("T41: one that never stops is stopped (%#)", async (part) => {
    let isCancelled = false;
    const stream = new ReadableStream<Part>({
      pull: (controller) => controller.enqueue(part),
      cancel: () => void (isCancelled = true),
    });
    const asked = listen(new MockLanguageModelV3({ doStream: { stream } }));
    await expect(asked).rejects.toMatchObject({
      code: "upstream.invalid",
      message: expect.stringContaining("more than"),
    });
    expect(isCancelled).toBe(true);
  });

  test("AG-8: one that does not heed the signal is not waited for", async () => {
    const giving = new AbortController();
    let isCancelled = false;
    const stream = new ReadableStream<Part>({
      pull: () => giving.abort(new Error("enough")),
      cancel: () => void (isCancelled = true),
    });
    await expect(listen(new MockLanguageModelV3({ doStream: { stream } }), giving.signal)).rejects.toThrow("enough");
    expect(isCancelled).toBe(true);
  });

  test.each([{}, { stream: 3 }, null])("AG-8: what is no stream is one of our errors (%#)", async (streamed) => {
    const doStream = async () => streamed as object;
    const given = { specificationVersion: "v3", modelId: "x", doGenerate: async () => ({}), doStream } as const;
    await expect(listen(given)).rejects.toMatchObject({ code: "upstream.invalid" });
  });
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
