import type { Finding } from "../../../base/finding.ts";
import type { Model } from "../../../base/model.ts";
import type { Agent } from "../agent.ts";
import { RunRecord, type RecordedStep } from "./run-record.ts";

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
      if (!(await hasMore(agent, prompt, record, signal))) {
        const left = prompts.length - index - 1;
        if (left > 0) record.fault(`the conversation was left before ${left} of the prompts`);
        break;
      }
    }
  } finally {
    await agent.close();
  }
  return { steps: record.steps, findings: [...agent.findings, ...record.findings] };
}

/** False when the prompt was to leave. */
async function hasMore(
  agent: Agent,
  prompt: string,
  record: RunRecord,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  record.prompt(prompt);
  let isLeft = false;
  for await (const event of agent.say(prompt, signal === undefined ? {} : { signal })) {
    record.take(event);
    if (event.type === "leave") isLeft = true;
  }
  return !isLeft;
}
