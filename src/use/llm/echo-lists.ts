import { sha256 } from "../../base/digest.ts";
import { created, type EndpointAnswer, type EndpointRequest } from "./echo-answer.ts";
import { estimateTokens, listOf } from "./echo-prompt.ts";

const dimensions = 8;

/** A small vector of a text: the same for the same text, of length 1, and without any meaning. */
export function vectorOf(text: string): readonly number[] {
  const bytes = Buffer.from(sha256(Buffer.from(text)), "hex");
  const raw = Array.from({ length: dimensions }, (_, index) => bytes.readInt32BE(index * 4) / 2 ** 31);
  const length = Math.hypot(...raw) || 1;
  return raw.map((value) => Math.fround(value / length));
}

/** OpenAI's embeddings. Clients ask for numbers or for their bytes in base64. */
export function answerEmbeddings({ body, model }: EndpointRequest): EndpointAnswer {
  const texts = inputsOf(body["input"]);
  const isEncoded = body["encoding_format"] === "base64";
  const data = texts.map((text, index) => {
    const vector = vectorOf(text);
    return { object: "embedding", index, embedding: isEncoded ? encoded(vector) : vector };
  });
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  return {
    status: 200,
    value: { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } },
  };
}

function encoded(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
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

const categories = `harassment harassment/threatening hate hate/threatening illicit illicit/violent self-harm
  self-harm/instructions self-harm/intent sexual sexual/minors violence violence/graphic`.split(/\s+/);

/** OpenAI's moderations: nothing is ever flagged. */
export function answerModerations({ body, id, model }: EndpointRequest): EndpointAnswer {
  const result = {
    flagged: false,
    categories: forEachCategory(false),
    category_scores: forEachCategory(0),
    category_applied_input_types: forEachCategory(["text"]),
  };
  return { status: 200, value: { id: `modr-${id}`, model, results: inputsOf(body["input"]).map(() => result) } };
}

function forEachCategory(value: unknown): object {
  return Object.fromEntries(categories.map((category) => [category, value]));
}

/** OpenAI's list of models. */
export function answerModels(): EndpointAnswer {
  const model = { id: "echo", object: "model", created, owned_by: "skillward" };
  return { status: 200, value: { object: "list", data: [model] } };
}

/** Anthropic's list of models. */
export function answerAnthropicModels(): EndpointAnswer {
  const model = { type: "model", id: "echo", display_name: "echo", created_at: "1970-01-01T00:00:00Z" };
  return { status: 200, value: { data: [model], has_more: false, first_id: "echo", last_id: "echo" } };
}
