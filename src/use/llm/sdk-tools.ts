import type { AnthropicProvider } from "@ai-sdk/anthropic";
import { longestCallInput, type ModelRequest, type ToolSpec, type WantedCall } from "../../base/model.ts";
import { bodyOf } from "./echo-prompt.ts";
import { parseLoose } from "./sdk-calls.ts";
import { scrubSecret } from "./sdk-failure.ts";

type SdkModel = ReturnType<AnthropicProvider["languageModel"]>;
type SdkTool = Extract<NonNullable<Parameters<SdkModel["doGenerate"]>[0]["tools"]>[number], { type: "function" }>;
type SdkContent = Awaited<ReturnType<SdkModel["doGenerate"]>>["content"];
type SdkWanted = Extract<SdkContent[number], { type: "tool-call" }>;

/** Tools as the AI SDK's providers take them. */
export function sdkTools(tools: readonly ToolSpec[] | undefined): { tools?: SdkTool[] } {
  if (tools === undefined || tools.length === 0) return {};
  return { tools: tools.map(sdkTool) };
}

function sdkTool({ name, description, inputSchema }: ToolSpec): SdkTool {
  return { type: "function", name, description, inputSchema: sdkSchema(inputSchema) };
}

/** The same value: a schema of ours is any JSON object, and one that is none is for the service to refuse. */
function sdkSchema(schema: ToolSpec["inputSchema"]): SdkTool["inputSchema"];
function sdkSchema(schema: unknown): unknown {
  return schema;
}

/** More than a session takes: it is the session that refuses an answer with too many, and says so. */
const mostCalls = 2048;
const longestName = 256;
/** Some services keep what they thought in the id. */
const longestMark = 64 * 1024;

/**
 * What the model wants called, the secret in none of it (CO-16). What the service ran by itself is not ours to run, and
 * a model that was given no tools has none to call.
 */
export function wantedCalls(
  content: SdkContent,
  { tools, messages }: ModelRequest,
  secret: string | null,
): readonly WantedCall[] {
  if (tools === undefined) return [];
  const wanted = content.filter((part) => part.type === "tool-call").filter((part) => part.providerExecuted !== true);
  const calls = wanted.slice(0, mostCalls).map((part) => wantedCall(part, secret));
  return withOwnIds(calls, messages.length);
}

function wantedCall(part: SdkWanted, secret: string | null): WantedCall {
  const kept = (text: string, longest: number) => scrubSecret(text, secret).slice(0, longest);
  const signature = kept(signatureOf(part.providerMetadata), longestMark);
  return {
    id: kept(part.toolCallId, longestMark),
    tool: kept(part.toolName, longestName),
    // One character more than may be: the session says that it is too long, and never runs the part.
    input: scrubInput(part.input, secret).slice(0, longestCallInput + 1),
    ...(signature === "" ? {} : { signature }),
  };
}

/** JSON can spell the secret in other letters: then it is written anew, without it. */
function scrubInput(input: string, secret: string | null): string {
  const scrubbed = scrubSecret(input, secret);
  if (secret === null || !scrubbed.includes("\\")) return scrubbed;
  const plain = JSON.stringify(parseLoose(scrubbed)) ?? "";
  const covered = scrubSecret(plain, JSON.stringify(secret).slice(1, -1));
  return covered === plain ? scrubbed : covered;
}

/** A result is told by the id of its call: none is empty, and no two are the same. */
function withOwnIds(calls: readonly WantedCall[], turn: number): readonly WantedCall[] {
  const taken = new Set([""]);
  let count = 0;
  return calls.map((call, index) => {
    let { id } = call;
    // Never back: ids that were made to be in the way would cost the square of their number (T26).
    for (count = Math.max(count, index); taken.has(id); count++) id = `call_${turn}_${count}`;
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

/** Google's, by the name of whichever protocol it was spoken in; empty when there is none. */
function signatureOf(metadata: unknown): string {
  const { google, openai } = bodyOf(metadata);
  const signature = bodyOf(google)["thoughtSignature"] ?? bodyOf(openai)["thoughtSignature"];
  return typeof signature === "string" ? signature : "";
}
