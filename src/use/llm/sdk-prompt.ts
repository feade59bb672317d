import { AppError } from "../../base/error.ts";
import type { Message, Part, ToolSpec, WantedCall } from "../../base/model.ts";
import { type SdkCall, sdkCall, type SdkResult, sdkResult } from "./sdk-calls.ts";

/** Messages as the AI SDK's providers take them (its language model specification, version 3). */
export type SdkMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: SdkPart[] }
  | { role: "assistant"; content: (SdkText | SdkCall)[] }
  | { role: "tool"; content: SdkResult[] };

type SdkPart = SdkText | { type: "file"; mediaType: string; data: URL | string };

interface SdkText {
  type: "text";
  text: string;
}

/**
 * Texts stay as they are. An image is handed on by its address: what is fetched, the provider fetches. What became of
 * several calls is one message: Anthropic wants the results of a turn together.
 */
export function sdkPrompt(messages: readonly Message[], tools: readonly ToolSpec[] = []): SdkMessage[] {
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
  const calls = callsOf(message).map((call) => sdkCall(call, known));
  // A model that only calls says nothing, and an empty text is refused.
  return { role, content: calls.length === 0 ? texts : [...texts.filter(({ text }) => text !== ""), ...calls] };
}

function callsOf(message: Message): readonly WantedCall[] {
  return message.role === "assistant" ? (message.calls ?? []) : [];
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
