import { Readable } from "node:stream";
import { sha256 } from "../core/digest.ts";
import { parseRecord } from "../core/json/json.ts";
import type { Embedder } from "../core/model.ts";
import { safeLine } from "../core/text.ts";
import type { Incoming, Outgoing, Transport } from "../core/transport.ts";
import { estimateTokens, piecesOf } from "./echo.ts";
import { apiOf } from "./protocols/apis.ts";
import type { EndpointAnswer, Reply } from "./protocols/model-api.ts";
import { vectorOf } from "./protocols/openai.ts";
import type { Body } from "./protocols/prompt.ts";

/** CO-18: the gateway's `echo` answers with the prompt as it was received. */
export function echoTransport(): Transport {
  return answeringTransport((prompt) => prompt);
}

/**
 * CO-18: a model service without a network: answers in every protocol, plain and streaming, with the text that `reply`
 * finds for a prompt as it was received. No clock, no randomness: the same request has the same answer.
 */
export function answeringTransport(reply: (prompt: string) => string): Transport {
  return {
    send: async (request) => {
      request.signal?.throwIfAborted();
      return answerTo(request, reply);
    },
  };
}

function answerTo(request: Outgoing, reply: (prompt: string) => string): Incoming {
  const path = new URL(request.url).pathname;
  const api = apiOf(path, (name) => request.headers[name]);
  const refuse = (status: number, message: string): Incoming =>
    incomingOf(status, { value: api.renderError(status, message, null) }, request.signal);
  const endpoint = api.endpointAt(request.method, path);
  if (endpoint === undefined) return refuse(404, `there is nothing at ${safeLine(`${request.method} ${path}`)}`);
  const body = parseBody(request.body);
  if (body === undefined) return refuse(400, "the body is not one JSON object");
  const { answer, needs } = endpoint;
  if (needs !== undefined && (body[needs] ?? null) === null) return refuse(400, `${needs} is missing`);
  const { model } = body;
  const answered = answer({
    body,
    model: typeof model === "string" ? model : "echo",
    // From the bytes of the body alone: the same question has the same ids.
    id: sha256(request.body ?? new Uint8Array()).slice(0, 24),
    // There is no clock here: everything was made at the epoch.
    created: 0,
    models: ["echo"],
    reply: (prompt) => replyOf(reply(prompt)),
    countTokens: (texts) => texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    // However long it is asked for: a request has room for very many inputs, and each costs a vector (T41).
    embed: (text) => vectorOf(text),
  });
  return incomingOf(200, answered, request.signal);
}

function replyOf(text: string): Reply {
  return { text, pieces: piecesOf(text), call: null, tokens: estimateTokens(text) };
}

function parseBody(bytes: Uint8Array | null): Body | undefined {
  if (bytes === null) return {};
  return parseRecord(Buffer.from(bytes).toString("utf8"));
}

function incomingOf(status: number, answer: EndpointAnswer, signal: AbortSignal | undefined): Incoming {
  const isPlain = "value" in answer;
  const texts = isPlain ? [JSON.stringify(answer.value)] : answer.events;
  const type = isPlain ? "application/json" : "text/event-stream; charset=utf-8";
  return { status, headers: { "content-type": type }, body: endedBy(signal, bytesOf(texts)) };
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

/** Small vectors without meaning, the same for the same text. */
export function echoEmbedder(): Embedder {
  return {
    embed: async (texts, signal) => {
      signal?.throwIfAborted();
      return texts.map((text) => vectorOf(text));
    },
  };
}
