import type { AnthropicProvider } from "@ai-sdk/anthropic";
import type { ModelAnswer, ModelRequest } from "../../base/model.ts";
import { failureOf, scrubSecret } from "./sdk-failure.ts";
import { sdkPrompt } from "./sdk-prompt.ts";
import { sdkTools, wantedCalls } from "./sdk-tools.ts";

type Generated = Awaited<ReturnType<ReturnType<AnthropicProvider["languageModel"]>["doGenerate"]>>;

/** What counts of an answer of the SDK, whether it came at once or in pieces. */
export type Answered = Pick<Generated, "content" | "finishReason" | "usage">;

/** A request as language models of the AI SDK take it. */
export function asked({ messages, tools, signal }: ModelRequest) {
  return { prompt: sdkPrompt(messages, tools), ...sdkTools(tools), ...withSignal(signal) };
}

export function answerOf(answer: Answered, request: ModelRequest, secret: string | null): ModelAnswer {
  const texts = answer.content.map((part) => (part.type === "text" ? part.text : ""));
  const calls = wantedCalls(answer.content, request, secret);
  const { unified } = answer.finishReason;
  const { inputTokens, outputTokens } = answer.usage;
  return {
    // CO-16: a service that sends back what it was sent does not hand the secret to whoever asked.
    text: scrubSecret(texts.join(""), secret),
    ...(calls.length === 0 ? {} : { calls }),
    // A model that stops to have something called stopped by itself.
    finish: unified === "tool-calls" && calls.length > 0 ? "stop" : (finishes[unified] ?? "other"),
    tokens: { input: inputTokens.total ?? null, output: outputTokens.total ?? null },
  };
}

const finishes: Readonly<Partial<Record<string, ModelAnswer["finish"]>>> = {
  stop: "stop",
  length: "length",
  "content-filter": "filter",
};

/** What goes wrong is one of our errors, without the secret; who cancelled gets their own reason back. */
export async function guarded<T>(
  secret: string | null,
  signal: AbortSignal | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await ask();
  } catch (error) {
    signal?.throwIfAborted();
    throw failureOf(error, secret);
  }
}

export function withSignal(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}
