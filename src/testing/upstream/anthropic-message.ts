import type Anthropic from "@anthropic-ai/sdk";
import type { Said } from "./asked.ts";

/** Without `citations`, which the service leaves out where there are none; the official type has them as null. */
type TextBlock = Omit<Anthropic.TextBlock, "citations">;
export type Block = TextBlock | Anthropic.ToolUseBlock;
export type Message = Omit<Anthropic.Message, "content"> & { content: Block[] };

export function finishedMessage(said: Said): Message {
  const content = [textBlock(said), toolBlock(said)].filter((block) => block !== null);
  const usage = { ...startedMessage(said).usage, output_tokens: said.tokens.output };
  return { ...startedMessage(said), content, stop_reason: stopReason(said), usage };
}

export function startedMessage(said: Said): Message {
  return {
    id: `msg_${said.number}`,
    type: "message",
    role: "assistant",
    model: said.model,
    content: [],
    container: null,
    diagnostics: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: usageAtStart(said),
  };
}

function usageAtStart({ tokens }: Said): Anthropic.Usage {
  return {
    input_tokens: tokens.input,
    output_tokens: 1,
    output_tokens_details: null,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    inference_geo: null,
    server_tool_use: null,
    service_tier: "standard",
    speed: null,
  };
}

export function textBlock({ text, toolCall }: Said): TextBlock | null {
  return text === "" && toolCall ? null : { type: "text", text };
}

export function toolBlock({ number, toolCall }: Said): Anthropic.ToolUseBlock | null {
  if (!toolCall) return null;
  const { name, input } = toolCall;
  return { type: "tool_use", id: `toolu_${number}`, name, input, caller: { type: "direct" } };
}

export function stopReason({ toolCall }: Said): "end_turn" | "tool_use" {
  return toolCall ? "tool_use" : "end_turn";
}
