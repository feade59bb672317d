import { longestCallInput, type Message, type WantedCall } from "../../../base/model.ts";
import { isObject } from "../../../registry/stored-values.ts";
import type { CallAnswer } from "./session-call.ts";

/** An answer of a model as far as it is one. Models answer what they like: nothing of its shape is believed. */
export interface ReadAnswer {
  readonly text: string;
  readonly calls: readonly WantedCall[];
  /** Whether its service ended it before the model did. */
  readonly isCut: boolean;
}

/** More than this in one answer is no work plan. */
const mostCalls = 1024;
/** Services put whole states into ids and signatures, and want them back as they were. */
const longestId = 64 * 1024;
const longestSignature = 64 * 1024;
const longestToolName = 256;

/** Of all messages of one session, in characters. */
const mostCharacters = 16 * 1024 * 1024;

/** The messages between a session and its model. */
export class Talk {
  readonly #messages: Message[] = [];
  readonly #ids = new Set<string>();
  #characters = 0;

  constructor(opening: readonly Message[]) {
    for (const message of opening) this.keep(message);
  }

  /** As they are now: what is said later does not change what was sent. */
  get messages(): readonly Message[] {
    return [...this.#messages];
  }

  get isTooLong(): boolean {
    return this.#characters > mostCharacters;
  }

  /** A message that is what it says, unlike an answer that a model gave just now. */
  keep(message: Message): void {
    if (message.role === "assistant") for (const { id } of message.calls ?? []) this.#ids.add(id);
    this.#characters += lengthOf(message);
    this.#messages.push(message);
  }

  /** Keeps what the model said. A text says why it is no answer. */
  hear(answer: unknown, turn: number): ReadAnswer | string {
    if (!isObject(answer)) return "it is no object";
    const { text, finish } = answer;
    const calls: unknown = answer["calls"] ?? [];
    if (!Array.isArray(calls)) return "its calls are no list";
    if (typeof text !== "string" && calls.length === 0) return "it has neither text nor calls";
    if (calls.length > mostCalls) return `it wants ${calls.length} calls at once`;
    const read = {
      text: typeof text === "string" ? text : "",
      // A place that is empty is a call like any other that says nothing.
      calls: Array.from(calls, (call: unknown, index) => this.#readCall(call, `call-${turn}-${index + 1}`)),
      isCut: finish === "length" || finish === "filter",
    };
    this.keep({ role: "assistant", content: read.text, ...(read.calls.length > 0 && { calls: read.calls }) });
    return read;
  }

  /** Every call gets its answer: services refuse a conversation in which one is missing. */
  answer({ id, tool }: WantedCall, { content, isError }: CallAnswer): void {
    this.keep({ role: "tool", id, tool, content, isError });
  }

  #readCall(call: unknown, spare: string): WantedCall {
    const { id, tool, input, signature } = isObject(call) ? call : {};
    return {
      id: this.#unusedId(id, spare),
      tool: typeof tool === "string" ? tool.slice(0, longestToolName) : "",
      // One character more than may be: enough to be refused as too long.
      input: typeof input === "string" ? input.slice(0, longestCallInput + 1) : "null",
      ...(typeof signature === "string" && signature.length <= longestSignature && { signature }),
    };
  }

  /** The model's own while nobody else has it. */
  #unusedId(id: unknown, spare: string): string {
    let unused = typeof id === "string" && id !== "" && id.length <= longestId ? id : spare;
    // Counted on: the model may have named the next one as well.
    for (let next = this.#ids.size; this.#ids.has(unused); next++) unused = `${spare}-${next}`;
    this.#ids.add(unused);
    return unused;
  }
}

function lengthOf(message: Message): number {
  const calls = message.role === "assistant" ? (message.calls ?? []) : [];
  return lengthOfContent(message.content) + calls.reduce((sum, call) => sum + lengthOfCall(call), 0);
}

function lengthOfContent(content: Message["content"]): number {
  if (typeof content === "string") return content.length;
  return content.reduce((sum, part) => sum + (part.type === "text" ? part.text : part.url).length, 0);
}

/** The id is in the answer to it once more. */
function lengthOfCall({ id, input, signature = "" }: WantedCall): number {
  return 2 * id.length + input.length + signature.length;
}
