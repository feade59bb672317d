import { isRecord } from "../../core/json/json.ts";
import { safeName } from "../../core/text.ts";

/** A JSON object as it came; empty for anything else. */
export type Body = Readonly<Record<string, unknown>>;

export function bodyOf(value: unknown): Body {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** CO-18: messages as they were received, each under a line with its role; every text exactly as it is. */
export function renderMessages(messages: readonly unknown[]): string {
  return messages.map((message) => renderMessage(bodyOf(message))).join("\n\n");
}

function renderMessage(message: Body): string {
  const { role, type, content, output } = message;
  const label = [role, type].find((word) => typeof word === "string") ?? "unknown";
  const text = textOfContent(content ?? output ?? "");
  const calls = [...listOf(message["tool_calls"]).map((call) => bodyOf(bodyOf(call)["function"])), message];
  const own = listOf(message["calls"]).map((call) => ownCall(bodyOf(call)));
  return [`[${safeName(label)}]`, ...(text === "" ? [] : [text]), ...[...calls, ...own].flatMap(renderCall)].join("\n");
}

/** A call as a `Message` has it, in the words of the protocols. */
function ownCall({ tool, input }: Body): Body {
  return { name: tool, arguments: input };
}

function renderCall({ name, arguments: given }: Body): string[] {
  return typeof name === "string" && typeof given === "string" ? [`(call of ${safeName(name)}: ${given})`] : [];
}

/** The text of a message's content, one part per line where there are several. */
export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content).map(textOfPart).join("\n");
}

function textOfPart(value: unknown): string {
  const part = bodyOf(value);
  if (typeof part["text"] === "string") return part["text"];
  const type = typeof part["type"] === "string" ? safeName(part["type"]) : "unknown";
  if (type.includes("image")) return "(image)";
  const results = type === "tool_result" ? partsOf(part["content"]) : [];
  return [`(${type})`, ...results].join("\n");
}

/** One level down and no deeper: what a tool returned holds texts and images. */
function partsOf(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  const texts = listOf(content).map((part) => bodyOf(part)["text"]);
  return texts.filter((text) => typeof text === "string");
}

/** What a chat, a response or a message was asked with, instructions first. */
export function renderPrompt(instructions: unknown, messages: unknown): string {
  const first = instructions === undefined || instructions === null ? [] : [{ role: "system", content: instructions }];
  const rest = typeof messages === "string" ? [{ role: "user", content: messages }] : listOf(messages);
  return renderMessages([...first, ...rest]);
}
