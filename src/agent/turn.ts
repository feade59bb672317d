import { AppError } from "../core/error.ts";
import type { WantedCall } from "../core/model.ts";
import type { ToolPattern } from "../scope/tools/tools.ts";
import { longestWait } from "../core/world.ts";
import { readGrants } from "../scope/gate.ts";
import { primaryName, type TurnEnd } from "./agent-event.ts";
import type { AgentEvents } from "./agent-events.ts";
import { agentFinding, reasonOf } from "./agent-faults.ts";
import type { AgentHost } from "./agent-host.ts";
import type { Authority } from "./authority.ts";
import { answerCall, type CallAnswer } from "./loop/call.ts";
import { type CallEvent, type Caller, DenialCount } from "./loop/caller.ts";
import { Lifetime, type Working } from "./loop/lifetime.ts";
import { type LoopFault, runLoop } from "./loop/loop.ts";
import { messagesFor, type Prompt } from "./prompt/prompt.ts";
import type { SkillUpdates } from "./skill-watch.ts";
import type { SkillCapabilities } from "./skills/capabilities.ts";
import type { Invocation } from "./talk/saved.ts";
import type { KeptTalk } from "./talk/kept-talk.ts";
import type { Tool } from "./tool.ts";

/** The parts of an agent that a turn works with. */
export interface TurnParts {
  readonly host: AgentHost;
  readonly events: AgentEvents;
  readonly talk: KeptTalk;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly capabilities: SkillCapabilities;
  readonly authority: Authority;
  readonly updates: SkillUpdates;
  readonly working: Working;
  /** AG-3: of this moment. */
  readonly prompt: () => Promise<Prompt>;
  /** Of the last prompt. */
  readonly onTokens: (tokens: number) => void;
}

/**
 * A turn of a conversation with a person: prompt, scope and grants are those of each moment, and what fails is told and
 * leaves a conversation that goes on (AG-8).
 */
export async function takeTurn(
  agent: TurnParts,
  text: string,
  invocations: readonly Invocation[],
  life: Lifetime,
): Promise<TurnEnd> {
  const { host, events, talk } = agent;
  const { model, parameters } = host.model;
  let counted = 0;
  talk.history.addUser(text, invocations);
  try {
    const { end, faults } = await runLoop({
      model,
      conversation: talk.history,
      lifetime: life,
      limits: { turns: host.limits.calls, calls: host.limits.callsAtOnce },
      request: async (call) => {
        await talk.save();
        await talk.compact(life, false);
        const prompt = await agent.prompt();
        life.demand();
        const { generation, digest, parts, tools } = prompt;
        counted = parts.reduce((sum, { tokens }) => sum + tokens, host.countTokens(talk.history.text));
        events.emit({ type: "model.asked", call, generation, tokens: counted, prompt: digest });
        if (call === 1) talk.history.addToUser(agent.updates.announce(prompt.visible));
        const messages = messagesFor(prompt, talk.history.messagesToSend);
        prompt.onSent();
        return { messages, parameters, tools };
      },
      onText: (piece) => events.emit({ type: "text", text: piece }),
      onAnswer: (answer, _, tokens) => {
        agent.onTokens(tokens.input ?? counted);
        events.emit({ type: "model.answered", text: answer.text, calls: answer.calls.length, tokens });
        if (answer.isCut) events.find(agentFinding("agent.answer-cut", "model", "the service ended the answer early"));
      },
      makeCall: (call, isExcess) => makeCall(agent, call, isExcess, life),
    });
    for (const fault of faults) tellFault(events, fault);
    if (end === "turns") return "calls";
    return end === "timeout" ? "cancelled" : end;
  } finally {
    talk.history.answerUnanswered();
    await talk.save();
  }
}

/** Only errors of our own are quoted: what others say may hold a secret. */
function tellFault(events: AgentEvents, fault: LoopFault): void {
  const failed = (code: AppError["code"] | "unknown", message: string): void =>
    events.emit({ type: "model.failed", code, message });
  switch (fault.is) {
    case "model-failed":
      if (fault.error instanceof AppError) failed(fault.error.code, fault.error.message);
      else failed("unknown", "the model failed with an error of its own");
      break;
    case "model-invalid":
      failed("upstream.invalid", `the model's answer: ${fault.why}`);
      break;
    case "broken":
      failed("unknown", reasonOf(fault.error, "a part of the agent failed"));
      break;
    case "too-long":
      events.find(agentFinding("agent.too-long", "conversation", "tools answered with more than one turn can hold"));
      break;
    // The agent's own denials are not counted: a person sees them.
    case "denied-too-often":
  }
}

/** One call of the agent itself, in the time that one tool may take. Never rejects, unless the turn is over. */
async function makeCall(agent: TurnParts, call: WantedCall, isExcess: boolean, turn: Lifetime): Promise<CallAnswer> {
  const { events, host } = agent;
  const { stopwatch, timer, limits } = host;
  const { id, tool, input } = call;
  events.emit({ type: "tool.started", call: id, tool, input });
  const milliseconds = Math.min(limits.toolMilliseconds, longestWait);
  const lifetime = new Lifetime({ stopwatch, timer, milliseconds, above: turn, signal: undefined });
  let answer: CallAnswer;
  try {
    answer = await answerCall(await callerOf(agent, lifetime, call), call, isExcess);
  } catch (error) {
    if (lifetime.endedBy() === null) throw error;
    const why = turn.endedBy() === null ? "took longer than it may and was ended" : "was cancelled";
    answer = { content: `${tool} ${why}.`, isError: true };
  } finally {
    lifetime.end("cancelled");
  }
  events.emit({ type: "tool.ended", call: id, tool, ...answer });
  turn.demand();
  return answer;
}

/** The agent as it is when it makes a call: of its sub-agents none has more than this. */
async function callerOf(
  { host, events, tools, capabilities, authority, working }: TurnParts,
  lifetime: Lifetime,
  { id: call }: WantedCall,
): Promise<Caller> {
  const { ask, clock, onUsage, limits } = host;
  const grants = [...readGrants(host.grants), ...(await authority.grants()).flatMap(readable)];
  // A call begins and ends where its whole input and answer are told.
  const onEvent = (event: CallEvent): void => {
    const { type, tool } = event;
    if (type === "tool.denied") events.emit({ type, call, tool, code: event.code, why: event.why });
    if (type === "tool.asked") events.emit({ type, call, tool, why: event.why });
  };
  return {
    id: primaryName,
    host: {
      capabilities: capabilities.live,
      ...(ask !== null && { ask }),
      clock,
      onEvent,
      ...(onUsage !== null && { onUsage }),
    },
    callable: tools,
    scope: authority.scope,
    grants,
    lifetime,
    limits: { calls: limits.callsAtOnce, textBytes: limits.textBytes },
    denials: new DenialCount(),
    track: (work) => working.add(work),
  };
}

/** What is no pattern grants nothing: a skill's own were read by whoever granted them. */
function readable(grant: string): readonly ToolPattern[] {
  try {
    return readGrants([grant]);
  } catch {
    return [];
  }
}
