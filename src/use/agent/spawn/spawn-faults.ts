import { AppError } from "../../../base/error.ts";
import type { Finding, Level } from "../../../base/finding.ts";
import { safeLine } from "../../../base/text.ts";

interface SpawnFault {
  readonly level: Level;
  readonly why: string;
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
} as const satisfies Record<string, SpawnFault>;

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
