import { AppError } from "../core/error.ts";
import { type Finding, type Level, levels } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";

interface AgentFault {
  readonly level: Level;
  readonly why: string;
}

/** What is said of an agent and of the skills of its workspace. */
export const agentFaults = {
  "agent.left-out": {
    level: "medium",
    why: "A skill that the prompt was to hold cannot be used at this moment: its bytes are others than those that were loaded, or a finding blocks it. The rest of the prompt stands.",
  },
  "agent.bodies-cut": {
    level: "low",
    why: "There are more skills than whole bodies are considered for. Let the model choose from a catalogue instead (`inject: catalogue`).",
  },
  "agent.save-failed": {
    level: "medium",
    why: "The conversation could not be written down, for example because the disk is full. It goes on, and is written down as a whole with the next message that can be.",
  },
  "agent.held-lost": {
    level: "high",
    why: "A conversation was resumed under skills that restrict it, and these are not there any more as they were. Nothing is allowed until a person lets go of the scope with `/scope clear`.",
  },
  "agent.watch-partly": {
    level: "low",
    why: "Not every folder can be watched. What changes in the others is seen at the next reload, such as by `/skills reload`.",
  },
  "agent.answer-cut": {
    level: "medium",
    why: "The model's service ended an answer before the model did: it was too long, or a filter ended it. Its text may stop in the middle; ask it to go on.",
  },
  "agent.resumed-elsewhere": {
    level: "low",
    why: "A conversation was resumed in another folder than the one it was held in. What it says of files may not be true here.",
  },
  "agent.too-long": {
    level: "medium",
    why: "What was said and answered in a conversation grew beyond what is kept of one. The turn ended there; `/compact` makes room, `/new` begins another one.",
  },
  "agent.contract-inert": {
    level: "info",
    why: "A skill brings a contract, and contracts were not opted into: it is not run. `--contracts` (in code `allowContracts`) runs those of confirmed skills around sub-agents, in the sandbox.",
  },
  "agent.forked": {
    level: "low",
    why: "Two sessions went on with the same conversation. The one that came second is kept under an id of its own, so that nothing that was said is lost.",
  },
  "agent.summary-later": {
    level: "low",
    why: "Older messages were to give way to a summary, and the model's service could not be reached for it. Nothing was left out; it is tried again.",
  },
  "agent.capabilities-cut": {
    level: "low",
    why: "There are more skills than sub-agents can be given by the model. Those that come first by name are there; a person can still name any with `/spawn`.",
  },
  "agent.reload-failed": {
    level: "medium",
    why: "Skills could not be loaded again. Those that were there before stay in use.",
  },
  "eval.case-invalid": {
    level: "high",
    why: "A case of `skillward eval skills` cannot be used as it is written. Nothing is run until every case can be read: correct it where the finding points to.",
  },
  "eval.case-pattern": {
    level: "high",
    why: "The pattern of a case could take very long on some texts. Give each repetition an upper bound, and leave out alternatives that it can do without; `responseContains` needs no pattern.",
  },
  "agent.summary-failed": {
    level: "medium",
    why: "A conversation had grown too long, and the model gave no summary of its older messages. They were left out without one: say again what of it still matters.",
  },
  "agent.conversation-torn": {
    level: "medium",
    why: "The last line of a conversation that was kept is not whole, as after a crash. The message on it is lost; everything before it is there.",
  },
  "agent.git-ignored": {
    level: "info",
    why: "A skill lies where git does not look: it is not part of what others clone, and nobody reviewed it there. It is loaded all the same.",
  },
  "agent.ignore-pattern": {
    level: "medium",
    why: "A pattern under `ignore` in `skillward.yaml` has a form that is not known, and has no effect. In a path only `*`, `?` and `**` stand for something else.",
  },
  "agent.root-failed": {
    level: "medium",
    why: "A place of skills cannot be listed. The skills that it gave before stay as they were.",
  },
  "agent.findings-cut": {
    level: "info",
    why: "There is more to say of a place or of a skill than is kept. The heaviest findings are there.",
  },
  "agent.trust-unread": {
    level: "medium",
    why: "What a person confirmed earlier cannot be read, or others could have written it. Skills of the workspace count as not confirmed until the folder is private again.",
  },
} as const satisfies Record<string, AgentFault>;

export function agentFinding(code: keyof typeof agentFaults, file: string, message: string, line = 1): Finding {
  const { level } = agentFaults[code];
  return { code, level, message: safeLine(message, 320), at: { file: safeLine(file, 240), line } };
}

/** What is said of a sub-agent's run. What its contracts say is in their own table. */
export const spawnFaults = {
  "spawn.model-failed": {
    level: "medium",
    why: "The model of a sub-agent failed. The sub-agent ended there; what its tools did before stays done.",
  },
  "spawn.model-rubbish": {
    level: "medium",
    why: "The model of a sub-agent answered with something that is no answer, such as neither text nor calls, or wants far more calls at once than a person could follow. The sub-agent ended there.",
  },
  "spawn.model-cut": {
    level: "medium",
    why: "The last answer of a sub-agent's model was cut by its service: it was too long, or a filter ended it. Its text may stop in the middle.",
  },
  "spawn.denials": {
    level: "medium",
    why: "A sub-agent was denied 1,000 calls. It ended there, and what it tried further was not written down. Its model tries what its skills do not allow: look at what it was told.",
  },
  "spawn.too-long": {
    level: "medium",
    why: "What a sub-agent and its tools said grew beyond what is kept of one session. Give it a smaller task, or tools that answer with less.",
  },
  "spawn.steps-cut": {
    level: "low",
    why: "The skills of a scope advise more steps than a prompt has room for. The first ones are in it; the rules are complete.",
  },
  "spawn.broken": {
    level: "high",
    why: "A sub-agent ended by a fault of the host: a part that promised not to fail did. The message says which, as far as it is known.",
  },
} as const satisfies Record<string, AgentFault>;

export function spawnFinding(code: keyof typeof spawnFaults, session: string, message: string): Finding {
  const { level } = spawnFaults[code];
  return { code, level, message: safeLine(message, 320), at: { file: `session:${session}`, line: 1 } };
}

/** What an error says, on one line. Anything can be thrown. */
export function messageOf(error: unknown, longest: number): string {
  try {
    return error instanceof Error ? safeLine(error.message, longest) : "it threw something that is no error";
  } catch {
    return "it threw something that cannot be read";
  }
}

/** Only errors of our own are quoted: what others say may hold a secret. */
export function reasonOf(error: unknown, otherwise: string): string {
  try {
    if (error instanceof AppError) return `${error.code}: ${safeLine(error.message, 200)}`;
  } catch {
    // Something was thrown that cannot even be looked at.
  }
  return otherwise;
}

/** The same, seen in another file. */
export function placedIn(file: string, seen: Finding): Finding {
  return { ...seen, at: { ...seen.at, file } };
}

/** As they are, or, when there are too many, the heaviest of them and a word on how many more there were. */
export function keepHeaviest(findings: readonly Finding[], most: number, file: string): readonly Finding[] {
  if (findings.length <= most) return findings;
  const heaviest = findings.toSorted((a, b) => levels.indexOf(b.level) - levels.indexOf(a.level)).slice(0, most);
  const more = agentFinding("agent.findings-cut", file, `${findings.length - most} more findings are not kept`);
  return [...heaviest, more];
}
