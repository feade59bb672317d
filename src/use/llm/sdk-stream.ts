import type { AnthropicProvider } from "@ai-sdk/anthropic";
import { AppError } from "../../base/error.ts";
import type { ModelRequest } from "../../base/model.ts";
import { CoveredText } from "./covered-text.ts";
import { bodyOf } from "./echo-prompt.ts";
import { type Answered, asked } from "./sdk-answer.ts";
import { failureOf } from "./sdk-failure.ts";
import { tellText } from "./telling.ts";

type SdkModel = ReturnType<AnthropicProvider["languageModel"]>;
type Stream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;

/** What is asked of a language model of the AI SDK. */
export interface Askable {
  doGenerate(options: ReturnType<typeof asked>): PromiseLike<Answered>;
  doStream?(options: ReturnType<typeof asked>): PromiseLike<{ readonly stream: Stream }>;
}

/** An answer in one piece; where somebody listens and the model can, put together from what came and was told. */
export async function answered(model: Askable, request: ModelRequest, secret: string | null): Promise<Answered> {
  if (request.onText === undefined || typeof model.doStream !== "function") return model.doGenerate(asked(request));
  const ending = new AbortController();
  const signal = request.signal === undefined ? ending.signal : AbortSignal.any([request.signal, ending.signal]);
  try {
    const { stream } = await model.doStream(asked({ ...request, signal }));
    return await gather(partsOf(stream, signal), request.onText, secret);
  } finally {
    // However it ended, nothing of it goes on at the service.
    ending.abort();
  }
}

/** Characters of one answer. No model says as much; a service that never stops is one that must be stopped. */
const longestAnswer = 64 * 2 ** 20;
/** As many as are handed on. For each that begins, the SDK looks through all that share its index (T26). */
const mostCalls = 2048;

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
): Promise<Answered> {
  const texts: string[] = [];
  const calls: Extract<StreamPart, { type: "tool-call" }>[] = [];
  const covered = new CoveredText(secret);
  let finish: Extract<StreamPart, { type: "finish" }> | undefined;
  try {
    for await (const part of parts) {
      if (part.type === "text-delta") {
        texts.push(part.delta);
        tellText(onText, covered.add(part.delta));
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
  tellText(onText, covered.end());
  const { finishReason, usage } = finish;
  return { content: [{ type: "text", text: texts.join("") }, ...calls], finishReason, usage };
}

/** Of what a service put into its stream only the message counts: the rest would speak as if it were the SDK's. */
function errorOf(error: unknown): Error {
  if (error instanceof Error) return error;
  const said = typeof error === "string" ? error : bodyOf(error)["message"];
  return new Error(typeof said === "string" ? said : "it failed in the middle of its answer");
}
