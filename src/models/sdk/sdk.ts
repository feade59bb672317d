import type { AnthropicProvider } from "@ai-sdk/anthropic";
import { AppError } from "../../core/error.ts";
import type { Embedder, Model } from "../../core/model.ts";
import { baseUrlOf } from "../protocols.ts";
import { askSdk, modelAnswer, type SdkAnswer } from "./answer.ts";
import { guarded } from "./failure.ts";
import { type Fetch, fetchFor, type SdkAccess } from "./fetch.ts";
import { withSignal } from "./prompt.ts";

type Sdk = Pick<AnthropicProvider, "languageModel" | "embeddingModel">;

/**
 * A model that is asked with the AI SDK's provider packages. The provider is called itself, without the SDK's loop
 * around it: that would fetch images by their address, ask again after a failure, and print.
 */
export async function sdkModel(access: SdkAccess): Promise<Model> {
  const open = await loadSdk(access);
  return {
    answer: (request) =>
      guarded(access.secret, request.signal, async () => {
        const accept = request.onText === undefined ? "application/json" : "text/event-stream";
        const model = open(fetchFor(access, request.parameters, accept)).languageModel(access.model);
        const answer = await askSdk(model, request, access.secret);
        if (accept === "text/event-stream") demandReason(answer);
        return modelAnswer(answer, request, access.secret);
      }),
  };
}

/** CO-9: the texts go as they are, in as many requests as the provider needs. */
export async function sdkEmbedder(access: SdkAccess): Promise<Embedder> {
  if (access.provider.protocol === "anthropic")
    throw new AppError(
      "usage.invalid",
      "Anthropic's protocol has no embeddings; use a configuration of another provider",
    );
  const open = await loadSdk(access);
  return {
    embed: (texts, signal) =>
      guarded(access.secret, signal, async () => {
        const vectors: (readonly number[])[] = [];
        while (vectors.length < texts.length) {
          const model = open(fetchFor(access, {})).embeddingModel(access.model);
          const most = (await model.maxEmbeddingsPerCall) ?? texts.length;
          const values = texts.slice(vectors.length, vectors.length + most);
          const { embeddings } = await model.doEmbed({ values, ...withSignal(signal) });
          if (embeddings.length !== values.length)
            throw new AppError("upstream.invalid", "the model service did not answer with one vector for each text");
          vectors.push(...embeddings);
        }
        return vectors;
      }),
  };
}

/** Google's package says of any stream that it finished: one that was cut, or was none, only gives no reason for it. */
function demandReason({ finishReason: { unified, raw } }: SdkAnswer): void {
  if (unified === "other" && raw === undefined)
    throw new AppError("upstream.invalid", "the model service stopped in the middle of its answer; ask again");
}

/** The provider's package, loaded when it is needed. It is never given the secret: `fetchFor` sends that. */
async function loadSdk({ provider, model }: SdkAccess): Promise<(fetch: Fetch) => Sdk> {
  const baseURL = baseUrlOf(provider);
  // Without a key of their own the packages would take one from the environment.
  const apiKey = "";
  switch (provider.protocol) {
    case "openai": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      // Without `includeUsage` a stream does not say how many tokens it was.
      return (fetch) => createOpenAICompatible({ name: "openai", baseURL, fetch, includeUsage: true });
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return (fetch) => createAnthropic({ baseURL, apiKey, fetch });
    }
    case "google": {
      demandPlainModel(model);
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return (fetch) => createGoogleGenerativeAI({ baseURL, apiKey, fetch });
    }
    case "echo":
    case "scripted":
      throw new AppError("usage.invalid", `a provider that speaks ${provider.protocol} answers by itself`);
  }
}

/** In Google's protocol the model is a part of the address: it must not lead anywhere else. */
function demandPlainModel(model: string): void {
  if (/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(model)) return;
  throw new AppError("model.refused", "a model of this protocol has letters, digits, points and hyphens in its name");
}
