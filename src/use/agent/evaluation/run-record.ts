import type { Finding } from "../../../base/finding.ts";
import { safeLine } from "../../../base/text.ts";
import type { AgentEvent, Reply, SkillUse } from "../agent-event.ts";
import type { SpawnEvent } from "../spawn/spawn.ts";

/** A call as the agent recorded it. */
export interface RecordedCall {
  readonly is: "call";
  readonly tool: string;
  /** As the model wrote it; null of a sub-agent, which does not say. */
  readonly input: string | null;
  /** Why it was not made; null: it was. */
  denied: { readonly code: string; readonly why: string } | null;
  /** What came of it; null before its end. */
  result: { readonly content: string; readonly isError: boolean } | null;
}

/** What happened in a run, in order. */
export type RecordedStep =
  | RecordedCall
  | { readonly is: "prompt" | "answer" | "fault"; readonly text: string }
  | { readonly is: "reply"; readonly command: string; readonly reply: Reply }
  | { readonly is: "skill"; readonly use: SkillUse; readonly name: string; readonly entry: string };

/** Far more than a case that a person wrote makes happen. */
const mostSteps = 10_000;
const mostFindings = 100;

/** Writes down what an agent tells while it works. What a model only says is an answer, and never anything else (AG-9). */
export class RunRecord {
  readonly findings: Finding[] = [];
  readonly #steps: RecordedStep[] = [];
  /** Calls that have not ended, by the id that the model gave them: the latest of each, since no id is certain to be new. */
  readonly #open = new Map<string, RecordedCall>();

  get steps(): readonly RecordedStep[] {
    return this.#steps;
  }

  prompt(text: string): void {
    this.#add({ is: "prompt", text });
  }

  fault(text: string): void {
    this.#add({ is: "fault", text });
  }

  take(event: AgentEvent): void {
    switch (event.type) {
      case "model.answered":
        if (event.text !== "") this.#add({ is: "answer", text: event.text });
        break;
      case "model.failed":
        this.fault(`the model failed: ${event.code}: ${safeLine(event.message, 300)}`);
        break;
      case "reply":
        this.#add({ is: "reply", command: event.command, reply: event.reply });
        if (event.reply.isError === true)
          this.fault(`${safeLine(event.command, 64)} could not do it: ${safeLine(event.reply.notes?.[0] ?? "", 300)}`);
        break;
      case "skill.used":
        this.#add({ is: "skill", use: event.use, name: event.name, entry: event.entry });
        break;
      case "tool.started":
        this.#open.set(event.call, this.#begin(event.tool, event.input));
        break;
      case "tool.denied":
        this.#callOf(event).denied = { code: event.code, why: event.why };
        break;
      case "tool.ended":
        this.#callOf(event).result = { content: event.content, isError: event.isError };
        this.#open.delete(event.call);
        break;
      case "sub-agent":
        this.#takeNested(event.event);
        break;
      case "turn.ended":
        this.#open.clear();
        if (event.end !== "finished") this.fault(`the turn did not come to its end: ${event.end}`);
        break;
      case "finding":
        if (this.findings.length < mostFindings) this.findings.push(event.finding);
        break;
      // Told for people who watch.
      case "turn.started":
      case "skills.changed":
      case "model.asked":
      case "text":
      case "tool.asked":
      case "compacted":
      case "conversation":
      case "leave":
    }
  }

  /** A sub-agent's call is told of when it is denied, or when nothing speaks against it any more. */
  #takeNested(event: SpawnEvent): void {
    if (event.type === "tool.started") this.#begin(event.tool, null);
    if (event.type === "tool.denied") this.#begin(event.tool, null).denied = { code: event.code, why: event.why };
  }

  /** A call may be denied before anybody says that it started. */
  #callOf({ call, tool }: { readonly call: string; readonly tool: string }): RecordedCall {
    const open = this.#open.get(call);
    if (open !== undefined) return open;
    const begun = this.#begin(tool, null);
    this.#open.set(call, begun);
    return begun;
  }

  #begin(tool: string, input: string | null): RecordedCall {
    const call: RecordedCall = { is: "call", tool, input, denied: null, result: null };
    this.#add(call);
    return call;
  }

  #add(step: RecordedStep): void {
    if (this.#steps.length < mostSteps) this.#steps.push(step);
    else if (this.#steps.length === mostSteps)
      this.#steps.push({ is: "fault", text: `more than ${mostSteps} things happened; the rest is not judged` });
  }
}
