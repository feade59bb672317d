import { isRecord } from "../../core/json/json.ts";
import { longestCallInput, type Message, type WantedCall } from "../../core/model.ts";

import type { CallAnswer } from "./call.ts";

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

/** Of all messages of one agent, in characters. */
const mostCharacters = 16 * 1024 * 1024;

/** The messages between an agent and its model. */
export class Messages {
  readonly #messages: Message[] = [];
  readonly #ids = new Set<string>();
  #characters = 0;

  constructor(opening: readonly Message[]) {
    for (const message of opening) this.add(message);
  }

  /** As they are now: what is said later does not change what was sent. */
  get all(): readonly Message[] {
    return [...this.#messages];
  }

  get isTooLong(): boolean {
    return this.#characters > mostCharacters;
  }

  /** A message that is what it says, unlike an answer that a model gave just now. */
  add(message: Message): void {
    if (message.role === "assistant") for (const { id } of message.calls ?? []) this.#ids.add(id);
    this.#characters += lengthOf(message);
    this.#messages.push(message);
  }

  /** What the model said. A text says why it is no answer. */
  addAnswer(answer: unknown, turn: number): ReadAnswer | string {
    if (!isRecord(answer)) return "it is no object";
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
    this.add({ role: "assistant", content: read.text, ...(read.calls.length > 0 && { calls: read.calls }) });
    return read;
  }

  /** Every call gets its answer: services refuse a conversation in which one is missing. */
  addResult({ id, tool }: WantedCall, { content, isError }: CallAnswer): void {
    this.add({ role: "tool", id, tool, content, isError });
  }

  #readCall(call: unknown, spare: string): WantedCall {
    const { id, tool, input, signature } = isRecord(call) ? call : {};
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
  // The id is in the answer to it once more.
  const ofCalls = calls.map(({ id, input, signature = "" }) => 2 * id.length + input.length + signature.length);
  return [...textsOf(message).map(({ length }) => length), ...ofCalls].reduce((sum, length) => sum + length, 0);
}

/** The texts of a message, or of the parts that it has. */
export function textsOf({ content }: Message): readonly string[] {
  return typeof content === "string" ? [content] : content.map((part) => (part.type === "text" ? part.text : part.url));
}
