import { AppError } from "../../base/error.ts";
import type { Message, Part } from "../../base/model.ts";

/** Messages as the AI SDK's providers take them (its language model specification, version 3). */
export type SdkMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: SdkPart[] }
  | { role: "assistant"; content: SdkText[] };

type SdkPart = SdkText | { type: "file"; mediaType: string; data: URL | string };

interface SdkText {
  type: "text";
  text: string;
}

/** Texts stay as they are. An image is handed on by its address: what is fetched, the provider fetches. */
export function sdkPrompt(messages: readonly Message[]): SdkMessage[] {
  return messages.map(({ role, content }): SdkMessage => {
    const parts: readonly Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (role === "user") return { role, content: parts.map(sdkPart) };
    const texts = parts.map((part) => sdkText(part, role));
    if (role === "assistant") return { role, content: texts };
    return { role, content: texts.map(({ text }) => text).join("\n") };
  });
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
