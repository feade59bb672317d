import type Anthropic from "@anthropic-ai/sdk";
import {
  type Endpoint,
  type EndpointAnswer,
  type EndpointRequest,
  isStreamed,
  type ModelApi,
  type Reply,
  renderEvent,
} from "./model-api.ts";
import { renderPrompt } from "./prompt.ts";

export const anthropicApi: ModelApi = {
  name: "anthropic",
  accepts: (path, header) => path.startsWith("/v1/messages") || header("anthropic-version") !== undefined,
  endpointAt: (method, path) => endpoints.get(`${method} ${path}`),
  renderModels,
  renderModel,
  renderError(status, message, request) {
    const type = errors[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
    return { type: "error", error: { type, message }, request_id: request };
  },
};

const endpoints: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ["POST /v1/messages", { answer: answerMessages, needs: "messages" }],
  ["POST /v1/messages/count_tokens", { answer: countMessageTokens, needs: "messages" }],
  ["GET /v1/models", { answer: ({ models, created }) => ({ value: renderModels(models, created) }) }],
]);

/** Without `citations`, which the service leaves out where there are none; the official type has them as null. */
type TextBlock = Omit<Anthropic.TextBlock, "citations">;
type Block = TextBlock | Anthropic.ToolUseBlock;
type Message = Omit<Anthropic.Message, "content"> & { readonly content: readonly Block[] };

/** With our blocks for the official ones, and with `ping`, for which there is no type: the client passes over it. */
type Event =
  | Exclude<Anthropic.RawMessageStreamEvent, { type: "message_start" | "content_block_start" }>
  | { readonly type: "message_start"; readonly message: Message }
  | { readonly type: "content_block_start"; readonly index: number; readonly content_block: Block }
  | { readonly type: "ping" };
type Delta = Anthropic.RawContentBlockDelta;

function answerMessages(request: EndpointRequest): EndpointAnswer {
  const prompt = promptOf(request);
  const reply = request.reply(prompt);
  const started = startedMessage(request, request.countTokens([prompt]));
  if (isStreamed(request)) return { events: messageEvents(reply, started, request.id).map(renderEvent) };
  const { text, call } = renderBlocks(reply, request.id);
  const value: Message = {
    ...started,
    content: [text, call].filter((block) => block !== null),
    stop_reason: stopReason(reply),
    usage: { ...started.usage, output_tokens: reply.tokens },
  };
  return { value };
}

function countMessageTokens(request: EndpointRequest): EndpointAnswer {
  const tokens = request.countTokens([promptOf(request)]);
  return { value: { input_tokens: tokens } satisfies Anthropic.MessageTokensCount };
}

function promptOf({ body }: EndpointRequest): string {
  return renderPrompt(body["system"], body["messages"]);
}

function startedMessage({ id, model }: EndpointRequest, tokens: number): Message {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    container: null,
    diagnostics: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: {
      input_tokens: tokens,
      output_tokens: 1,
      output_tokens_details: null,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      inference_geo: null,
      server_tool_use: null,
      service_tier: "standard",
      speed: null,
    },
  };
}

function renderBlocks({ text, call }: Reply, id: string) {
  const caller = { type: "direct" } as const;
  return {
    text: text === null ? null : ({ type: "text", text } satisfies TextBlock),
    call: call && ({ type: "tool_use", id: `toolu_${id}`, name: call.name, input: call.input, caller } satisfies Block),
  };
}

function stopReason({ call }: Reply): "end_turn" | "tool_use" {
  return call ? "tool_use" : "end_turn";
}

function messageEvents(reply: Reply, started: Message, id: string): Event[] {
  const { text, call } = renderBlocks(reply, id);
  const words = reply.pieces.map((piece): Delta => ({ type: "text_delta", text: piece }));
  // The service opens an input with an empty piece.
  const inputs = ["", ...(reply.call?.pieces ?? [])];
  const parts = inputs.map((piece): Delta => ({ type: "input_json_delta", partial_json: piece }));
  return [
    { type: "message_start", message: started },
    { type: "ping" },
    ...(text ? blockEvents(0, { ...text, text: "" }, words) : []),
    ...(call ? blockEvents(text ? 1 : 0, { ...call, input: {} }, parts) : []),
    {
      type: "message_delta",
      delta: { stop_reason: stopReason(reply), stop_sequence: null, stop_details: null, container: null },
      usage: {
        input_tokens: started.usage.input_tokens,
        output_tokens: reply.tokens,
        output_tokens_details: null,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        server_tool_use: null,
      },
    },
    { type: "message_stop" },
  ];
}

function blockEvents(index: number, block: Block, deltas: readonly Delta[]): Event[] {
  return [
    { type: "content_block_start", index, content_block: block },
    ...deltas.map((delta): Event => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function renderModels(ids: readonly string[], created: number): object {
  const ends = { first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null };
  return { data: ids.map((id) => renderModel(id, created)), has_more: false, ...ends };
}

function renderModel(id: string, created: number): Anthropic.ModelInfo {
  return {
    type: "model",
    id,
    display_name: id,
    created_at: new Date(created * 1000).toISOString(),
    lifecycle: "active",
    line: null,
    capabilities: null,
    max_input_tokens: null,
    max_tokens: null,
    deprecated_at: null,
    retires_at: null,
  };
}

const errors: Readonly<Record<number, Anthropic.ErrorType>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};
