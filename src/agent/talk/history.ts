import type { Message, Part, WantedCall } from "../../core/model.ts";
import type { CallAnswer } from "../loop/call.ts";
import { Messages, type ReadAnswer, textsOf } from "../loop/messages.ts";
import type { HeldSkill, Invocation, SavedConversation } from "./saved.ts";

type Remembered = Pick<SavedConversation, "messages" | "invocation" | "held">;

/** What was said in a conversation, and which skills are at work in it. The prompt before it is not a part of it (AG-3). */
export class History {
  #messages: Messages;
  #invocation: Invocation | null;
  #held: readonly HeldSkill[];
  /** As the person said it. */
  #lastSaid: string | null = null;

  /** A new one, or one to go on with: what a crash cut off in the middle of a turn is made good. */
  constructor({ messages, invocation, held }: Remembered = { messages: [], invocation: null, held: [] }) {
    this.#messages = new Messages(answerEveryCall(messages));
    this.#invocation = invocation;
    this.#held = held;
  }

  get messages(): readonly Message[] {
    return this.#messages.all;
  }

  /** All that was said, calls included: what is counted of it. */
  get text(): string {
    return this.messages.map(messageText).join("\n");
  }

  /** As services accept them. */
  get messagesToSend(): readonly Message[] {
    return mergeForSending(this.#messages.all);
  }

  /** More was said than is kept of one conversation: time for a new one, or for a summary. */
  get isTooLong(): boolean {
    return this.#messages.isTooLong;
  }

  /** The latest one. */
  get invocation(): Invocation | null {
    return this.#invocation;
  }

  get held(): readonly HeldSkill[] {
    return this.#held;
  }

  setHeld(held: readonly HeldSkill[]): void {
    this.#held = held;
  }

  /** What a person said, with the invocations that are in it. */
  addUser(text: string, invocations: readonly Invocation[] = []): void {
    // Who says the same again, because no answer came, says it once.
    const isAgain = this.messages.at(-1)?.role === "user" && this.#lastSaid === text;
    if (!isAgain) this.#messages.add({ role: "user", content: text });
    this.#lastSaid = text;
    this.#invocation = invocations.at(-1) ?? this.#invocation;
  }

  /** Behind what a person said last, in our own words; nothing when there is nothing to add. */
  addToUser(text: string): void {
    const { messages } = this;
    const last = messages.at(-1);
    if (text === "" || last?.role !== "user" || typeof last.content !== "string") return;
    this.#messages = new Messages([...messages.slice(0, -1), { role: "user", content: `${last.content}\n\n${text}` }]);
  }

  /** What the model said. A text says why it is no answer. */
  addAnswer(answer: unknown): ReadAnswer | string {
    return this.#messages.addAnswer(answer, this.messages.length);
  }

  addResult(call: WantedCall, result: CallAnswer): void {
    this.#messages.addResult(call, result);
  }

  /** After a turn that failed or was cancelled: calls without an answer get one, and what was said stays (AG-8). */
  answerUnanswered(): void {
    this.#messages = new Messages(answerEveryCall(this.#messages.all));
  }

  /** Puts one message in the place of the first ones. */
  replaceFirst(count: number, message: Message): void {
    this.#messages = new Messages([message, ...this.#messages.all.slice(count)]);
  }

  snapshot(about: Omit<SavedConversation, keyof Remembered>): SavedConversation {
    return { ...about, messages: this.messages, invocation: this.#invocation, held: this.#held };
  }
}

/** What a model is told of a call that came to no end: whatever it did until then stays done. */
const cancelled = "cancelled before there was a result";

/** Every call gets its answer: services refuse a conversation in which one is missing. */
function answerEveryCall(messages: readonly Message[]): readonly Message[] {
  const complete: Message[] = [];
  const open = new Map<string, string>();
  const answerOpen = (): void => {
    for (const [id, tool] of open) complete.push({ role: "tool", id, tool, content: cancelled, isError: true });
    open.clear();
  };
  for (const message of messages) {
    if (message.role === "tool") open.delete(message.id);
    else answerOpen();
    if (message.role === "assistant") for (const { id, tool } of message.calls ?? []) open.set(id, tool);
    complete.push(message);
  }
  answerOpen();
  return complete;
}

/**
 * As services take them: some refuse two user messages in a row, which a turn that failed leaves behind, and all an
 * answer that says nothing.
 */
export function mergeForSending(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  let said: Content[] = [];
  const keepSaid = (): void => {
    if (said.length > 0) merged.push({ role: "user", content: joinContents(said) });
    said = [];
  };
  for (const message of messages.filter((each) => !saysNothing(each))) {
    if (message.role === "user") said.push(message.content);
    else {
      keepSaid();
      merged.push(message);
    }
  }
  keepSaid();
  return merged;
}

type Content = string | readonly Part[];

function saysNothing(message: Message): boolean {
  return message.role === "assistant" && message.content.length === 0 && (message.calls ?? []).length === 0;
}

function joinContents(contents: readonly Content[]): Content {
  const texts = contents.filter((content) => typeof content === "string");
  if (texts.length === contents.length) return texts.join("\n\n");
  return contents.flatMap((content): readonly Part[] =>
    typeof content === "string" ? [{ type: "text", text: content }] : content,
  );
}

/** All that a message says, calls included: what is counted of it. */
export function messageText(message: Message): string {
  const calls = message.role === "assistant" ? (message.calls ?? []) : [];
  return [...textsOf(message), ...calls.map(({ tool, input }) => `${tool} ${input}`)].join("\n");
}
