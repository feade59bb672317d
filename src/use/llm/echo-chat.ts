import { created, type EndpointAnswer, type EndpointRequest, isStream, sseEvent } from "./echo-answer.ts";
import { bodyOf, estimateTokens, listOf, piecesOf, renderPrompt } from "./echo-prompt.ts";

/** OpenAI's chat completions. */
export function answerChat(request: EndpointRequest): EndpointAnswer {
  const prompt = renderPrompt(undefined, request.body["messages"]);
  const text = request.reply(prompt);
  const usage = usageOf([prompt], [text]);
  if (isStream(request.body)) {
    const head = headOf(request, "chatcmpl-", "chat.completion.chunk");
    return { status: 200, events: eventsOf(request, head, chatDeltas(text), usage) };
  }
  const message = { role: "assistant", content: text, refusal: null, annotations: [] };
  const choice = { index: 0, message, logprobs: null, finish_reason: "stop" };
  return { status: 200, value: { ...headOf(request, "chatcmpl-", "chat.completion"), choices: [choice], usage } };
}

function chatDeltas(text: string): readonly object[] {
  const first = { role: "assistant", content: "", refusal: null };
  const rest = piecesOf(text).map((content) => ({ content }));
  const open = [first, ...rest].map((delta) => ({ index: 0, delta, logprobs: null, finish_reason: null }));
  return [...open, { index: 0, delta: {}, logprobs: null, finish_reason: "stop" }];
}

/** OpenAI's completions. There are no roles: each prompt has an answer of its own. */
export function answerCompletions(request: EndpointRequest): EndpointAnswer {
  const prompts = promptsOf(request.body["prompt"]);
  const texts = prompts.map(request.reply);
  const head = headOf(request, "cmpl-", "text_completion");
  const usage = usageOf(prompts, texts);
  if (isStream(request.body))
    return { status: 200, events: eventsOf(request, head, texts.flatMap(completionDeltas), usage) };
  const choices = texts.map((text, index) => ({ index, text, logprobs: null, finish_reason: "stop" }));
  return { status: 200, value: { ...head, choices, usage } };
}

function completionDeltas(text: string, index: number): readonly object[] {
  const open = piecesOf(text).map((piece) => ({ index, text: piece, logprobs: null, finish_reason: null }));
  return [...open, { index, text: "", logprobs: null, finish_reason: "stop" }];
}

function promptsOf(prompt: unknown): readonly string[] {
  if (typeof prompt === "string") return [prompt];
  const list = listOf(prompt);
  // A list of numbers is one prompt, cut into tokens already; what they stand for is not known here.
  if (list.length === 0 || list.some((item) => typeof item === "number")) return ["(tokens)"];
  return list.map((item) => (typeof item === "string" ? item : "(tokens)"));
}

function* eventsOf(
  { body }: EndpointRequest,
  head: object,
  choices: readonly object[],
  usage: object,
): Generator<string> {
  const counted = bodyOf(body["stream_options"])["include_usage"] === true;
  for (const choice of choices) yield sseEvent({ ...head, choices: [choice], ...(counted ? { usage: null } : {}) });
  if (counted) yield sseEvent({ ...head, choices: [], usage });
  yield sseEvent("[DONE]");
}

function headOf({ id, model }: EndpointRequest, prefix: string, object: string) {
  return { id: prefix + id, object, created, model };
}

function usageOf(prompts: readonly string[], texts: readonly string[]) {
  const [input, output] = [tokensOf(prompts), tokensOf(texts)];
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}
