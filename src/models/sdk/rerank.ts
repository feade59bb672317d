import type { Readable } from "node:stream";
import { AppError } from "../../core/error.ts";
import { parseJson } from "../../core/json/json.ts";
import type { Reranker } from "../../core/model.ts";
import { authHeadersOf, baseUrlOf } from "../protocols.ts";
import { bodyOf } from "../protocols/prompt.ts";
import { guarded } from "./failure.ts";
import type { SdkAccess } from "./fetch.ts";

/**
 * A reranker behind the form that most services and servers share: `POST {base}/rerank` with the query and all
 * documents, answered with one score for each. It is spoken beside OpenAI's protocol, and beside no other.
 */
export function createReranker(access: SdkAccess): Reranker {
  const { provider, secret } = access;
  if (provider.protocol !== "openai")
    throw new AppError(
      "usage.invalid",
      `a provider that speaks ${provider.protocol} has no reranking; use a configuration of one that speaks openai`,
    );
  return {
    rank: (query, documents, signal) =>
      guarded(secret, signal, async () =>
        documents.length === 0 ? [] : scoresIn(await ask(access, query, documents, signal), documents.length),
      ),
  };
}

/** T43: the secret goes to the provider's own base and nowhere else. */
async function ask(
  { provider, model, secret, transport }: SdkAccess,
  query: string,
  documents: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string> {
  const { status, body } = await transport.send({
    method: "POST",
    url: `${baseUrlOf(provider)}/rerank`,
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      ...authHeadersOf(provider.protocol, secret),
    },
    body: Buffer.from(JSON.stringify({ model, query, documents, top_n: documents.length })),
    signal,
  });
  if (status >= 200 && status < 300) return readText(body);
  body.destroy();
  if (status === 401 || status === 403)
    throw new AppError(
      "upstream.refused",
      `the model service answered ${status}: it does not accept the secret; set the provider's secret anew`,
    );
  throw new AppError("upstream.invalid", `the model service answered ${status}`);
}

/** Some repeat the documents in their answer; more than that is no list of scores. */
const mostBytes = 1024 * 1024;

async function readText(body: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > mostBytes) throw unusable(`more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** One score for each document, whatever their order. What is left out, named twice or made up spoils all of it. */
function scoresIn(text: string, count: number): readonly number[] {
  const parsed = parseJson(text);
  if (parsed === undefined) throw unusable("no JSON");
  const { results } = bodyOf(parsed);
  if (!Array.isArray(results) || results.length !== count) throw unusable(`not ${count} results`);
  const scores = new Map<number, number>();
  for (const result of results) {
    const { index, relevance_score: score } = bodyOf(result);
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count || scores.has(index))
      throw unusable("a result for none of the documents, or a second one for the same");
    if (typeof score !== "number" || !(score >= 0 && score <= 1)) throw unusable("a score that is not from 0 to 1");
    scores.set(index, score);
  }
  return Array.from({ length: count }, (_, index) => scores.get(index) ?? 0);
}

function unusable(what: string): AppError {
  return new AppError("upstream.invalid", `what the model service answered cannot be used: ${what}`);
}
