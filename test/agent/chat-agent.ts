import type { Agent, AgentState, Completion } from "../../src/agent/agent.ts";
import type { AgentEvent } from "../../src/agent/agent-event.ts";

export type Script = (line: string, signal: AbortSignal) => AsyncIterable<AgentEvent> | Iterable<AgentEvent>;

const usualState: AgentState = {
  model: "echo",
  skills: 3,
  unconfirmed: 1,
  generation: 4,
  tokens: 1234,
  held: [],
  conversation: "c1",
  messages: 0,
  workspace: "/home/ann/project",
};

/** An agent that says what a script says, for the doors that show it. */
export function scriptedAgent(script: Script, given: Partial<AgentState> = {}, items: readonly Completion[] = []) {
  const listeners = new Set<(event: AgentEvent) => void>();
  const said: string[] = [];
  const agent: Agent & { state: AgentState } = {
    async *say(line, options = {}) {
      said.push(line);
      yield { type: "turn.started", message: line, generation: 4 };
      yield* script(line, options.signal ?? new AbortController().signal);
    },
    complete(line) {
      const start = line.startsWith("/") ? 0 : line.length;
      const fitting = line.startsWith("/") ? items.filter(({ text }) => text.startsWith(line)) : [];
      return { start, items: fitting };
    },
    state: { ...usualState, ...given },
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    findings: [],
    close: async () => {},
  };
  const tell = (event: AgentEvent) => listeners.forEach((listener) => listener(event));
  return { agent, said, tell, listeners };
}

export const ended: AgentEvent = { type: "turn.ended", end: "finished" };

/** An answer in these pieces. */
export function answered(...pieces: readonly string[]): AgentEvent[] {
  const text = pieces.join("");
  return [
    ...pieces.map((piece): AgentEvent => ({ type: "text", text: piece })),
    { type: "model.answered", text, calls: 0, tokens: { input: null, output: null } },
    ended,
  ];
}
