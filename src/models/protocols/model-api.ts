import type { Body } from "./prompt.ts";

/** One API as a model service has it: where it is asked what, and the shapes that all of its endpoints share. */
export interface ModelApi {
  readonly name: "openai" | "anthropic";
  /** Whether a request is in this protocol, also one for which there is no endpoint. */
  accepts(path: string, header: Header): boolean;
  endpointAt(method: string, path: string): Endpoint | undefined;
  renderModels(ids: readonly string[], created: number): object;
  renderModel(id: string, created: number): object;
  /** `request` is the id that the service gave to the request. */
  renderError(status: number, message: string, request: string | null): object;
}

/** The value of a header by its name in lower case, undefined where the request has none. */
export type Header = (name: string) => unknown;

export interface Endpoint {
  readonly answer: (request: EndpointRequest) => EndpointAnswer;
  /** The field without which a request asks for nothing. */
  readonly needs?: string;
}

/** One request, and the model that answers it: `echo`, `scripted`, or the fake service by a test's script. */
export interface EndpointRequest {
  readonly body: Body;
  /** The name under which the model answers. */
  readonly model: string;
  /** Ends every id in the answer. */
  readonly id: string;
  /** When everything in the answer was made, in seconds since the epoch. */
  readonly created: number;
  /** The names that a list of models has. */
  readonly models: readonly string[];
  readonly reply: (prompt: string) => Reply;
  readonly countTokens: (texts: readonly string[]) => number;
  /** `length` is undefined where the request leaves it to the model. */
  readonly embed: (text: string, length: number | undefined) => readonly number[];
}

/** What a model answers to a prompt, before it is rendered in the words of a protocol. */
export interface Reply {
  /** Null for a model that only calls a tool. */
  readonly text: string | null;
  /** The text as it is streamed. */
  readonly pieces: readonly string[];
  readonly call: ToolCall | null;
  readonly tokens: number;
}

interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The input as JSON, as it is streamed. */
  readonly pieces: readonly string[];
}

/** One value, or the events of a stream. */
export type EndpointAnswer = { readonly value: object } | { readonly events: Iterable<string> };

export function isStreamed({ body }: EndpointRequest): boolean {
  return body["stream"] === true;
}

/** A server-sent event that goes by its type, as in the Responses and Messages protocols. */
export function renderEvent(value: { readonly type: string }): string {
  return `event: ${value.type}\n${renderUnnamed(value)}`;
}

/** A server-sent event without a name, as in Chat Completions. */
export function renderUnnamed(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Ends a stream of unnamed events. */
export const done = "data: [DONE]\n\n";
