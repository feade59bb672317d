import type { Finding, Level } from "../../base/finding.ts";
import { safeLine } from "../../base/text.ts";

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
