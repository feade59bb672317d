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
export function sdkCall({ id, tool, input, signature }: WantedCall, known: ReadonlySet<string>): SdkCall {
  const toolName = acceptedName(tool, known);
  const call: SdkCall = { type: "tool-call", toolCallId: id, toolName, input: inputOf(input) };
  // Both protocols in which Google answers read it from here.
  return signature === undefined ? call : { ...call, providerOptions: { google: { thoughtSignature: signature } } };
}

export function sdkResult(result: Extract<Message, { role: "tool" }>, known: ReadonlySet<string>): SdkResult {
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
