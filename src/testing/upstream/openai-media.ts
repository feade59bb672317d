import type OpenAI from "openai";
import { type Answer, createAnswer, createJson, createStream, DONE, renderEvent, renderUnnamed } from "./answer.ts";
import { type Asked, CREATED, createSaid, isStreamed, type Said } from "./asked.ts";

/** One transparent dot. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** The head of an MP3 file, with bytes that are no text. */
const SOUND = Buffer.from([0x49, 0x44, 0x33, 0x04, 0x00, 0xff, 0xfb, 0x90, 0x00, 0x80]);

export function answerTranscription(asked: Asked): Answer {
  const said = createSaid(asked);
  if (isStreamed(asked)) return createStream([...transcriptEvents(said).map(renderUnnamed), DONE]);
  if (asked.fields["response_format"] === "text")
    return createAnswer(200, "text/plain; charset=utf-8", `${said.text}\n`);
  return createJson({ text: said.text, usage: spoken(said) } satisfies OpenAI.Audio.Transcription);
}

function transcriptEvents(said: Said): OpenAI.Audio.TranscriptionStreamEvent[] {
  return [
    ...said.words.map((delta) => ({ type: "transcript.text.delta" as const, delta })),
    { type: "transcript.text.done", text: said.text, usage: spoken(said) },
  ];
}

export function answerSpeech(): Answer {
  return createAnswer(200, "audio/mpeg", SOUND);
}

export function answerImage(asked: Asked): Answer {
  const said = createSaid(asked);
  if (isStreamed(asked)) return createStream([renderEvent(pictureEvent(asked, said))]);
  return createJson({
    created: CREATED,
    data: [{ b64_json: PICTURE }],
    ...LOOK,
    usage: drawn(said),
  } satisfies OpenAI.ImagesResponse);
}

const LOOK = { background: "opaque", output_format: "png", quality: "low", size: "1024x1024" } as const;

function pictureEvent({ request }: Asked, said: Said): OpenAI.ImageGenCompletedEvent | OpenAI.ImageEditCompletedEvent {
  const picture = { b64_json: PICTURE, created_at: CREATED, ...LOOK, usage: drawn(said) };
  return request.path.startsWith("/v1/images/edits")
    ? { type: "image_edit.completed", ...picture }
    : { type: "image_generation.completed", ...picture };
}

function drawn({ tokens }: Said): OpenAI.ImageGenCompletedEvent["usage"] {
  return { ...summed(tokens), input_tokens_details: { text_tokens: tokens.input, image_tokens: 0 } };
}

function spoken({ tokens }: Said): OpenAI.Audio.TranscriptionTextDoneEvent.Usage {
  return { type: "tokens", ...summed(tokens) };
}

function summed({ input, output }: Said["tokens"]): {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
} {
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}
