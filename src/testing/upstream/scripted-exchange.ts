import { apiOf } from "../../models/protocols/apis.ts";
import type { EndpointRequest, ModelApi, Reply } from "../../models/protocols/model-api.ts";
import { vectorOf } from "../../models/protocols/openai.ts";
import type { UpstreamRequest, UpstreamScript } from "./script.ts";

/** One request and everything its answer depends on. */
export interface ScriptedExchange {
  /** Counts requests from 1: what ids are made of, so that nothing in an answer is random. */
  readonly number: number;
  readonly request: UpstreamRequest;
  readonly script: UpstreamScript;
  readonly models: readonly string[];
}

export function apiFor(request: UpstreamRequest): ModelApi {
  return apiOf(request.path, (name) => request.header(name));
}

const longestVector = 3072;

/** The request as the endpoints of the protocols take it, answered by the script. */
export function endpointRequest(exchange: ScriptedExchange, body: EndpointRequest["body"]): EndpointRequest {
  const { number, request, models } = exchange;
  const { model, prompt } = body;
  return {
    // A script's text is said once, however many prompts there are.
    body: Array.isArray(prompt) ? { ...body, prompt: prompt.slice(0, 1) } : body,
    model: typeof model === "string" ? model : "",
    id: String(number),
    created: 1_767_225_600,
    models,
    reply: () => scriptedReply(exchange),
    // About what a tokenizer would say, and always the same.
    countTokens: () => Math.ceil(request.body.length / 4),
    embed: (text, length) => vectorOf(text, length && Math.min(length, longestVector)),
  };
}

function scriptedReply({ request, script }: ScriptedExchange): Reply {
  const { toolCall } = script;
  const text = withEcho(script.text ?? (toolCall ? "" : "Hello from the upstream."), request, script);
  const pieces = text.match(/\S+\s*|\s+/g) ?? [];
  const call = toolCall ? { ...toolCall, pieces: JSON.stringify(toolCall.input).match(/[^]{1,12}/g) ?? [] } : null;
  return { text: text === "" && call ? null : text, pieces, call, tokens: pieces.length + (call?.pieces.length ?? 0) };
}

export function withEcho(text: string, request: UpstreamRequest, script: UpstreamScript): string {
  return script.echoSecret ? `${text} The key was ${keyOf(request)}.` : text;
}

/** The key as it came, by whichever of the two ways. */
export function keyOf(request: UpstreamRequest): string {
  return request.header("x-api-key") ?? request.header("authorization")?.replace(/^bearer /i, "") ?? "";
}

/** What goes back for one request. A body in one buffer has a known length, one in several is a stream. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | readonly Buffer[];
}

export function createAnswer(status: number, type: string, body: string | Uint8Array): Answer {
  return { status, headers: { "content-type": type }, body: Buffer.from(body) };
}

export function createJson(value: object, status = 200): Answer {
  return createAnswer(status, "application/json", JSON.stringify(value));
}

/** Server-sent events, one piece each. */
export function createStream(events: readonly string[]): Answer {
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  return { status: 200, headers, body: events.map((event) => Buffer.from(event)) };
}
