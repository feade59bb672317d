import type { Finding, Level } from "../../../base/finding.ts";
import { safeLine } from "../../../base/text.ts";
import type { ContractFaultCode } from "./contract.ts";

interface ContractWord {
  readonly level: Level;
  readonly why: string;
}

/** What is said of contracts that were asked (SC-10, SC-11). All but the SOFT one refuse what they stand around. */
export const contractFaults = {
  "contract.failed": {
    level: "high",
    why: "A HARD predicate of a contract does not hold. Before the start of a sub-agent nothing is started; on its result the result counts as failed.",
  },
  "contract.soft": {
    level: "low",
    why: "A SOFT predicate of a contract does not hold. It is told and refuses nothing.",
  },
  "contract.unreadable": {
    level: "high",
    why: "The contract is no JavaScript module that stands alone, or its default export is no contract. Contracts cannot import anything, nor await at their top level.",
  },
  "contract.threw": {
    level: "high",
    why: "A predicate threw instead of answering. That counts as a HARD one that does not hold, whatever its severity.",
  },
  "contract.timeout": {
    level: "high",
    why: "A predicate took longer than 1 s, or the contracts of one sub-agent longer than 10 s together. What was not answered counts as not holding.",
  },
  "contract.memory": {
    level: "high",
    why: "A contract needed more than the 64 MiB that it may use, or what it is asked about is too much for it. It counts as not holding.",
  },
  "contract.reply": {
    level: "high",
    why: "A predicate answered with something else than true, false or `{ holds, reason }`: a promise, no JSON, or too much. It counts as not holding.",
  },
  "contract.crashed": {
    level: "high",
    why: "The place where contracts run ended before it answered, or is not part of this installation. Contracts never run anywhere else, so they count as not holding.",
  },
} as const satisfies Record<ContractFaultCode | "contract.failed" | "contract.soft", ContractWord>;

export type ContractCode = keyof typeof contractFaults;

export function contractFinding(code: ContractCode, skill: string, message: string): Finding {
  const file = `${safeLine(skill, 200)}/contract.js`;
  return { code, level: contractFaults[code].level, message: safeLine(message, 480), at: { file, line: 1 } };
}
