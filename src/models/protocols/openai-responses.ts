import type OpenAI from "openai";
import { type EndpointAnswer, type EndpointRequest, isStreamed, type Reply, renderEvent } from "./model-api.ts";
import { renderPrompt } from "./prompt.ts";

/** As the service sends it: `output_text` is added by the official client. */
type Response = Omit<OpenAI.Responses.Response, "output_text" | "usage"> & {
  readonly usage: OpenAI.Responses.ResponseUsage | null;
  readonly store: boolean;
};
type Message = OpenAI.Responses.ResponseOutputMessage;
type Call = OpenAI.Responses.ResponseFunctionToolCall & { readonly id: string };

/** As they are put together; the number of each in its stream is added at the end. */
type Event = Unnumbered<OpenAI.Responses.ResponseStreamEvent>;
type Unnumbered<E> = E extends { response: unknown; sequence_number: number }
  ? Omit<E, "sequence_number" | "response"> & { response: Response }
  : Omit<E, "sequence_number">;

export function answerResponses(request: EndpointRequest): EndpointAnswer {
  const prompt = renderPrompt(request.body["instructions"], request.body["input"]);
  const reply = request.reply(prompt);
  const started = startedResponse(request);
  const [message, call] = [renderMessage(reply, request.id), renderCall(reply, request.id)];
  const finished: Response = {
    ...started,
    status: "completed",
    completed_at: request.created,
    output: [message, call].filter((item) => item !== null),
    usage: renderUsage(request.countTokens([prompt]), reply.tokens),
  };
  if (!isStreamed(request)) return { value: finished };
  const events: Event[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...(message ? messageEvents(reply, message) : []),
    ...(call ? callEvents(reply.call?.pieces ?? [], call, message ? 1 : 0) : []),
    { type: "response.completed", response: finished },
  ];
  return { events: events.map(renderNumbered) };
}

function renderNumbered(event: Event, number: number): string {
  const numbered = { ...event, sequence_number: number };
  return renderEvent(numbered);
}

/** Nothing is kept: an earlier response that a request names is named back, and that is all. */
function startedResponse({ id, created, model, body }: EndpointRequest): Response {
  const { instructions, previous_response_id: previous } = body;
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: created,
    status: "in_progress",
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: typeof instructions === "string" ? instructions : null,
    max_output_tokens: null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: typeof previous === "string" ? previous : null,
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    store: false,
    temperature: null,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: null,
    truncation: "disabled",
    usage: null,
  };
}

function renderMessage({ text }: Reply, id: string): Message | null {
  if (text === null) return null;
  return { id: `msg_${id}`, type: "message", role: "assistant", status: "completed", content: [renderText(text)] };
}

function renderText(text: string): OpenAI.Responses.ResponseOutputText {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function renderCall({ call }: Reply, id: string): Call | null {
  if (!call) return null;
  const called = { name: call.name, arguments: JSON.stringify(call.input) };
  return { id: `fc_${id}`, call_id: `call_${id}`, type: "function_call", status: "completed", ...called };
}

function messageEvents({ text, pieces }: Reply, message: Message): Event[] {
  const at = { item_id: message.id, output_index: 0, content_index: 0 };
  const whole = text ?? "";
  return [
    { type: "response.output_item.added", output_index: 0, item: { ...message, status: "in_progress", content: [] } },
    { type: "response.content_part.added", ...at, part: renderText("") },
    ...pieces.map((delta): Event => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
    { type: "response.output_text.done", ...at, text: whole, logprobs: [] },
    { type: "response.content_part.done", ...at, part: renderText(whole) },
    { type: "response.output_item.done", output_index: 0, item: message },
  ];
}

function callEvents(pieces: readonly string[], call: Call, index: number): Event[] {
  const at = { item_id: call.id, output_index: index };
  return [
    {
      type: "response.output_item.added",
      output_index: index,
      item: { ...call, status: "in_progress", arguments: "" },
    },
    ...pieces.map((delta): Event => ({ type: "response.function_call_arguments.delta", ...at, delta })),
    { type: "response.function_call_arguments.done", ...at, name: call.name, arguments: call.arguments },
    { type: "response.output_item.done", output_index: index, item: call },
  ];
}

function renderUsage(input: number, output: number): OpenAI.Responses.ResponseUsage {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}
