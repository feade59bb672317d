import { answerMessage, answerTokenCount, faultOf } from "./anthropic.ts";
import type { Answer } from "./answer.ts";
import type { Asked } from "./asked.ts";
import { parseFields } from "./fields.ts";
import { answerAnthropicModels, answerOpenaiModels } from "./models.ts";
import { answerChat } from "./openai-chat.ts";
import { answerCompletion } from "./openai-completions.ts";
import { answerImage, answerSpeech, answerTranscription } from "./openai-media.ts";
import { answerModeration } from "./openai-moderations.ts";
import { answerResponse } from "./openai-responses-stream.ts";
import { answerEmbeddings } from "./openai-vectors.ts";
import { createError, type Protocol, protocolOf } from "./protocol.ts";

type Route = (asked: Asked) => Answer;

const ROUTES: Readonly<Record<Protocol, ReadonlyMap<string, Route>>> = {
  openai: new Map([
    ["POST /v1/chat/completions", answerChat],
    ["POST /v1/responses", answerResponse],
    ["POST /v1/completions", answerCompletion],
    ["POST /v1/embeddings", answerEmbeddings],
    ["POST /v1/moderations", answerModeration],
    ["POST /v1/audio/transcriptions", answerTranscription],
    ["POST /v1/audio/speech", answerSpeech],
    ["POST /v1/images/generations", answerImage],
    ["POST /v1/images/edits", answerImage],
    ["GET /v1/models", answerOpenaiModels],
  ]),
  anthropic: new Map([
    ["POST /v1/messages", answerMessage],
    ["POST /v1/messages/count_tokens", answerTokenCount],
    ["GET /v1/models", answerAnthropicModels],
  ]),
};

/** What the real service would send: also that there is no such place, and that the body cannot be read. */
export function answerByRoute(asked: Asked): Answer {
  const { request, number } = asked;
  const protocol = protocolOf(request);
  const place = `${request.method} ${request.path.split("?")[0]}`;
  const route = ROUTES[protocol].get(place);
  if (!route) return createError(protocol, 404, `Unknown request URL: ${place}.`, number);
  const fields = request.method === "GET" ? {} : parseFields(request);
  if (!fields) return createError(protocol, 400, "The body could not be read.", number);
  const fault = protocol === "anthropic" ? faultOf(request, fields) : null;
  return fault === null ? route({ ...asked, fields }) : createError(protocol, 400, fault, number);
}
