import type { AppError } from "../../base/error.ts";
import type { Embedder, Model, ModelAnswer, ModelRequest } from "../../base/model.ts";
import type { Transport } from "../../base/transport.ts";
import { vectorOf } from "./echo-lists.ts";
import { estimateTokens, piecesOf, renderMessages } from "./echo-prompt.ts";
import { answeringTransport } from "./echo-transport.ts";
import { tellText } from "./telling.ts";

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

interface Said extends Pick<ModelAnswer, "text" | "calls"> {
  /** What goes wrong once the text was told. */
  readonly failure?: AppError;
}

/** A model that knows its answer at once, and tells it in pieces all the same. */
export function answeringModel(answerTo: (request: ModelRequest) => Said): Model {
  return {
    answer: async (request): Promise<ModelAnswer> => {
      request.signal?.throwIfAborted();
      const { failure, ...said } = answerTo(request);
      await tellPieces(said.text, request);
      if (failure !== undefined) throw failure;
      const inputs = (said.calls ?? []).map(({ input }) => input);
      const tokens = {
        input: estimateTokens(renderMessages(request.messages)),
        output: estimateTokens(said.text + inputs.join("")),
      };
      return { ...said, finish: "stop", tokens };
    },
  };
}

async function tellPieces(text: string, { onText, signal }: ModelRequest): Promise<void> {
  if (onText === undefined) return;
  for (const piece of piecesOf(text)) {
    tellText(onText, piece);
    // Who listens may have something to do before the next one, or want no more of them.
    await Promise.resolve();
    signal?.throwIfAborted();
  }
}
