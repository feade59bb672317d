import type { Embedder, Message, Model, ModelAnswer } from "../../base/model.ts";
import type { Transport } from "../../base/transport.ts";
import { vectorOf } from "./echo-lists.ts";
import { estimateTokens, renderMessages } from "./echo-prompt.ts";
import { answeringTransport } from "./echo-transport.ts";

/** CO-18: answers with what it was asked, each message under its role, so that the composed prompt can be read. */
export function echoModel(): Model {
  return answeringModel(renderMessages);
}

/** The same as a model service in both protocols, for the gateway. */
export function echoTransport(): Transport {
  return answeringTransport((received) => received);
}

/** Small vectors without meaning, the same for the same text. */
export function echoEmbedder(): Embedder {
  return {
    embed: async (texts, signal) => {
      signal?.throwIfAborted();
      return texts.map(vectorOf);
    },
  };
}

/** A model that knows its answer at once. */
export function answeringModel(answerTo: (messages: readonly Message[]) => string): Model {
  return {
    answer: async ({ messages, signal }): Promise<ModelAnswer> => {
      signal?.throwIfAborted();
      const text = answerTo(messages);
      const tokens = { input: estimateTokens(renderMessages(messages)), output: estimateTokens(text) };
      return { text, finish: "stop", tokens };
    },
  };
}
