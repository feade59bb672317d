import type OpenAI from "openai";
import { CREATED, type Said } from "./asked.ts";

/** As the service sends it: `output_text` is added by the official client. */
export type Response = Omit<OpenAI.Responses.Response, "output_text">;
export type Message = OpenAI.Responses.ResponseOutputMessage;
export type Call = OpenAI.Responses.ResponseFunctionToolCall & { id: string };

export function finishedResponse(said: Said): Response {
  const output = [messageOf(said), callOf(said)].filter((item) => item !== null);
  return { ...startedResponse(said), status: "completed", completed_at: CREATED, output, usage: usageOf(said) };
}

export function startedResponse(said: Said): Response {
  return {
    id: `resp_${said.number}`,
    object: "response",
    created_at: CREATED,
    status: "in_progress",
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: said.model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
  };
}

export function messageOf(said: Said): Message | null {
  if (said.text === "" && said.toolCall) return null;
  const content: Message["content"] = [textPart(said.text)];
  return { id: `msg_${said.number}`, type: "message", role: "assistant", status: "completed", content };
}

export function textPart(text: string): OpenAI.Responses.ResponseOutputText {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

export function callOf({ number, toolCall }: Said): Call | null {
  if (!toolCall) return null;
  const called = { name: toolCall.name, arguments: JSON.stringify(toolCall.input) };
  return { id: `fc_${number}`, call_id: `call_${number}`, type: "function_call", status: "completed", ...called };
}

function usageOf({ tokens }: Said): OpenAI.Responses.ResponseUsage {
  return {
    input_tokens: tokens.input,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens.input + tokens.output,
  };
}
