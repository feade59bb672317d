import { safeLine } from "../../core/text.ts";
import { primaryName } from "../../agent/agent-event.ts";
import type { AgentEvent } from "../../agent/agent-event.ts";
import type { SpawnEvent } from "../../agent/spawn/spawn.ts";
import { fit, type Line, line, wrap } from "../line.ts";
import { plural } from "../wording.ts";
import { agentName, callLine, callRows, type CallSign, callTitle, resultNote, resultSign } from "./call-lines.ts";
import { allFindingLines, eventLines } from "./event-lines.ts";
import type { Answered } from "./questions.ts";
import { hear, noStream, pendingLine } from "./stream-text.ts";

interface Running {
  readonly title: string;
  readonly sign: CallSign;
}

interface SubAgent {
  readonly name: string;
  readonly depth: number;
  /** What it is doing; empty: it thinks. */
  readonly tool: string;
  readonly calls: number;
}

/** One turn as it is seen: what goes on stands below, what is over is printed above it, once. */
export class Work {
  readonly #calls = new Map<string, Running>();
  readonly #agents = new Map<string, SubAgent>();
  /** Denied calls end too, and were told by then. */
  readonly #denied = new Set<string>();
  /** By session, the tool whose call a person has just refused. */
  readonly #refused = new Map<string, string>();
  #stream = noStream;
  /** Characters of the present answer that came as a stream. */
  #told = 0;
  /** What was printed last: text and calls are kept apart by an empty line. */
  #last: "text" | "calls" | null = null;
  /** The model has answered in this turn, and nothing of it can be seen. */
  #isSilent = false;
  #hasSpoken = false;

  /** The lines that stay. */
  heed(event: AgentEvent, columns: number): Line[] {
    this.notice(event);
    switch (event.type) {
      case "text":
        this.#told += event.text.length;
        return this.#hear(event.text);
      case "model.answered": {
        const rest = event.text.slice(this.#told);
        this.#told = 0;
        return [...this.#hear(rest), ...this.#flush()];
      }
      case "tool.started":
        this.#refused.delete(primaryName);
        this.#calls.set(event.call, { title: callTitle(event.tool, event.input), sign: "running" });
        return this.#flush();
      case "tool.asked":
        this.#calls.set(event.call, { title: this.#titleOf(event), sign: "asked" });
        return [];
      case "tool.denied":
        return this.#onDenied(event, columns);
      case "tool.ended":
        return this.#onEnded(event, columns);
      case "sub-agent":
        return this.#print("calls", this.#onSubAgent(event.event, columns));
      case "turn.started":
      case "model.asked":
      case "leave":
      case "reply":
      case "skills.changed":
      case "skill.used":
      case "model.failed":
      case "compacted":
      case "finding":
      case "conversation":
        return this.#print("calls", eventLines(event, columns));
      case "turn.ended": {
        const silence = this.#isSilent && event.end === "finished" ? [line("(the model said nothing)", "dim")] : [];
        return this.#print("calls", [...silence, ...eventLines(event, columns)]);
      }
    }
  }

  /** A person's word. The denial that follows a no is the same news, and is not told again. */
  answer({ asked: { id, tool, input }, isAllowed }: Answered, columns: number): Line[] {
    if (!isAllowed) this.#refused.set(id, tool);
    // From here on it runs, or is told as denied.
    if (id === primaryName)
      for (const [call, { title, sign: shown }] of this.#calls)
        if (shown === "asked") this.#calls.set(call, { title, sign: "running" });
    const subject = callTitle(tool, JSON.stringify(input));
    const [sign, note] = isAllowed ? (["asked", "you allowed it"] as const) : (["denied", "you said no"] as const);
    return this.#print("calls", callRows(columns, sign, subject, note));
  }

  /** For whoever shows the answer in another way: whether there was one. */
  notice(event: AgentEvent): void {
    if (event.type === "turn.started") [this.#isSilent, this.#hasSpoken] = [false, false];
    else if (event.type === "text") this.#hasSpoken ||= event.text.trim() !== "";
    else if (event.type === "model.answered") {
      this.#hasSpoken ||= event.calls > 0 || event.text.trim() !== "";
      this.#isSilent = !this.#hasSpoken;
    }
  }

  /** What goes on: the line that is being said, and at most so many rows in all. */
  rows(columns: number, mostRows: number): Line[] {
    const text = this.#stream.pending === "" ? [] : wrap(pendingLine(this.#stream), columns);
    const going = [...this.#calls.values()].map(({ title, sign }) => callLine(sign, title));
    const below = [...this.#agents.values()].map(({ name, depth, tool, calls }) =>
      callLine("running", name, [tool, calls === 0 ? "" : plural(calls, "call")].filter(Boolean).join(" · "), depth),
    );
    const rows = [...going, ...below].map((each) => fit(each, columns));
    const room = Math.max(1, Math.floor(mostRows / 2));
    const seen =
      rows.length <= room ? rows : [...rows.slice(0, room - 1), line(`  … ${rows.length - room + 1} more`, "dim")];
    return [...text.slice(-Math.max(1, mostRows - seen.length)), ...seen];
  }

  /** What was being said when it was over, however that came. */
  end(): Line[] {
    this.#calls.clear();
    this.#agents.clear();
    return this.#flush();
  }

  #hear(text: string): Line[] {
    const { lines, stream } = hear(this.#stream, text);
    this.#stream = stream;
    return this.#print("text", lines);
  }

  #flush(): Line[] {
    const lines = this.#stream.pending === "" ? [] : [pendingLine(this.#stream)];
    this.#stream = noStream;
    return this.#print("text", lines);
  }

  #print(what: "text" | "calls", lines: Line[]): Line[] {
    if (lines.length === 0) return [];
    const before = what === "calls" ? this.#flush() : [];
    const isApart = this.#last !== null && this.#last !== what;
    this.#last = what;
    return [...before, ...(isApart ? [[]] : []), ...lines];
  }

  #titleOf({ call, tool }: { readonly call: string; readonly tool: string }): string {
    return this.#calls.get(call)?.title ?? callTitle(tool, "");
  }

  #onDenied(event: Extract<AgentEvent, { type: "tool.denied" }>, columns: number): Line[] {
    const title = this.#titleOf(event);
    this.#calls.delete(event.call);
    this.#denied.add(event.call);
    if (this.#isToldRefused(primaryName, event.tool)) return [];
    return this.#print("calls", callRows(columns, "denied", title, event.why));
  }

  #onEnded(event: Extract<AgentEvent, { type: "tool.ended" }>, columns: number): Line[] {
    const { call, content, isError } = event;
    const title = this.#titleOf(event);
    this.#calls.delete(call);
    if (this.#denied.delete(call)) return [];
    const [sign, note] = [resultSign(event.tool, content, isError), resultNote(event.tool, content, isError)];
    return this.#print("calls", callRows(columns, sign, title, note));
  }

  #isToldRefused(session: string, tool: string): boolean {
    const isTold = this.#refused.get(session) === tool;
    this.#refused.delete(session);
    return isTold;
  }

  #onSubAgent(event: SpawnEvent, columns: number): Line[] {
    if (event.type === "spawn.refused") {
      const rows = callRows(columns, "failed", "sub-agent", event.error, 1);
      return [...rows, ...allFindingLines(event.findings, columns)];
    }
    if (event.type === "spawn.started") {
      const skills = event.skills.length === 0 ? "" : ` (${event.skills.join(", ")})`;
      const name = safeLine(`${agentName(event.agent)}${skills}`);
      this.#agents.set(event.id, { name, depth: event.depth, tool: "", calls: 0 });
      return allFindingLines(event.findings, columns);
    }
    const agent = this.#agents.get(event.id) ?? { name: agentName(event.id), depth: 1, tool: "", calls: 0 };
    switch (event.type) {
      case "tool.started":
        this.#refused.delete(event.id);
        this.#agents.set(event.id, { ...agent, tool: event.tool, calls: agent.calls + 1 });
        return [];
      case "tool.asked":
        this.#agents.set(event.id, { ...agent, tool: `${event.tool} waits for a word` });
        return [];
      case "tool.ended":
        this.#agents.set(event.id, { ...agent, tool: "" });
        return event.isError ? [callLine("failed", `${agent.name}: ${event.tool}`, "", agent.depth)] : [];
      case "tool.denied":
        this.#agents.set(event.id, { ...agent, tool: "" });
        if (this.#isToldRefused(event.id, event.tool)) return [];
        return callRows(columns, "denied", `${agent.name}: ${event.tool}`, event.why, agent.depth);
      case "spawn.ended": {
        this.#agents.delete(event.id);
        const note = [plural(agent.calls, "call"), event.end].join(" · ");
        const ended = callLine(event.end === "finished" ? "done" : "failed", agent.name, note, agent.depth);
        return [ended, ...allFindingLines(event.findings, columns)];
      }
      case "model.asked":
      case "model.answered":
        return [];
    }
  }
}
