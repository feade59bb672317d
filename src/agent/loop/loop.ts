import type { Model, ModelAnswer, ModelRequest, WantedCall } from "../../core/model.ts";
import type { CallAnswer } from "./call.ts";
import type { EndedBy, Lifetime } from "./lifetime.ts";
import type { ReadAnswer } from "./messages.ts";

/** What was said so far: the messages of a sub-agent, or the conversation of the agent itself. */
interface Conversation {
  /** Keeps what the model answered. A text says why it is no answer. */
  addAnswer(answer: unknown, turn: number): ReadAnswer | string;
  /** Every call gets its result: services refuse a conversation in which one is missing. */
  addResult(call: WantedCall, result: CallAnswer): void;
  readonly isTooLong: boolean;
}

/** The agent and its sub-agents work in the same loop; all that differs between them is in here. */
export interface LoopOptions {
  readonly model: Model;
  readonly conversation: Conversation;
  readonly lifetime: Lifetime;
  readonly limits: {
    /** Answers of the model. */
    readonly turns: number;
    /** Calls of one answer that are looked at. */
    readonly calls: number;
  };
  /** What the model is given, made right before each call of it (AG-3). */
  readonly request: (turn: number) => Promise<Omit<ModelRequest, "signal" | "onText">>;
  /** The text of an answer, as it comes or as a whole. */
  readonly onText?: (text: string) => void;
  readonly onAnswer: (answer: ReadAnswer, turn: number, tokens: ModelAnswer["tokens"]) => void;
  /** One call, through the gate (SC-7). An excess one is beyond the limit of its answer, and is denied unseen. */
  readonly makeCall: (call: WantedCall, isExcess: boolean) => Promise<CallAnswer>;
  /** Whether so much was denied that there is no use in going on. */
  readonly isDeniedTooOften?: () => boolean;
}

/** Why a loop failed: each caller has its own words for it. */
export type LoopFault =
  | { readonly is: "model-failed" | "broken"; readonly error: unknown }
  | { readonly is: "model-invalid"; readonly why: string }
  | { readonly is: "too-long" | "denied-too-often" };

export interface LoopResult {
  readonly end: "finished" | "failed" | "turns" | EndedBy;
  /** What the model said last. */
  readonly text: string;
  /** Whether the model's service ended the last answer early. */
  readonly isCut: boolean;
  readonly faults: readonly LoopFault[];
}

/** The model answers, its calls are made in order, and so on until it wants none. Never rejects. */
export async function runLoop(options: LoopOptions): Promise<LoopResult> {
  const { conversation, lifetime, limits, makeCall, isDeniedTooOften = () => false } = options;
  let text = "";
  const ended = (end: LoopResult["end"], faults: readonly LoopFault[] = [], isCut = false) => ({
    end,
    text,
    isCut,
    faults,
  });
  try {
    for (let turn = 1; turn <= limits.turns; turn++) {
      const answer = await askModel(options, turn);
      if ("is" in answer) return ended("failed", [answer]);
      if (answer.text !== "") text = answer.text;
      if (answer.calls.length === 0) return ended("finished", [], answer.isCut);
      for (const [index, call] of answer.calls.entries()) {
        if (isDeniedTooOften()) break;
        conversation.addResult(call, await makeCall(call, index >= limits.calls));
      }
      const faults: readonly LoopFault[] = [
        ...(conversation.isTooLong ? [{ is: "too-long" } as const] : []),
        ...(isDeniedTooOften() ? [{ is: "denied-too-often" } as const] : []),
      ];
      if (faults.length > 0) return ended("failed", faults);
    }
    return ended("turns");
  } catch (error) {
    const endedBy = lifetime.endedBy();
    return endedBy === null ? ended("failed", [{ is: "broken", error }]) : ended(endedBy);
  }
}

/** Rejects when the time is over, or when the request cannot be made. */
async function askModel(options: LoopOptions, turn: number): Promise<ReadAnswer | LoopFault> {
  const { model, conversation, lifetime, onText, onAnswer } = options;
  const request = await options.request(turn);
  let [isTold, isOver] = [false, false];
  const tellText = (text: string): void => {
    // A model that was cancelled may go on speaking; nobody listens.
    if (isOver) return;
    isTold = true;
    onText?.(text);
  };
  const asked = onText === undefined ? request : { ...request, onText: tellText };
  try {
    const answer = await lifetime.during((signal) => model.answer({ ...asked, signal }));
    const read = conversation.addAnswer(answer, turn);
    if (typeof read === "string") return { is: "model-invalid", why: read };
    if (!isTold && read.text !== "") tellText(read.text);
    onAnswer(read, turn, answer.tokens);
    return read;
  } catch (error) {
    lifetime.demand();
    return { is: "model-failed", error };
  } finally {
    isOver = true;
  }
}
