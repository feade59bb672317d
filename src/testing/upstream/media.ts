import type OpenAI from "openai";
import { done, type EndpointRequest, renderEvent, renderUnnamed } from "../../models/protocols/model-api.ts";
import { type Answer, createAnswer, createJson, createStream } from "./answer.ts";

export type MediaRoute = (request: EndpointRequest) => Answer;

/** What of OpenAI's API only passes through the gateway: sound and pictures. */
export const mediaRoutes: ReadonlyMap<string, MediaRoute> = new Map<string, MediaRoute>([
  ["POST /v1/audio/transcriptions", answerTranscription],
  ["POST /v1/audio/speech", () => createAnswer(200, "audio/mpeg", sound)],
  ["POST /v1/images/generations", (request) => answerImage(request, "image_generation.completed")],
  ["POST /v1/images/edits", (request) => answerImage(request, "image_edit.completed")],
]);

/** One transparent dot. */
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** The head of an MP3 file, with bytes that are no text. */
const sound = Buffer.from([0x49, 0x44, 0x33, 0x04, 0x00, 0xff, 0xfb, 0x90, 0x00, 0x80]);

function answerTranscription(request: EndpointRequest): Answer {
  const { pieces, text } = request.reply("");
  const whole = text ?? "";
  const usage = { type: "tokens", ...usageOf(request) } as const;
  if (isStreamed(request)) {
    const events: OpenAI.Audio.TranscriptionStreamEvent[] = [
      ...pieces.map((delta) => ({ type: "transcript.text.delta" as const, delta })),
      { type: "transcript.text.done", text: whole, usage },
    ];
    return createStream([...events.map(renderUnnamed), done]);
  }
  if (request.body["response_format"] === "text") return createAnswer(200, "text/plain; charset=utf-8", `${whole}\n`);
  return createJson({ text: whole, usage } satisfies OpenAI.Audio.Transcription);
}

function answerImage(request: EndpointRequest, type: "image_generation.completed" | "image_edit.completed"): Answer {
  const look = { background: "opaque", output_format: "png", quality: "low", size: "1024x1024" } as const;
  const tokens = usageOf(request);
  const usage = { ...tokens, input_tokens_details: { text_tokens: tokens.input_tokens, image_tokens: 0 } };
  const { created } = request;
  if (!isStreamed(request))
    return createJson({ created, data: [{ b64_json: picture }], ...look, usage } satisfies OpenAI.ImagesResponse);
  const event = { type, b64_json: picture, created_at: created, ...look, usage };
  return createStream([renderEvent(event satisfies OpenAI.ImageGenCompletedEvent | OpenAI.ImageEditCompletedEvent)]);
}

/** A form has only text for it. */
function isStreamed({ body }: EndpointRequest): boolean {
  return body["stream"] === true || body["stream"] === "true";
}

function usageOf({ reply, countTokens }: EndpointRequest) {
  const [input, output] = [countTokens([]), reply("").tokens];
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}
