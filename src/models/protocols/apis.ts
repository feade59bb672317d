import { anthropicApi } from "./anthropic.ts";
import type { Header, ModelApi } from "./model-api.ts";
import { openaiApi } from "./openai.ts";

/** The first one that accepts a request answers it; OpenAI's accepts every request. */
const apis: readonly ModelApi[] = [anthropicApi, openaiApi];

export function apiOf(path: string, header: Header): ModelApi {
  return apis.find((api) => api.accepts(path, header)) ?? openaiApi;
}
