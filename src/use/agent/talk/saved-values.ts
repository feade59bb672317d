import type { Message, Part, WantedCall } from "../../../base/model.ts";
import { isObject, isText, isWhole, readList } from "../../../registry/stored-values.ts";
import type { HeldSkill, Invocation, SavedConversation } from "./conversation.ts";

/** What the file says of itself in its first line. */
export const kindOfFile = "conversation";
export const version = 1;

export type Header = Omit<SavedConversation, "messages">;

/** A text says why it is none. */
export function readHeader(value: unknown): Header | string {
  if (!isObject(value) || value["skillward"] !== kindOfFile)
    return "it does not begin like a conversation of Skillward";
  if (value["version"] !== version) return `only version ${version} can be read: another Skillward wrote it`;
  const { id, workspace, model, startedAt, savedAt } = value;
  const [invocation, held] = [readInvocation(value["invocation"]), readList(value["held"], readHeld)];
  const isRead = isText(id) && isText(workspace) && isText(model) && isWhole(startedAt) && isWhole(savedAt);
  if (!isRead || invocation === undefined || held === undefined) return "its first line is damaged";
  return { id, workspace, model, startedAt, savedAt, invocation, held };
}

function readInvocation(value: unknown): Invocation | null | undefined {
  if (value === null) return null;
  const skill = readHeld(value);
  const text = isObject(value) ? value["text"] : undefined;
  return skill !== undefined && isText(text) ? { ...skill, text } : undefined;
}

const digest = /^[0-9a-f]{64}$/;

function readHeld(value: unknown): HeldSkill | undefined {
  if (!isObject(value)) return undefined;
  const { entry, digest: of, name } = value;
  return isText(entry) && isText(of) && digest.test(of) && isText(name) ? { entry, digest: of, name } : undefined;
}

/** Undefined for what is none. What is kept has no system message: nothing out of a file speaks in that role (AG-3). */
export function readMessage(value: unknown): Message | undefined {
  if (!isObject(value)) return undefined;
  if (value["role"] === "tool") return readResult(value);
  const content = readContent(value["content"]);
  if (content === undefined) return undefined;
  if (value["role"] === "user") return { role: "user", content };
  if (value["role"] !== "assistant") return undefined;
  if (value["calls"] === undefined) return { role: "assistant", content };
  const calls = readList(value["calls"], readCall);
  return calls === undefined ? undefined : { role: "assistant", content, calls };
}

function readResult({ id, tool, content, isError }: Record<string, unknown>): Message | undefined {
  const isRead = isText(id) && isText(tool) && isText(content) && typeof isError === "boolean";
  return isRead ? { role: "tool", id, tool, content, isError } : undefined;
}

function readContent(value: unknown): string | readonly Part[] | undefined {
  return isText(value) ? value : readList(value, readPart);
}

function readPart(value: unknown): Part | undefined {
  const { type, text, url } = isObject(value) ? value : {};
  if (type === "text" && isText(text)) return { type, text };
  return type === "image" && isText(url) ? { type, url } : undefined;
}

function readCall(value: unknown): WantedCall | undefined {
  const { id, tool, input, signature } = isObject(value) ? value : {};
  if (!isText(id) || !isText(tool) || !isText(input)) return undefined;
  if (signature === undefined) return { id, tool, input };
  return isText(signature) ? { id, tool, input, signature } : undefined;
}
