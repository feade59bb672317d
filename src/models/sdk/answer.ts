import { tell } from "../../core/async.ts";
import { AppError } from "../../core/error.ts";
import { parseJson } from "../../core/json/json.ts";
import { longestCallInput, type ModelAnswer, type ModelRequest, type WantedCall } from "../../core/model.ts";
import { bodyOf } from "../protocols/prompt.ts";
import { CoveredText, scrubSecret } from "./covered-text.ts";
import { failureOf } from "./failure.ts";
import { type SdkModel, type SdkRequest, sdkRequest } from "./prompt.ts";

/** What counts of an answer of the SDK, whether it came at once or in pieces. */
export type SdkAnswer = Pick<Awaited<ReturnType<SdkModel["doGenerate"]>>, "content" | "finishReason" | "usage">;
type SdkWanted = Extract<SdkAnswer["content"][number], { type: "tool-call" }>;
type Stream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;

/** A language model of the AI SDK. One that an application brings need not stream. */
export interface SdkLanguageModel {
  doGenerate(options: SdkRequest): PromiseLike<SdkAnswer>;
  doStream?(options: SdkRequest): PromiseLike<{ readonly stream: Stream }>;
}

/** An answer in one piece; where somebody listens and the model can, put together from what came and was told. */
export async function askSdk(
  model: SdkLanguageModel,
  request: ModelRequest,
  secret: string | null,
): Promise<SdkAnswer> {
  if (request.onText === undefined || typeof model.doStream !== "function")
    return model.doGenerate(sdkRequest(request));
  const ending = new AbortController();
  const signal = request.signal === undefined ? ending.signal : AbortSignal.any([request.signal, ending.signal]);
  try {
    const { stream } = await model.doStream(sdkRequest({ ...request, signal }));
    return await gather(partsOf(stream, signal), request.onText, secret);
  } finally {
    // However it ended, nothing of it goes on at the service.
    ending.abort();
  }
}

/** Characters of one answer. No model says as much; a service that never stops is one that must be stopped. */
const longestAnswer = 64 * 2 ** 20;

/** Ends also at too many calls: for each that begins, the SDK looks through all that share its index (T26). */
async function* partsOf(stream: Stream, signal: AbortSignal): AsyncGenerator<StreamPart> {
  const reader = stream.getReader();
  // Nobody waits for a model that does not heed the signal.
  const leave = (): void => void reader.cancel().catch(() => {});
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave);
  let [length, begun, whole] = [0, 0, 0];
  while (length <= longestAnswer && begun <= mostCalls && whole <= mostCalls) {
    const { done, value } = await reader.read();
    if (done) return;
    length += 1 + lengthOf(value);
    if (value.type === "tool-input-start") begun++;
    if (value.type === "tool-call") whole++;
    yield value;
  }
  const bound = `${longestAnswer} characters or ${mostCalls} calls`;
  throw new AppError("upstream.invalid", `the model service does not stop: it answered more than ${bound}`);
}

/** What a call is made with can come in pieces, as a whole, or both. */
function lengthOf(part: unknown): number {
  const { delta, input } = bodyOf(part);
  return [delta, input].reduce<number>((sum, text) => sum + (typeof text === "string" ? text.length : 0), 0);
}

async function gather(
  parts: AsyncIterable<StreamPart>,
  onText: ModelRequest["onText"],
  secret: string | null,
): Promise<SdkAnswer> {
  const texts: string[] = [];
  const calls: SdkWanted[] = [];
  const covered = new CoveredText(secret);
  const tellText = (text: string): void => {
    if (text !== "") tell(onText, text);
  };
  let finish: Extract<StreamPart, { type: "finish" }> | undefined;
  try {
    for await (const part of parts) {
      if (part.type === "text-delta") {
        texts.push(part.delta);
        tellText(covered.add(part.delta));
      } else if (part.type === "tool-call") calls.push(part);
      else if (part.type === "finish") finish = part;
      else if (part.type === "error") throw failureOf(errorOf(part.error), secret);
    }
  } catch (error) {
    // An answer that was finished is whole, whatever became of its connection then.
    if (finish === undefined) throw error;
  }
  if (finish === undefined)
    throw new AppError("upstream.invalid", "the model service stopped in the middle of its answer; ask again");
  tellText(covered.end());
  const { finishReason, usage } = finish;
  return { content: [{ type: "text", text: texts.join("") }, ...calls], finishReason, usage };
}

/** Of what a service put into its stream only the message counts: the rest would speak as if it were the SDK's. */
function errorOf(error: unknown): Error {
  if (error instanceof Error) return error;
  const said = typeof error === "string" ? error : bodyOf(error)["message"];
  return new Error(typeof said === "string" ? said : "it failed in the middle of its answer");
}

export function modelAnswer(answer: SdkAnswer, request: ModelRequest, secret: string | null): ModelAnswer {
  const texts = answer.content.map((part) => (part.type === "text" ? part.text : ""));
  const calls = wantedCalls(answer.content, request, secret);
  const { unified } = answer.finishReason;
  const { inputTokens, outputTokens } = answer.usage;
  return {
    // CO-16: a service that sends back what it was sent does not hand the secret to whoever asked.
    text: scrubSecret(texts.join(""), secret),
    ...(calls.length === 0 ? {} : { calls }),
    // A model that stops to have something called stopped by itself.
    finish: unified === "tool-calls" && calls.length > 0 ? "stop" : (finishes[unified] ?? "other"),
    tokens: { input: inputTokens.total ?? null, output: outputTokens.total ?? null },
  };
}

const finishes: Readonly<Partial<Record<string, ModelAnswer["finish"]>>> = {
  stop: "stop",
  length: "length",
  "content-filter": "filter",
};

/** More than a session takes: it is the session that refuses an answer with too many, and says so. */
const mostCalls = 2048;
const longestName = 256;
/** Some services keep what they thought in the id. */
const longestMark = 64 * 1024;

/**
 * What the model wants called, the secret in none of it (CO-16). What the service ran by itself is not ours to run, and
 * a model that was given no tools has none to call.
 */
function wantedCalls(
  content: SdkAnswer["content"],
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
  const plain = JSON.stringify(parseJson(scrubbed)) ?? "";
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
