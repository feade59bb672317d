import type { Embedder, Model, ModelAnswer, ModelRequest } from "../../base/model.ts";
import type { Transport } from "../../base/transport.ts";
import { vectorOf } from "./echo-lists.ts";
import { estimateTokens, renderMessages } from "./echo-prompt.ts";
import { answeringTransport } from "./echo-transport.ts";

/** CO-18: answers with what it was asked, each message under its role, so that the composed prompt can be read. */
export function echoModel(): Model {
  return answeringModel(({ messages }) => ({ text: renderMessages(messages) }));
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
export function answeringModel(answerTo: (request: ModelRequest) => Pick<ModelAnswer, "text" | "calls">): Model {
  return {
    answer: async (request): Promise<ModelAnswer> => {
      request.signal?.throwIfAborted();
      const said = answerTo(request);
      const inputs = (said.calls ?? []).map(({ input }) => input);
      const tokens = {
        input: estimateTokens(renderMessages(request.messages)),
        output: estimateTokens(said.text + inputs.join("")),
      };
      return { ...said, finish: "stop", tokens };
    },
  };
}
