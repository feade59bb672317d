import { AppError } from "../../base/error.ts";
import type { AgentCalls } from "./agent-calls.ts";
import type { TurnEnd } from "./agent-event.ts";
import type { AgentEvents } from "./agent-events.ts";
import { agentFinding } from "./agent-faults.ts";
import type { AgentHost } from "./agent-host.ts";
import { messagesFor, type Prompt } from "./prompt/prompt.ts";
import type { Lifetime } from "./spawn/lifetime.ts";
import type { ReadAnswer } from "./spawn/session-talk.ts";
import { reasonOf } from "./spawn/spawn-faults.ts";
import { summarise } from "./summarise.ts";
import { compact } from "./talk/compact.ts";
import type { Invocation } from "./talk/conversation.ts";
import type { KeptTalk } from "./talk/kept-talk.ts";
import { messageText } from "./talk/message-text.ts";

/** What a turn works with. */
export interface TurnRoom {
  readonly host: Pick<AgentHost, "model" | "limits" | "random" | "countTokens">;
  readonly events: AgentEvents;
  readonly talk: KeptTalk;
  readonly calls: AgentCalls;
  /** AG-3: of this moment. */
  readonly prompt: () => Promise<Prompt>;
  /** AG-3: what of this prompt is new to the model since the last turn, in a sentence; or nothing. */
  readonly announce: (prompt: Prompt) => string;
  /** Of the last prompt. */
  readonly onTokens: (tokens: number) => void;
}

/**
 * The model answers, its calls are made in order, and so on until it wants none. What fails is told, and leaves a
 * conversation that goes on.
 */
export async function takeTurn(
  room: TurnRoom,
  text: string,
  invocations: readonly Invocation[],
  life: Lifetime,
): Promise<TurnEnd> {
  const { host, events, talk, calls } = room;
  talk.history.addUser(text, invocations);
  try {
    for (let call = 1; call <= host.limits.calls; call++) {
      await talk.save();
      await compactTalk(room, life, false);
      const answer = await askModel(room, call, life);
      if (answer === null) return "failed";
      if (answer.calls.length === 0) return "finished";
      for (const [index, wanted] of answer.calls.entries())
        talk.history.answer(wanted, await calls.make(wanted, index, life));
      if (talk.history.isTooLong) {
        events.find(agentFinding("agent.too-long", "conversation", "tools answered with more than one turn can hold"));
        return "failed";
      }
    }
    return "calls";
  } catch (error) {
    if (life.endedBy() !== null) return "cancelled";
    events.emit({ type: "model.failed", code: "unknown", message: reasonOf(error, "a part of the agent failed") });
    return "failed";
  } finally {
    talk.history.answerUnanswered();
    await talk.save();
  }
}

/** Null when the model failed, which has been told. */
async function askModel(room: TurnRoom, call: number, life: Lifetime): Promise<ReadAnswer | null> {
  const { host, events, talk } = room;
  const { model, parameters } = host.model;
  const prompt = await room.prompt();
  life.demand();
  const tokens = countTokens(room, prompt);
  events.emit({ type: "model.asked", call, generation: prompt.generation, tokens, prompt: prompt.digest });
  if (call === 1) talk.history.addToUser(room.announce(prompt));
  let [isTold, isOver] = [false, false];
  const onText = (text: string): void => {
    // Whoever was cancelled may go on speaking; nobody listens.
    if (isOver) return;
    isTold = true;
    events.emit({ type: "text", text });
  };
  try {
    const messages = messagesFor(prompt, talk.history.messagesToSend);
    const asked = { messages, parameters, tools: prompt.tools, onText };
    prompt.onSent();
    const answer = await life.during((signal) => model.answer({ ...asked, signal }));
    const heard = talk.history.hear(answer, talk.history.messages.length);
    if (typeof heard === "string") throw new AppError("upstream.invalid", `the model's answer: ${heard}`);
    if (!isTold && heard.text !== "") onText(heard.text);
    room.onTokens(answer.tokens.input ?? tokens);
    events.emit({ type: "model.answered", text: heard.text, calls: heard.calls.length, tokens: answer.tokens });
    if (heard.isCut) events.find(agentFinding("agent.answer-cut", "model", "the service ended the answer early"));
    return heard;
  } catch (error) {
    life.demand();
    // Only errors of our own are quoted: what others say may hold a secret.
    if (error instanceof AppError) events.emit({ type: "model.failed", code: error.code, message: error.message });
    else events.emit({ type: "model.failed", code: "unknown", message: "the model failed with an error of its own" });
    return null;
  } finally {
    isOver = true;
  }
}

function countTokens({ host, talk }: TurnRoom, { parts }: Prompt): number {
  const before = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return before + host.countTokens(talk.history.messages.map(messageText).join("\n"));
}

/** CO-12: older turns give way to a summary when there are too many of them, or when a person asks. */
export async function compactTalk(
  { host, events, talk }: Pick<TurnRoom, "host" | "events" | "talk">,
  life: Lifetime,
  isAsked: boolean,
): Promise<boolean> {
  const { model, random, limits } = host;
  const compacted = await compact(talk.history, {
    mostTokens: limits.historyTokens,
    keepTokens: isAsked ? 0 : Math.floor(limits.historyTokens / 4),
    isAsked,
    count: host.countTokens,
    // A model that does not heed the signal is not waited for.
    summarise: (messages) => life.during((signal) => summarise(model, random, messages, signal)),
    random,
    signal: life.signal,
  }).catch((error: unknown) => {
    // Who asked for it is told; otherwise it is tried again with the next call.
    if (isAsked || life.endedBy() !== null || !(error instanceof AppError)) throw error;
    events.findOnce(agentFinding("agent.summary-later", "conversation", error.message));
    return null;
  });
  if (compacted !== null) events.emit({ type: "compacted", ...compacted });
  return compacted !== null;
}
