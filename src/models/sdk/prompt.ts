import type { AnthropicProvider } from "@ai-sdk/anthropic";
import { AppError } from "../../core/error.ts";
import { isRecord, parseJson } from "../../core/json/json.ts";
import type { Message, ModelRequest, Part, ToolSpec, WantedCall } from "../../core/model.ts";
import type { Body } from "../protocols/prompt.ts";

export type SdkModel = ReturnType<AnthropicProvider["languageModel"]>;
type SdkTool = Extract<NonNullable<Parameters<SdkModel["doGenerate"]>[0]["tools"]>[number], { type: "function" }>;

/** A request as language models of the AI SDK take it. */
export interface SdkRequest {
  prompt: SdkMessage[];
  tools?: SdkTool[];
  abortSignal?: AbortSignal;
}

/** Messages as the AI SDK's providers take them (its language model specification, version 3). */
type SdkMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: SdkPart[] }
  | { role: "assistant"; content: (SdkText | SdkCall)[] }
  | { role: "tool"; content: SdkResult[] };

type SdkPart = SdkText | { type: "file"; mediaType: string; data: URL | string };

interface SdkText {
  type: "text";
  text: string;
}

/** A call that the model made earlier, as the AI SDK's providers take it. */
interface SdkCall {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: Body;
  providerOptions?: { google: { thoughtSignature: string } };
}

/** What became of one. */
interface SdkResult {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text" | "error-text"; value: string };
}

export function sdkRequest({ messages, tools = [], signal }: ModelRequest): SdkRequest {
  const prompt = sdkPrompt(messages, tools);
  return { prompt, ...(tools.length === 0 ? {} : { tools: tools.map(sdkTool) }), ...withSignal(signal) };
}

export function withSignal(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

/**
 * Texts stay as they are. An image is handed on by its address: what is fetched, the provider fetches. What became of
 * several calls is one message: Anthropic wants the results of a turn together.
 */
function sdkPrompt(messages: readonly Message[], tools: readonly ToolSpec[]): SdkMessage[] {
  const known = new Set(tools.map(({ name }) => name));
  const prompt: SdkMessage[] = [];
  for (const message of messages) {
    const next = sdkMessage(message, known);
    const last = prompt.at(-1);
    if (next.role === "tool" && last?.role === "tool") last.content.push(...next.content);
    else prompt.push(next);
  }
  return prompt;
}

function sdkMessage(message: Message, known: ReadonlySet<string>): SdkMessage {
  if (message.role === "tool") return { role: message.role, content: [sdkResult(message, known)] };
  const { role, content } = message;
  const parts: readonly Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (role === "user") return { role, content: parts.map(sdkPart) };
  const texts = parts.map((part) => sdkText(part, role));
  if (role === "system") return { role, content: texts.map(({ text }) => text).join("\n") };
  const wanted = message.role === "assistant" ? (message.calls ?? []) : [];
  const calls = wanted.map((call) => sdkCall(call, known));
  // A model that only calls says nothing, and an empty text is refused.
  return { role, content: calls.length === 0 ? texts : [...texts.filter(({ text }) => text !== ""), ...calls] };
}

function sdkPart(part: Part): SdkPart {
  return part.type === "text" ? { type: "text", text: part.text } : sdkImage(part.url);
}

function sdkText(part: Part, role: string): SdkText {
  if (part.type === "text") return { type: "text", text: part.text };
  throw new AppError("usage.invalid", `an image is in a message of role ${role}; only user messages can have images`);
}

const longestHead = 128;

function sdkImage(url: string): SdkPart {
  const comma = url.slice(0, longestHead).indexOf(",");
  const [, mediaType] = /^data:(image\/[\w.+-]+);base64$/i.exec(url.slice(0, Math.max(comma, 0))) ?? [];
  if (mediaType !== undefined) return { type: "file", mediaType, data: url.slice(comma + 1) };
  if (/^https:\/\//i.test(url) && URL.canParse(url)) return { type: "file", mediaType: "image/*", data: new URL(url) };
  throw new AppError("usage.invalid", "an image needs an https: address or data:image/…;base64,…");
}

/** Nothing that a model called makes the next request one that its service refuses: it must be told what was wrong. */
function sdkCall({ id, tool, input, signature }: WantedCall, known: ReadonlySet<string>): SdkCall {
  const toolName = acceptedName(tool, known);
  const call: SdkCall = { type: "tool-call", toolCallId: id, toolName, input: inputOf(input) };
  // Both protocols in which Google answers read it from here.
  return signature === undefined ? call : { ...call, providerOptions: { google: { thoughtSignature: signature } } };
}

function sdkResult(result: Extract<Message, { role: "tool" }>, known: ReadonlySet<string>): SdkResult {
  const { id, tool, content, isError } = result;
  const output = isError
    ? // Anthropic refuses an error that says nothing.
      ({ type: "error-text", value: content === "" ? "the call failed" : content } as const)
    : ({ type: "text", value: content } as const);
  return { type: "tool-result", toolCallId: id, toolName: acceptedName(tool, known), output };
}

const longestAcceptedName = 64;

/**
 * Services refuse names that no tool of theirs could have, also of calls that were denied. Those of this request's own
 * tools stay as they are; of the others two may become one, for it is the id that ties a call to its result.
 */
function acceptedName(tool: string, known: ReadonlySet<string>): string {
  if (known.has(tool)) return tool;
  return tool.slice(0, longestAcceptedName).replaceAll(/[^\w-]/g, "_") || "unnamed";
}

const longestMalformed = 1000;

/** Services take an object and nothing else. Of anything else the beginning is kept, for the model to see. */
function inputOf(text: string): Body {
  if (text.trim() === "") return {};
  const value = parseJson(text);
  return isRecord(value) && isShallow(value, deepest) ? value : { malformed: text.slice(0, longestMalformed) };
}

/** What is nested deeper than any tool wants it could not be written as JSON again. */
const deepest = 128;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}

function sdkTool({ name, description, inputSchema }: ToolSpec): SdkTool {
  return { type: "function", name, description, inputSchema: sdkSchema(inputSchema) };
}

/** The same value: a schema of ours is any JSON object, and one that is none is for the service to refuse. */
function sdkSchema(schema: ToolSpec["inputSchema"]): SdkTool["inputSchema"];
function sdkSchema(schema: unknown): unknown {
  return schema;
}
