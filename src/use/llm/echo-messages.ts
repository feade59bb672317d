import { type EndpointAnswer, type EndpointRequest, isStream, sseEvent } from "./echo-answer.ts";
import { estimateTokens, piecesOf, renderPrompt } from "./echo-prompt.ts";

/** Anthropic's messages. */
export function answerMessages(request: EndpointRequest): EndpointAnswer {
  const prompt = promptOf(request);
  const text = request.reply(prompt);
  if (isStream(request.body)) return { status: 200, events: messageEvents(request, prompt, text) };
  const usage = usageOf(estimateTokens(prompt), estimateTokens(text));
  const content = [{ type: "text", text }];
  return { status: 200, value: { ...messageOf(request), content, stop_reason: "end_turn", usage } };
}

/** Counts what a message would be asked with. */
export function countMessageTokens(request: EndpointRequest): EndpointAnswer {
  return { status: 200, value: { input_tokens: estimateTokens(promptOf(request)) } };
}

function promptOf({ body }: EndpointRequest): string {
  return renderPrompt(body["system"], body["messages"]);
}

function messageOf({ id, model }: EndpointRequest) {
  const open = { container: null, stop_reason: null, stop_sequence: null, stop_details: null };
  return { id: `msg_${id}`, type: "message", role: "assistant", model, content: [], ...open };
}

function usageOf(input_tokens: number, output_tokens: number) {
  const cached = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return { input_tokens, output_tokens, ...cached, service_tier: "standard" };
}

function* messageEvents(request: EndpointRequest, prompt: string, text: string): Generator<string> {
  const start = { ...messageOf(request), usage: usageOf(estimateTokens(prompt), 1) };
  const delta = { stop_reason: "end_turn", stop_sequence: null };
  const events: [type: string, fields: object][] = [
    ["message_start", { message: start }],
    ["content_block_start", { index: 0, content_block: { type: "text", text: "" } }],
    ["ping", {}],
    ...piecesOf(text).map((piece): [string, object] => [
      "content_block_delta",
      { index: 0, delta: { type: "text_delta", text: piece } },
    ]),
    ["content_block_stop", { index: 0 }],
    ["message_delta", { delta, usage: { output_tokens: estimateTokens(text) } }],
    ["message_stop", {}],
  ];
  for (const [type, fields] of events) yield sseEvent({ type, ...fields }, type);
}
