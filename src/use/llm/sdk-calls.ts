import type { Message, WantedCall } from "../../base/model.ts";
import { type Body, isBody } from "./echo-prompt.ts";

/** A call that the model made earlier, as the AI SDK's providers take it. */
export interface SdkCall {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: Body;
  providerOptions?: { google: { thoughtSignature: string } };
}

/** What became of one. */
export interface SdkResult {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text" | "error-text"; value: string };
}

/** Nothing that a model called makes the next request one that its service refuses: it must be told what was wrong. */
export function sdkCall({ id, tool, input, signature }: WantedCall): SdkCall {
  const call: SdkCall = { type: "tool-call", toolCallId: id, toolName: acceptedName(tool), input: inputOf(input) };
  // Both protocols in which Google answers read it from here.
  return signature === undefined ? call : { ...call, providerOptions: { google: { thoughtSignature: signature } } };
}

export function sdkResult({ id, tool, content, isError }: Extract<Message, { role: "tool" }>): SdkResult {
  const output = isError
    ? // Anthropic refuses an error that says nothing.
      ({ type: "error-text", value: content === "" ? "the call failed" : content } as const)
    : ({ type: "text", value: content } as const);
  return { type: "tool-result", toolCallId: id, toolName: acceptedName(tool), output };
}

const longestAcceptedName = 64;

/** Services refuse names that no tool of theirs could have, also of calls that were denied. */
function acceptedName(tool: string): string {
  if (/^[\w./:-]{1,128}$/.test(tool)) return tool;
  return tool.slice(0, longestAcceptedName).replaceAll(/[^\w-]/g, "_") || "unnamed";
}

const longestMalformed = 1000;

/** Services take an object and nothing else. Of anything else the beginning is kept, for the model to see. */
function inputOf(text: string): Body {
  if (text.trim() === "") return {};
  const value = parseLoose(text);
  return isBody(value) && isShallow(value, deepest) ? value : { malformed: text.slice(0, longestMalformed) };
}

/** Undefined for what is no JSON. */
export function parseLoose(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is nested deeper than any tool wants it could not be written as JSON again. */
const deepest = 128;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}
