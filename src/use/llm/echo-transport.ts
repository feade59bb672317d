import { Readable } from "node:stream";
import { sha256 } from "../../base/digest.ts";
import { safeLine } from "../../base/text.ts";
import type { Incoming, Outgoing, Transport } from "../../base/transport.ts";
import type { EndpointAnswer, EndpointRequest } from "./echo-answer.ts";
import { answerChat, answerCompletions } from "./echo-chat.ts";
import { answerAnthropicModels, answerEmbeddings, answerModels, answerModerations } from "./echo-lists.ts";
import { answerMessages, countMessageTokens } from "./echo-messages.ts";
import { type Body, isBody } from "./echo-prompt.ts";
import { answerResponses } from "./echo-responses.ts";

/** What answers at a path, and the field without which nothing was asked. */
type Endpoint = readonly [answer: (request: EndpointRequest) => EndpointAnswer, needed?: string];

const openaiEndpoints: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ["POST /v1/chat/completions", [answerChat, "messages"]],
  ["POST /v1/completions", [answerCompletions, "prompt"]],
  ["POST /v1/responses", [answerResponses, "input"]],
  ["POST /v1/embeddings", [answerEmbeddings, "input"]],
  ["POST /v1/moderations", [answerModerations, "input"]],
  ["GET /v1/models", [answerModels]],
]);
const anthropicEndpoints: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ["POST /v1/messages", [answerMessages, "messages"]],
  ["POST /v1/messages/count_tokens", [countMessageTokens, "messages"]],
  ["GET /v1/models", [answerAnthropicModels]],
]);

/**
 * A model service without a network: answers in the shapes of both protocols, plain and streaming, with the text that
 * `reply` finds for a prompt as it was received. No clock, no randomness: the same request has the same answer.
 */
export function answeringTransport(reply: (received: string) => string): Transport {
  return {
    send: async (request) => {
      request.signal?.throwIfAborted();
      return incomingOf(answerOf(request, reply), request.signal);
    },
  };
}

function answerOf(request: Outgoing, reply: (received: string) => string): EndpointAnswer {
  const path = new URL(request.url).pathname;
  const isAnthropic = request.headers["anthropic-version"] !== undefined || path.startsWith("/v1/messages");
  const faultOf = isAnthropic ? anthropicFault : openaiFault;
  const endpoint = (isAnthropic ? anthropicEndpoints : openaiEndpoints).get(`${request.method} ${path}`);
  if (endpoint === undefined) return faultOf(404, `there is nothing at ${safeLine(`${request.method} ${path}`)}`);
  const [answer, needed] = endpoint;
  const body = parseBody(request.body);
  if (body === undefined) return faultOf(400, "the body is not one JSON object");
  if (needed !== undefined && (body[needed] ?? null) === null) return faultOf(400, `${needed} is missing`);
  const { model } = body;
  const id = sha256(request.body ?? new Uint8Array()).slice(0, 24);
  return answer({ body, id, model: typeof model === "string" ? model : "echo", reply });
}

function parseBody(bytes: Uint8Array | null): Body | undefined {
  if (bytes === null) return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return isBody(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function openaiFault(status: number, message: string): EndpointAnswer {
  return { status, value: { error: { message, type: "invalid_request_error", param: null, code: null } } };
}

function anthropicFault(status: number, message: string): EndpointAnswer {
  const type = status === 404 ? "not_found_error" : "invalid_request_error";
  return { status, value: { type: "error", error: { type, message }, request_id: null } };
}

function incomingOf(answer: EndpointAnswer, signal: AbortSignal | undefined): Incoming {
  const isPlain = "value" in answer;
  const texts = isPlain ? [JSON.stringify(answer.value)] : answer.events;
  const type = isPlain ? "application/json" : "text/event-stream; charset=utf-8";
  return { status: answer.status, headers: { "content-type": type }, body: endedBy(signal, bytesOf(texts)) };
}

function* bytesOf(texts: Iterable<string>): Generator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

function endedBy(signal: AbortSignal | undefined, bytes: Iterable<Uint8Array>): Readable {
  const body = Readable.from(bytes, { objectMode: false });
  const end = () => void body.destroy();
  signal?.addEventListener("abort", end, { once: true });
  body.once("close", () => signal?.removeEventListener("abort", end));
  return body;
}
