import { tell } from "../core/async.ts";
import type { AppError } from "../core/error.ts";
import type { Model, ModelAnswer, ModelRequest } from "../core/model.ts";
import { renderMessages } from "./protocols/prompt.ts";

/** CO-18: answers with what it was asked, each message under its role, so that the composed prompt can be read. */
export function echoModel(): Model {
  return answeringModel(({ messages }) => ({ text: renderMessages(messages) }));
}

interface ImmediateAnswer extends Pick<ModelAnswer, "text" | "calls"> {
  /** What goes wrong once the text was told. */
  readonly failure?: AppError;
}

/** A model that knows its answer at once, and tells it in pieces all the same. */
export function answeringModel(answerTo: (request: ModelRequest) => ImmediateAnswer): Model {
  return {
    answer: async (request): Promise<ModelAnswer> => {
      request.signal?.throwIfAborted();
      const { failure, ...answer } = answerTo(request);
      await tellPieces(answer.text, request);
      if (failure !== undefined) throw failure;
      const inputs = (answer.calls ?? []).map(({ input }) => input);
      const tokens = {
        input: estimateTokens(renderMessages(request.messages)),
        output: estimateTokens(answer.text + inputs.join("")),
      };
      return { ...answer, finish: "stop", tokens };
    },
  };
}

async function tellPieces(text: string, { onText, signal }: ModelRequest): Promise<void> {
  if (onText === undefined) return;
  for (const piece of piecesOf(text)) {
    tell(onText, piece);
    // Who listens may have something to do before the next one, or want no more of them.
    await Promise.resolve();
    signal?.throwIfAborted();
  }
}

/** Four characters are about one token; nothing here is billed. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

const mostPieces = 200;
const smallestPiece = 48;

/** A text cut for streaming, never within a character; together they are the text. */
export function piecesOf(text: string): string[] {
  const size = Math.max(smallestPiece, Math.ceil(text.length / mostPieces));
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const isSplit = /[\ud800-\udbff]/.test(text.charAt(start + size - 1));
    const end = start + size + (isSplit ? 1 : 0);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
