import {
  type ModelApi,
  done,
  type EndpointRequest,
  renderEvent,
  renderUnnamed,
} from "../../models/protocols/model-api.ts";
import { parseRecord } from "../../core/json/json.ts";
import type { Body } from "../../models/protocols/prompt.ts";
import {
  type Answer,
  createJson,
  createStream,
  createAnswer,
  apiFor,
  type ScriptedExchange,
  endpointRequest,
} from "./scripted-exchange.ts";
import type { UpstreamRequest } from "./script.ts";
import type OpenAI from "openai";

/** What the real service would send: also that there is no such place, and that the body cannot be read. */
export function answerByRoute(exchange: ScriptedExchange): Answer {
  const { request } = exchange;
  const api = apiFor(request);
  const path = request.path.split("?")[0] ?? "";
  const route = findRoute(api, request.method, path);
  if (!route) return createError(exchange, 404, `Unknown request URL: ${request.method} ${path}.`);
  const body = request.method === "GET" ? {} : parseBody(request);
  if (!body) return createError(exchange, 400, "The body could not be read.");
  const fault = api.name === "anthropic" ? versionFault(request, body) : null;
  return fault === null ? route(endpointRequest(exchange, body)) : createError(exchange, 400, fault);
}

function findRoute(api: ModelApi, method: string, path: string): MediaRoute | undefined {
  const endpoint = api.endpointAt(method, path);
  if (!endpoint) return api.name === "openai" ? mediaRoutes.get(`${method} ${path}`) : undefined;
  return (request) => {
    const answer = endpoint.answer(request);
    return "value" in answer ? createJson(answer.value) : createStream([...answer.events]);
  };
}

/** An error in the shape of the protocol. */
export function createError({ request, number }: ScriptedExchange, status: number, message: string): Answer {
  return createJson(apiFor(request).renderError(status, message, `req_${number}`), status);
}

/** What Anthropic's service does not accept, in its words; null when it would answer. */
function versionFault(request: UpstreamRequest, body: Body): string | null {
  const version = request.header("anthropic-version");
  if (version === undefined) return "anthropic-version: header is required";
  const removed = ["temperature", "top_p", "top_k"].find((name) => name in body);
  return removed !== undefined && version >= "2026-10-21" ? `${removed}: not supported in this API version` : null;
}

/** JSON, or a form without its files; null when the body cannot be read as either: a real service says no more. */
function parseBody(request: UpstreamRequest): Body | null {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(request.header("content-type") ?? "")?.[1];
  return boundary === undefined ? (parseRecord(request.text) ?? null) : parseForm(request.text, boundary);
}

function parseForm(text: string, boundary: string): Body | null {
  const parts = text.split(`--${boundary}`);
  if (parts.length < 2 || !parts.at(-1)?.startsWith("--")) return null;
  return Object.fromEntries(parts.slice(1, -1).flatMap(parsePart));
}

function parsePart(part: string): [name: string, value: string][] {
  const end = part.indexOf("\r\n\r\n");
  const head = part.slice(0, end);
  const name = /\bname="([^"]*)"/.exec(head)?.[1];
  return name === undefined || head.includes("filename=") ? [] : [[name, part.slice(end + 4, -2)]];
}

type MediaRoute = (request: EndpointRequest) => Answer;

/** What of OpenAI's API only passes through the gateway: sound and pictures. */
const mediaRoutes: ReadonlyMap<string, MediaRoute> = new Map<string, MediaRoute>([
  ["POST /v1/audio/transcriptions", answerTranscription],
  ["POST /v1/audio/speech", () => createAnswer(200, "audio/mpeg", sound)],
  ["POST /v1/images/generations", (request) => answerImage(request, "image_generation.completed")],
  ["POST /v1/images/edits", (request) => answerImage(request, "image_edit.completed")],
]);

/** One transparent dot. */
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** The head of an MP3 file, with bytes that are no text. */
const sound = Buffer.from([0x49, 0x44, 0x33, 0x04, 0x00, 0xff, 0xfb, 0x90, 0x00, 0x80]);

function answerTranscription(request: EndpointRequest): Answer {
  const { pieces, text } = request.reply("");
  const whole = text ?? "";
  const usage = { type: "tokens", ...usageOf(request) } as const;
  if (isStreamed(request)) {
    const events: OpenAI.Audio.TranscriptionStreamEvent[] = [
      ...pieces.map((delta) => ({ type: "transcript.text.delta" as const, delta })),
      { type: "transcript.text.done", text: whole, usage },
    ];
    return createStream([...events.map(renderUnnamed), done]);
  }
  if (request.body["response_format"] === "text") return createAnswer(200, "text/plain; charset=utf-8", `${whole}\n`);
  return createJson({ text: whole, usage } satisfies OpenAI.Audio.Transcription);
}

function answerImage(request: EndpointRequest, type: "image_generation.completed" | "image_edit.completed"): Answer {
  const look = { background: "opaque", output_format: "png", quality: "low", size: "1024x1024" } as const;
  const tokens = usageOf(request);
  const usage = { ...tokens, input_tokens_details: { text_tokens: tokens.input_tokens, image_tokens: 0 } };
  const { created } = request;
  if (!isStreamed(request))
    return createJson({ created, data: [{ b64_json: picture }], ...look, usage } satisfies OpenAI.ImagesResponse);
  const event = { type, b64_json: picture, created_at: created, ...look, usage };
  return createStream([renderEvent(event satisfies OpenAI.ImageGenCompletedEvent | OpenAI.ImageEditCompletedEvent)]);
}

/** A form has only text for it. */
function isStreamed({ body }: EndpointRequest): boolean {
  return body["stream"] === true || body["stream"] === "true";
}

function usageOf({ reply, countTokens }: EndpointRequest) {
  const [input, output] = [countTokens([]), reply("").tokens];
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}
