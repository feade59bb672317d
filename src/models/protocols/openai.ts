import type OpenAI from "openai";
import type { ErrorObject } from "openai/resources/shared";
import type { Endpoint, EndpointAnswer, EndpointRequest, ModelApi } from "./model-api.ts";
import { answerChat, answerCompletions } from "./openai-chat.ts";
import { answerResponses } from "./openai-responses.ts";
import { sha256 } from "../../core/digest.ts";
import { listOf } from "./prompt.ts";

export const openaiApi: ModelApi = {
  name: "openai",
  accepts: () => true,
  endpointAt: (method, path) => endpoints.get(`${method} ${path}`),
  renderModels,
  renderModel,
  renderError(status, message) {
    const [type, code] = errors[status] ?? [status < 500 ? "invalid_request_error" : "server_error", null];
    return { error: { message, type, param: null, code } satisfies ErrorObject };
  },
};

const endpoints: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ["POST /v1/chat/completions", { answer: answerChat, needs: "messages" }],
  ["POST /v1/completions", { answer: answerCompletions, needs: "prompt" }],
  ["POST /v1/responses", { answer: answerResponses, needs: "input" }],
  ["POST /v1/embeddings", { answer: answerEmbeddings, needs: "input" }],
  ["POST /v1/moderations", { answer: answerModerations, needs: "input" }],
  ["GET /v1/models", { answer: ({ models, created }) => ({ value: renderModels(models, created) }) }],
]);

function renderModels(ids: readonly string[], created: number): object {
  return { object: "list", data: ids.map((id) => renderModel(id, created)) };
}

function renderModel(id: string, created: number): OpenAI.Model {
  return { id, object: "model", created, owned_by: "skillward" };
}

const errors: Readonly<Record<number, readonly [type: string, code: string]>> = {
  401: ["invalid_request_error", "invalid_api_key"],
  404: ["invalid_request_error", "unknown_url"],
  429: ["requests", "rate_limit_exceeded"],
};

/** Nothing is ever flagged. */
function answerModerations({ body, id, model }: EndpointRequest): EndpointAnswer {
  const result = {
    flagged: false,
    categories: forEachCategory(false),
    category_scores: forEachCategory(0),
    category_applied_input_types: forEachCategory<["text"]>(["text"]),
  };
  const results = inputsOf(body["input"]).map(() => result);
  // The service has a model of its own for a request that names none.
  const judge = model || "omni-moderation-latest";
  return { value: { id: `modr-${id}`, model: judge, results } satisfies OpenAI.ModerationCreateResponse };
}

function forEachCategory<T>(value: T): Record<keyof OpenAI.Moderation["categories"], T> {
  return {
    harassment: value,
    "harassment/threatening": value,
    hate: value,
    "hate/threatening": value,
    illicit: value,
    "illicit/violent": value,
    "self-harm": value,
    "self-harm/instructions": value,
    "self-harm/intent": value,
    sexual: value,
    "sexual/minors": value,
    violence: value,
    "violence/graphic": value,
  };
}

/** Clients ask for numbers or for their bytes in base64. */
function answerEmbeddings({ body, model, countTokens, embed }: EndpointRequest): EndpointAnswer {
  const texts = inputsOf(body["input"]);
  const length = lengthOf(body["dimensions"]);
  const isPacked = body["encoding_format"] === "base64";
  const data = texts.map((text, index) => {
    const vector = embed(text, length);
    return { object: "embedding" as const, index, embedding: isPacked ? pack(vector) : vector };
  });
  const tokens = countTokens(texts);
  const value = { object: "list" as const, data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
  return { value: value satisfies Omit<OpenAI.CreateEmbeddingResponse, "data"> };
}

/** A small vector of a text: the same for the same text, of length 1, and without any meaning. */
export function vectorOf(text: string, length = 8): readonly number[] {
  const bytes = Buffer.from(sha256(Buffer.from(text)), "hex");
  const raw = Array.from({ length }, (_, at) => bytes.readInt32BE((at * 4) % bytes.length) / 2 ** 31);
  const norm = Math.hypot(...raw) || 1;
  return raw.map((value) => Math.fround(value / norm));
}

function lengthOf(dimensions: unknown): number | undefined {
  return typeof dimensions === "number" && Number.isInteger(dimensions) && dimensions > 0 ? dimensions : undefined;
}

function pack(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}

/** Each input as a text: texts as they are, lists of tokens by their numbers. */
function inputsOf(input: unknown): readonly string[] {
  if (typeof input === "string") return [input];
  const list = listOf(input);
  return list.some((item) => typeof item === "number") ? [tokensOf(list)] : list.map(tokensOf);
}

/** Only numbers are written: a list in a list, however deep, is not followed. */
function tokensOf(item: unknown): string {
  if (typeof item === "string") return item;
  return listOf(item)
    .filter((token) => typeof token === "number")
    .join(" ");
}
