import { createHash } from "node:crypto";
import type OpenAI from "openai";
import { type Answer, createJson } from "./answer.ts";
import { type Asked, countTokens, modelOf } from "./asked.ts";

const DIMENSIONS = 8;
const MOST_DIMENSIONS = 3072;

/** The same input has the same vector, another input another one; nothing is meant by them. */
export function answerEmbeddings({ fields, request }: Asked): Answer {
  const isPacked = fields["encoding_format"] === "base64";
  const vectors = inputsOf(fields["input"]).map((input) => vectorOf(input, dimensionsOf(fields["dimensions"])));
  const data = vectors.map((vector, index) => ({
    object: "embedding" as const,
    index,
    embedding: isPacked ? pack(vector) : vector,
  }));
  const tokens = countTokens(request);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  const answer = { object: "list" as const, data, model: modelOf(fields), usage };
  return createJson(answer satisfies Omit<OpenAI.CreateEmbeddingResponse, "data">);
}

/** A list of tokens is one input, a list of anything else several. */
export function inputsOf(input: unknown): unknown[] {
  return Array.isArray(input) && !input.every((part) => typeof part === "number") ? input : [input];
}

function dimensionsOf(asked: unknown): number {
  return Number.isInteger(asked) && Number(asked) > 0 ? Math.min(Number(asked), MOST_DIMENSIONS) : DIMENSIONS;
}

/** Of length 1, in the precision in which both encodings carry it. */
function vectorOf(input: unknown, dimensions: number): number[] {
  const hash = createHash("sha256")
    .update(JSON.stringify(input) ?? "")
    .digest();
  const values = Array.from({ length: dimensions }, (_, at) => (hash[at % hash.length] ?? 0) - 127.5);
  const length = Math.hypot(...values);
  return values.map((value) => Math.fround(value / length));
}

function pack(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes.toString("base64");
}
