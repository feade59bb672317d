import type { Finding } from "../../core/finding.ts";
import type { Model } from "../../core/model.ts";
import { safeLine } from "../../core/text.ts";
import type { Agent } from "../agent.ts";
import type { AgentEvent, Reply, SkillUse } from "../agent-event.ts";
import type { SpawnEvent } from "../spawn/spawn.ts";

/** What an agent is opened with for one run of a case. Nothing of the person who runs it is in there but the model. */
export interface AskedAgent {
  /** The real path of a new folder that holds what the case says. */
  readonly workspace: string;
  /** A new folder for what is otherwise a person's own: trust, conversations, skills. */
  readonly home: string;
  /** One that follows the script of the case, or the name of a configured one. */
  readonly model: Model | string;
  /** Whether the skills of the workspace count as confirmed. */
  readonly trust: boolean;
  /** What is allowed without asking; nobody is there to be asked. */
  readonly allow: readonly string[];
}

/** Rejects when there can be no such agent, for example without the configuration of its model. */
export type OpenAgent = (asked: AskedAgent) => Promise<Agent>;

export interface CaseRun {
  readonly steps: readonly RecordedStep[];
  /** What the agent noticed while it was opened and while it worked. */
  readonly findings: readonly Finding[];
}

/** Says all prompts of a case to a new agent, and writes down what it does. */
export async function runCase(
  openAgent: OpenAgent,
  asked: AskedAgent,
  prompts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<CaseRun> {
  const agent = await openAgent(asked);
  const record = new RunRecord();
  try {
    for (const [index, prompt] of prompts.entries()) {
      signal?.throwIfAborted();
      record.prompt(prompt);
      let isLeft = false;
      for await (const event of agent.say(prompt, signal === undefined ? {} : { signal })) {
        record.take(event);
        isLeft ||= event.type === "leave";
      }
      if (!isLeft) continue;
      const left = prompts.length - index - 1;
      if (left > 0) record.fault(`the conversation was left before ${left} of the prompts`);
      break;
    }
  } finally {
    await agent.close();
  }
  return { steps: record.steps, findings: [...agent.findings, ...record.findings] };
}

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
