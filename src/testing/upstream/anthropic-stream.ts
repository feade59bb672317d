import type Anthropic from "@anthropic-ai/sdk";
import { type Block, type Message, startedMessage, stopReason, textBlock, toolBlock } from "./anthropic-message.ts";
import type { Said } from "./asked.ts";

/** With our blocks for the official ones, and with `ping`, for which there is no type: the client passes over it. */
type Event =
  | Exclude<Anthropic.RawMessageStreamEvent, { type: "message_start" | "content_block_start" }>
  | { readonly type: "message_start"; readonly message: Message }
  | { readonly type: "content_block_start"; readonly index: number; readonly content_block: Block }
  | { readonly type: "ping" };
type Delta = Anthropic.RawContentBlockDelta;

export function messageEvents(said: Said): Event[] {
  const [text, tool] = [textBlock(said), toolBlock(said)];
  return [
    { type: "message_start", message: startedMessage(said) },
    { type: "ping" },
    ...(text ? blockEvents(0, { ...text, text: "" }, wordDeltas(said)) : []),
    ...(tool ? blockEvents(text ? 1 : 0, { ...tool, input: {} }, inputDeltas(said)) : []),
    lastDelta(said),
    { type: "message_stop" },
  ];
}

function blockEvents(index: number, block: Block, deltas: Delta[]): Event[] {
  return [
    { type: "content_block_start", index, content_block: block },
    ...deltas.map((delta): Event => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function wordDeltas({ words }: Said): Delta[] {
  return words.map((text) => ({ type: "text_delta", text }));
}

/** The service opens with an empty part. */
function inputDeltas({ inputParts }: Said): Delta[] {
  return ["", ...inputParts].map((part) => ({ type: "input_json_delta", partial_json: part }));
}

function lastDelta(said: Said): Anthropic.RawMessageDeltaEvent {
  return {
    type: "message_delta",
    delta: { stop_reason: stopReason(said), stop_sequence: null, stop_details: null, container: null },
    usage: {
      input_tokens: said.tokens.input,
      output_tokens: said.tokens.output,
      output_tokens_details: null,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      server_tool_use: null,
    },
  };
}
