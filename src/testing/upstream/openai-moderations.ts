import type OpenAI from "openai";
import { type Answer, createJson } from "./answer.ts";
import { type Asked, modelOf } from "./asked.ts";
import { inputsOf } from "./openai-vectors.ts";

/** Nothing is ever objected to. */
export function answerModeration({ number, fields }: Asked): Answer {
  return createJson({
    id: `modr-${number}`,
    model: modelOf(fields) || "omni-moderation-latest",
    results: inputsOf(fields["input"]).map(() => ({
      flagged: false,
      categories: forEach(false),
      category_scores: forEach(0),
      category_applied_input_types: forEach([]),
    })),
  } satisfies OpenAI.ModerationCreateResponse);
}

function forEach<T>(value: T): Record<keyof OpenAI.Moderation["categories"], T> {
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
