import type { RequestShape } from "../../use/compose/inject.ts";
import type { Protocol } from "../../use/llm/protocols.ts";

/** How a client speaks. Nothing is translated from one to the other (CO-15). */
export type Speech = "openai" | "anthropic";

/** One thing that can be asked of a model service. */
export interface GatewayRoute {
  /** Below `/v1` or `/c/{configuration}/v1`. */
  readonly path: string;
  readonly speech: Speech;
  /** Where a composition goes; null: the input passes byte for byte (CO-9). */
  readonly shape: RequestShape | null;
  /** As it is written down and measured. */
  readonly operation: string;
}

const openai = (path: string, operation: string, shape: RequestShape | null = null): GatewayRoute => ({
  path,
  speech: "openai",
  shape,
  operation,
});

const anthropic = (path: string, operation: string): GatewayRoute => ({
  path,
  speech: "anthropic",
  shape: "anthropic-messages",
  operation,
});

/** Everything that is posted through the gateway (CO-15). What is not here is not passed on. */
export const gatewayRoutes: readonly GatewayRoute[] = [
  openai("/chat/completions", "chat", "openai-chat"),
  openai("/responses", "responses", "openai-responses"),
  openai("/completions", "completions", "openai-completions"),
  anthropic("/messages", "messages"),
  anthropic("/messages/count_tokens", "count-tokens"),
  openai("/embeddings", "embeddings"),
  openai("/moderations", "moderations"),
  openai("/audio/speech", "speech"),
  openai("/audio/transcriptions", "transcription"),
  openai("/audio/translations", "audio-translation"),
  openai("/images/generations", "images"),
  openai("/images/edits", "image-edits"),
  openai("/images/variations", "image-variations"),
];

/** Whether a provider understands what is said as it is said. */
export function speaks(protocol: Protocol, speech: Speech): boolean {
  return protocol === speech || protocol === "echo" || protocol === "scripted";
}
