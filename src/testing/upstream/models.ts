import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import { type Answer, createJson } from "./answer.ts";
import { type Asked, CREATED } from "./asked.ts";

export function answerOpenaiModels({ models }: Asked): Answer {
  return createJson({ object: "list", data: models.map(openaiModel) });
}

export function answerAnthropicModels({ models }: Asked): Answer {
  const ends = { first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
  return createJson({ data: models.map(anthropicModel), has_more: false, ...ends });
}

function openaiModel(id: string): OpenAI.Model {
  return { id, object: "model", created: CREATED, owned_by: "upstream" };
}

function anthropicModel(id: string): Anthropic.ModelInfo {
  return {
    type: "model",
    id,
    display_name: id,
    created_at: new Date(CREATED * 1000).toISOString(),
    lifecycle: "active",
    line: null,
    capabilities: null,
    max_input_tokens: 200_000,
    max_tokens: 64_000,
    deprecated_at: null,
    retires_at: null,
  };
}
