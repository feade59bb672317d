import type OpenAI from "openai";
import { type Answer, createJson, createStream, DONE, renderUnnamed } from "./answer.ts";
import { type Asked, CREATED, createSaid, isStreamed, type Said } from "./asked.ts";
import { usageOf } from "./openai-chat.ts";

/** The protocol before chat: text in, text out, no tools. */
export function answerCompletion(asked: Asked): Answer {
  const said = createSaid(asked);
  if (!isStreamed(asked)) return createJson(completion(said, said.text, "stop"));
  const words = said.words.map((word) => partOf(said, word, null));
  return createStream([...words, partOf(said, "", "stop")].map(renderUnnamed).concat(DONE));
}

function completion(said: Said, text: string, finish: "stop"): object {
  return {
    ...headOf(said),
    choices: [{ index: 0, text, logprobs: null, finish_reason: finish }],
    usage: usageOf(said),
  } satisfies OpenAI.Completion;
}

/** The official type has no null here; the service sends it until the last part. */
function partOf(said: Said, text: string, finish: "stop" | null): object {
  return { ...headOf(said), choices: [{ index: 0, text, logprobs: null, finish_reason: finish }] };
}

function headOf(said: Said): { id: string; object: "text_completion"; created: number; model: string } {
  return { id: `cmpl-${said.number}`, object: "text_completion", created: CREATED, model: said.model };
}
