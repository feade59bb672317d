import type OpenAI from "openai";
import { sha256 } from "../../core/digest.ts";
import type { EndpointAnswer, EndpointRequest } from "./model-api.ts";
import { listOf } from "./prompt.ts";

/** Clients ask for numbers or for their bytes in base64. */
export function answerEmbeddings({ body, model, countTokens, embed }: EndpointRequest): EndpointAnswer {
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
export function inputsOf(input: unknown): readonly string[] {
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
