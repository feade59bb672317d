import type OpenAI from "openai";
import { type Answer, createJson, createStream, DONE, renderUnnamed } from "./answer.ts";
import { type Asked, CREATED, createSaid, isStreamed, type Said } from "./asked.ts";

type Chunk = OpenAI.ChatCompletionChunk;
type Delta = Chunk["choices"][number]["delta"];

export function answerChat(asked: Asked): Answer {
  const said = createSaid(asked);
  if (!isStreamed(asked)) return createJson(chatCompletion(said));
  return createStream([...chunksOf(said, wantsUsage(asked)).map(renderUnnamed), DONE]);
}

function chatCompletion(said: Said): object {
  return {
    id: idOf(said),
    object: "chat.completion",
    created: CREATED,
    model: said.model,
    choices: [{ index: 0, message: messageOf(said), logprobs: null, finish_reason: finishOf(said) }],
    usage: usageOf(said),
    service_tier: "default",
    system_fingerprint: "fp_upstream",
  } satisfies OpenAI.ChatCompletion;
}

function messageOf(said: Said): OpenAI.ChatCompletionMessage {
  const message = { role: "assistant", content: said.text || null, refusal: null, annotations: [] } as const;
  const { toolCall } = said;
  if (!toolCall) return { ...message, annotations: [] };
  const called = { name: toolCall.name, arguments: JSON.stringify(toolCall.input) };
  return { ...message, annotations: [], tool_calls: [{ id: callId(said), type: "function", function: called }] };
}

/** Role, words, the call with its input in parts, the reason; and, when asked for, usage in a chunk of its own. */
function chunksOf(said: Said, withUsage: boolean): Chunk[] {
  const head = { id: idOf(said), object: "chat.completion.chunk", created: CREATED, model: said.model } as const;
  const base = { ...head, service_tier: "default", system_fingerprint: "fp_upstream" } as const;
  const chunk = (delta: Delta, finish: "stop" | "tool_calls" | null = null): Chunk => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(withUsage ? { usage: null } : {}),
  });
  const chunks = [firstDelta(said), ...wordDeltas(said), ...callDeltas(said)].map((delta) => chunk(delta));
  const last = chunk({}, finishOf(said));
  return [...chunks, last, ...(withUsage ? [{ ...base, choices: [], usage: usageOf(said) }] : [])];
}

function firstDelta(said: Said): Delta {
  return { role: "assistant", content: said.text ? "" : null, refusal: null };
}

function wordDeltas(said: Said): Delta[] {
  return said.words.map((content) => ({ content }));
}

function callDeltas(said: Said): Delta[] {
  if (!said.toolCall) return [];
  const called = { name: said.toolCall.name, arguments: "" };
  return [
    { tool_calls: [{ index: 0, id: callId(said), type: "function", function: called }] },
    ...said.inputParts.map((part) => ({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
  ];
}

function wantsUsage({ fields }: Asked): boolean {
  const options = fields["stream_options"];
  return (
    typeof options === "object" && options !== null && "include_usage" in options && options.include_usage === true
  );
}

export function usageOf({ tokens }: Said): OpenAI.CompletionUsage {
  return {
    prompt_tokens: tokens.input,
    completion_tokens: tokens.output,
    total_tokens: tokens.input + tokens.output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function finishOf(said: Said): "stop" | "tool_calls" {
  return said.toolCall ? "tool_calls" : "stop";
}

function idOf({ number }: Said): string {
  return `chatcmpl-${number}`;
}

function callId({ number }: Said): string {
  return `call_${number}`;
}
