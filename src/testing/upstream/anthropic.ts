import type Anthropic from "@anthropic-ai/sdk";
import { type Answer, createJson, createStream, renderEvent } from "./answer.ts";
import { type Asked, countTokens, createSaid, isStreamed } from "./asked.ts";
import { finishedMessage } from "./anthropic-message.ts";
import { messageEvents } from "./anthropic-stream.ts";
import type { UpstreamRequest } from "./script.ts";

export function answerMessage(asked: Asked): Answer {
  const said = createSaid(asked);
  if (!isStreamed(asked)) return createJson(finishedMessage(said));
  return createStream(messageEvents(said).map(renderEvent));
}

export function answerTokenCount({ request }: Asked): Answer {
  return createJson({ input_tokens: countTokens(request) } satisfies Anthropic.MessageTokensCount);
}

/** What the service does not accept, in its words; null when it would answer. */
export function faultOf(request: UpstreamRequest, fields: Asked["fields"]): string | null {
  const version = request.header("anthropic-version");
  if (version === undefined) return "anthropic-version: header is required";
  const removed = ["temperature", "top_p", "top_k"].find((name) => name in fields);
  return removed !== undefined && version >= "2026-10-21" ? `${removed}: not supported in this API version` : null;
}
