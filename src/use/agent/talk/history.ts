import type { Message, WantedCall } from "../../../base/model.ts";
import type { CallAnswer } from "../spawn/session-call.ts";
import { type ReadAnswer, Talk } from "../spawn/session-talk.ts";
import type { HeldSkill, Invocation, SavedConversation } from "./conversation.ts";
import { answerEveryCall, mergeForSending } from "./sendable.ts";

type Remembered = Pick<SavedConversation, "messages" | "invocation" | "held">;

/** What was said in a conversation, and which skills are at work in it. The prompt before it is not a part of it (AG-3). */
export class History {
  #talk: Talk;
  #invocation: Invocation | null;
  #held: readonly HeldSkill[];
  /** As the person said it. */
  #lastSaid: string | null = null;

  /** A new one, or one to go on with: what a crash cut off in the middle of a turn is made good. */
  constructor({ messages, invocation, held }: Remembered = { messages: [], invocation: null, held: [] }) {
    this.#talk = new Talk(answerEveryCall(messages));
    this.#invocation = invocation;
    this.#held = held;
  }

  get messages(): readonly Message[] {
    return this.#talk.messages;
  }

  /** As services accept them. */
  get messagesToSend(): readonly Message[] {
    return mergeForSending(this.#talk.messages);
  }

  /** More was said than is kept of one conversation: time for a new one, or for a summary. */
  get isTooLong(): boolean {
    return this.#talk.isTooLong;
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
    if (!isAgain) this.#talk.keep({ role: "user", content: text });
    this.#lastSaid = text;
    this.#invocation = invocations.at(-1) ?? this.#invocation;
  }

  /** Behind what a person said last, in our own words; nothing when there is nothing to add. */
  addToUser(text: string): void {
    const { messages } = this;
    const last = messages.at(-1);
    if (text === "" || last?.role !== "user" || typeof last.content !== "string") return;
    this.#talk = new Talk([...messages.slice(0, -1), { role: "user", content: `${last.content}\n\n${text}` }]);
  }

  /** What the model said. A text says why it is no answer. */
  hear(answer: unknown, turn: number): ReadAnswer | string {
    return this.#talk.hear(answer, turn);
  }

  answer(call: WantedCall, result: CallAnswer): void {
    this.#talk.answer(call, result);
  }

  /** After a turn that failed or was cancelled: calls without an answer get one, and what was said stays (AG-8). */
  answerUnanswered(): void {
    this.#talk = new Talk(answerEveryCall(this.#talk.messages));
  }

  /** Puts one message in the place of the first ones. */
  replaceFirst(count: number, message: Message): void {
    this.#talk = new Talk([message, ...this.#talk.messages.slice(count)]);
  }

  snapshot(about: Omit<SavedConversation, keyof Remembered>): SavedConversation {
    return { ...about, messages: this.messages, invocation: this.#invocation, held: this.#held };
  }
}
