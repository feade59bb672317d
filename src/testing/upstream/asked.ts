import type { UpstreamRequest, UpstreamScript, UpstreamToolCall } from "./script.ts";

/** One request and everything its answer depends on. */
export interface Asked {
  /** Counts requests from 1: what ids are made of, so that nothing in an answer is random. */
  readonly number: number;
  readonly request: UpstreamRequest;
  /** The body as JSON, empty where the protocol has none. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly script: UpstreamScript;
  readonly models: readonly string[];
}

/** What the model says to it, whatever the protocol. */
export interface Said {
  readonly number: number;
  readonly model: string;
  readonly text: string;
  /** The text as it is streamed. */
  readonly words: readonly string[];
  readonly toolCall: UpstreamToolCall | null;
  /** The input of the tool as it is streamed. */
  readonly inputParts: readonly string[];
  readonly tokens: { readonly input: number; readonly output: number };
}

/** When everything of this service was made: seconds since the epoch. */
export const CREATED = 1_767_225_600;

export function createSaid(asked: Asked): Said {
  const { number, request, fields, script } = asked;
  const toolCall = script.toolCall ?? null;
  const text = withEcho(script.text ?? (toolCall ? "" : "Hello from the upstream."), request, script);
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  const inputParts = toolCall ? cut(JSON.stringify(toolCall.input), 12) : [];
  const tokens = { input: countTokens(request), output: words.length + inputParts.length };
  return { number, model: modelOf(fields), text, words, toolCall, inputParts, tokens };
}

export function modelOf({ model }: Asked["fields"]): string {
  return typeof model === "string" ? model : "";
}

/** About what a tokenizer would say, and always the same. */
export function countTokens(request: UpstreamRequest): number {
  return Math.ceil(request.body.length / 4);
}

export function withEcho(text: string, request: UpstreamRequest, script: UpstreamScript): string {
  return script.echoSecret ? `${text} The key was ${keyOf(request)}.` : text;
}

/** The key as it came, by whichever of the two ways. */
export function keyOf(request: UpstreamRequest): string {
  return request.header("x-api-key") ?? request.header("authorization")?.replace(/^bearer /i, "") ?? "";
}

function cut(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}

/** Whether events are asked for; a form has only text for it. */
export function isStreamed({ fields }: Asked): boolean {
  return fields["stream"] === true || fields["stream"] === "true";
}
