import { created, type EndpointAnswer, type EndpointRequest, isStream, sseEvent } from "./echo-answer.ts";
import { estimateTokens, piecesOf, renderPrompt } from "./echo-prompt.ts";

/** OpenAI's responses. Nothing is kept: an earlier response that is named is named back, and that is all. */
export function answerResponses(request: EndpointRequest): EndpointAnswer {
  const { instructions, input } = request.body;
  const prompt = renderPrompt(instructions, input);
  const text = request.reply(prompt);
  const whole = completed(request, prompt, text);
  return isStream(request.body)
    ? { status: 200, events: responseEvents(request, text, whole) }
    : { status: 200, value: whole };
}

function completed(request: EndpointRequest, prompt: string, text: string) {
  const [input_tokens, output_tokens] = [estimateTokens(prompt), estimateTokens(text)];
  const usage = {
    input_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
  return { ...opening(request), status: "completed", output: [itemOf(request, [partOf(text)])], usage };
}

function opening({ id, model, body }: EndpointRequest) {
  const { instructions, previous_response_id: previous } = body;
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: created,
    status: "in_progress",
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

function itemOf({ id }: EndpointRequest, content: readonly object[]) {
  const status = content.length === 0 ? "in_progress" : "completed";
  return { id: `msg_${id}`, type: "message", status, role: "assistant", content };
}

function partOf(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function* responseEvents(request: EndpointRequest, text: string, whole: object): Generator<string> {
  const at = { item_id: `msg_${request.id}`, output_index: 0, content_index: 0 };
  const events: [name: string, fields: object][] = [
    ["response.created", { response: opening(request) }],
    ["response.in_progress", { response: opening(request) }],
    ["response.output_item.added", { output_index: 0, item: itemOf(request, []) }],
    ["response.content_part.added", { ...at, part: partOf("") }],
    ...piecesOf(text).map((delta): [string, object] => ["response.output_text.delta", { ...at, delta, logprobs: [] }]),
    ["response.output_text.done", { ...at, text, logprobs: [] }],
    ["response.content_part.done", { ...at, part: partOf(text) }],
    ["response.output_item.done", { output_index: 0, item: itemOf(request, [partOf(text)]) }],
    ["response.completed", { response: whole }],
  ];
  for (const [number, [type, fields]] of events.entries())
    yield sseEvent({ type, sequence_number: number, ...fields }, type);
}
