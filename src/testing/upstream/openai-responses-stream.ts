import type OpenAI from "openai";
import { type Answer, createJson, createStream, renderEvent } from "./answer.ts";
import { type Asked, createSaid, isStreamed, type Said } from "./asked.ts";
import {
  type Call,
  callOf,
  finishedResponse,
  type Message,
  messageOf,
  type Response,
  startedResponse,
  textPart,
} from "./openai-responses.ts";

/** As they are put together; the number of each in its stream is added at the end. */
type Event = Unnumbered<OpenAI.Responses.ResponseStreamEvent>;
type Unnumbered<E> = E extends { response: unknown; sequence_number: number }
  ? Omit<E, "sequence_number" | "response"> & { response: Response }
  : Omit<E, "sequence_number">;

export function answerResponse(asked: Asked): Answer {
  const said = createSaid(asked);
  if (!isStreamed(asked)) return createJson(finishedResponse(said));
  return createStream(eventsOf(said).map(numbered).map(renderEvent));
}

function numbered(event: Event, number: number): Event & { sequence_number: number } {
  return { ...event, sequence_number: number };
}

function eventsOf(said: Said): Event[] {
  const [message, call] = [messageOf(said), callOf(said)];
  return [
    { type: "response.created", response: startedResponse(said) },
    { type: "response.in_progress", response: startedResponse(said) },
    ...(message ? messageEvents(said, message) : []),
    ...(call ? callEvents(said, call, message ? 1 : 0) : []),
    { type: "response.completed", response: finishedResponse(said) },
  ];
}

function messageEvents(said: Said, message: Message): Event[] {
  const at = { item_id: message.id, output_index: 0, content_index: 0 };
  const started: Message = { ...message, status: "in_progress", content: [] };
  return [
    { type: "response.output_item.added", output_index: 0, item: started },
    { type: "response.content_part.added", ...at, part: textPart("") },
    ...said.words.map((delta): Event => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
    { type: "response.output_text.done", ...at, text: said.text, logprobs: [] },
    { type: "response.content_part.done", ...at, part: textPart(said.text) },
    { type: "response.output_item.done", output_index: 0, item: message },
  ];
}

function callEvents(said: Said, call: Call, index: number): Event[] {
  const at = { item_id: call.id, output_index: index };
  const started: Call = { ...call, status: "in_progress", arguments: "" };
  return [
    { type: "response.output_item.added", output_index: index, item: started },
    ...said.inputParts.map((delta): Event => ({ type: "response.function_call_arguments.delta", ...at, delta })),
    { type: "response.function_call_arguments.done", ...at, name: call.name, arguments: call.arguments },
    { type: "response.output_item.done", output_index: index, item: call },
  ];
}
