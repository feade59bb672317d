import type OpenAI from "openai";
import { done, type EndpointAnswer, type EndpointRequest, isStreamed, type Reply, renderUnnamed } from "./model-api.ts";
import { bodyOf, listOf, renderPrompt } from "./prompt.ts";

type Choice = OpenAI.ChatCompletionChunk["choices"][number];
type Delta = Choice["delta"];
type Finish = "stop" | "tool_calls";

export function answerChat(request: EndpointRequest): EndpointAnswer {
  const prompt = renderPrompt(undefined, request.body["messages"]);
  const reply = request.reply(prompt);
  const usage = renderUsage(request.countTokens([prompt]), reply.tokens);
  return isStreamed(request) ? streamChat(request, reply, usage) : { value: renderChat(request, reply, usage) };
}

function renderChat(
  { id, created, model }: EndpointRequest,
  reply: Reply,
  usage: OpenAI.CompletionUsage,
): OpenAI.ChatCompletion {
  const { text, call } = reply;
  const called = call && { name: call.name, arguments: JSON.stringify(call.input) };
  const message: OpenAI.ChatCompletionMessage = {
    role: "assistant",
    content: text,
    refusal: null,
    annotations: [],
    ...(called ? { tool_calls: [{ id: `call_${id}`, type: "function", function: called }] } : {}),
  };
  return {
    id: `chatcmpl-${id}`,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(reply) }],
    usage,
    service_tier: "default",
  };
}

function streamChat(request: EndpointRequest, reply: Reply, usage: OpenAI.CompletionUsage): EndpointAnswer {
  const { id, created, model } = request;
  const head = { id: `chatcmpl-${id}`, object: "chat.completion.chunk", created, model, service_tier: "default" };
  const open = renderDeltas(reply, `call_${id}`).map((delta) => chatChoice(delta, null));
  return { events: renderStream(request, head, [...open, chatChoice({}, finishOf(reply))], usage) };
}

function chatChoice(delta: Delta, finish_reason: Finish | null): Choice {
  return { index: 0, delta, logprobs: null, finish_reason };
}

/** The role, the text, then the call with its input in pieces. */
function renderDeltas({ text, pieces, call }: Reply, callId: string): Delta[] {
  const first: Delta = { role: "assistant", content: text === null ? null : "", refusal: null };
  const said: Delta[] = [first, ...pieces.map((content) => ({ content }))];
  if (!call) return said;
  return [
    ...said,
    { tool_calls: [{ index: 0, id: callId, type: "function", function: { name: call.name, arguments: "" } }] },
    ...call.pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ];
}

function finishOf({ call }: Reply): Finish {
  return call ? "tool_calls" : "stop";
}

/** The protocol before chat: text in, text out, no roles and no tools. Each prompt has an answer of its own. */
export function answerCompletions(request: EndpointRequest): EndpointAnswer {
  const prompts = promptsOf(request.body["prompt"]);
  const replies = prompts.map((prompt) => request.reply(prompt));
  const tokens = replies.reduce((sum, reply) => sum + reply.tokens, 0);
  const usage = renderUsage(request.countTokens(prompts), tokens);
  const { id, created, model } = request;
  const head = { id: `cmpl-${id}`, object: "text_completion", created, model } as const;
  if (isStreamed(request)) {
    const parts = replies.flatMap(({ pieces }, index) => [
      ...pieces.map((piece) => completionChoice(index, piece, null)),
      completionChoice(index, "", "stop"),
    ]);
    return { events: renderStream(request, head, parts, usage) };
  }
  const choices = replies.map(({ text }, index) => completionChoice(index, text ?? "", "stop" as const));
  return { value: { ...head, choices, usage } satisfies OpenAI.Completion };
}

function completionChoice<Reason>(index: number, text: string, finish_reason: Reason) {
  return { index, text, logprobs: null, finish_reason };
}

function promptsOf(prompt: unknown): readonly string[] {
  if (typeof prompt === "string") return [prompt];
  const list = listOf(prompt);
  // A list of numbers is one prompt, cut into tokens already; what they stand for is not known here.
  if (list.length === 0 || list.some((item) => typeof item === "number")) return ["(tokens)"];
  return list.map((item) => (typeof item === "string" ? item : "(tokens)"));
}

/** A chunk for each choice; usage comes in one of its own, where the request asks for it. */
function* renderStream(
  { body }: EndpointRequest,
  head: object,
  choices: readonly object[],
  usage: object,
): Generator<string> {
  const isCounted = bodyOf(body["stream_options"])["include_usage"] === true;
  for (const choice of choices)
    yield renderUnnamed({ ...head, choices: [choice], ...(isCounted ? { usage: null } : {}) });
  if (isCounted) yield renderUnnamed({ ...head, choices: [], usage });
  yield done;
}

function renderUsage(input: number, output: number): OpenAI.CompletionUsage {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
