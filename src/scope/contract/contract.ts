import type { Plain } from "../../core/canonical.ts";
import type { Finding, Level } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { ContractSource } from "../capability.ts";

export type Severity = "HARD" | "SOFT";

/** `invariants` and `postconditions` are looked at together, when there is a result (SC-10). */
export type Phase = "before" | "after";

export type PredicateKind = "preconditions" | "invariants" | "postconditions";

/** What predicates are asked about: plain JSON, never an object of the host. */
export interface ContractFacts {
  readonly task: string;
  /** Null: no scope was asked for. Names are canonical, and of tools that the host has. */
  readonly scope: {
    readonly skills: readonly string[];
    readonly allowed: readonly string[];
    /** Tools of which no call passes because something forbids them; and entries that forbid paths, as they were written. */
    readonly forbidden: readonly string[];
    readonly protocol: readonly string[];
  } | null;
  /** Null before there is one. */
  readonly result: Plain;
}

/** The contract of one skill, as it is handed to the executor. */
export interface ContractOf {
  /** The skill's id. */
  readonly skill: string;
  readonly source: ContractSource;
}

export type ContractFaultCode =
  /** It is no module, or declares something else than a contract. */
  | "contract.unreadable"
  | "contract.threw"
  | "contract.timeout"
  | "contract.memory"
  /** What came back is not JSON, too much, or no answer to what was asked. */
  | "contract.reply"
  /** The executor ended, or there is none. */
  | "contract.crashed";

/** What one predicate said. */
export interface PredicateResult {
  readonly skill: string;
  readonly kind: PredicateKind;
  readonly name: string;
  readonly severity: Severity;
  readonly holds: boolean;
  /** Why not, in its own words: untrusted, one line; null when it says none. */
  readonly reason: string | null;
  /** When it could not be asked: always HARD, and does not hold (SC-11). */
  readonly fault: ContractFaultCode | null;
}

/** A contract that could not be asked at all. */
export interface ContractFault {
  readonly code: ContractFaultCode;
  readonly skill: string;
  readonly message: string;
}

export interface Evaluation {
  readonly results: readonly PredicateResult[];
  readonly faults: readonly ContractFault[];
  /** Of the time that all of one spawn may take together. */
  readonly milliseconds: number;
}

/** What all contracts of one spawn may take together (SC-10). */
export const contractMilliseconds = 10_000;

/** Runs contracts where nothing of the host is. Never rejects: what goes wrong is in the evaluation. */
export interface ContractExecutor {
  evaluate(asked: {
    readonly contracts: readonly ContractOf[];
    readonly phase: Phase;
    readonly facts: ContractFacts;
    /** What is left of `contractMilliseconds` for this spawn; 0: nothing. */
    readonly milliseconds: number;
    /** Once it is aborted nobody wants the answer: what runs is ended, and only then the evaluation settles. */
    readonly signal?: AbortSignal | undefined;
  }): Promise<Evaluation>;
}

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

type ContractCode = keyof typeof contractFaults;

function contractFinding(code: ContractCode, skill: string, message: string): Finding {
  const file = `${safeLine(skill, 200)}/contract.js`;
  return { code, level: contractFaults[code].level, message: safeLine(message, 480), at: { file, line: 1 } };
}

export interface Judgement {
  /** Whether something HARD does not hold, or a contract could not be asked. */
  readonly refused: boolean;
  readonly findings: readonly Finding[];
  /** Those that count. */
  readonly results: readonly PredicateResult[];
}

/** What several contracts say together (SC-11). Whatever could not be asked refuses: silence is no consent. */
export function judgeContracts({ results, faults }: Evaluation): Judgement {
  const counted = composed(results);
  const broken = counted.filter(({ holds }) => !holds);
  return {
    refused: faults.length > 0 || broken.some(({ severity }) => severity === "HARD"),
    findings: [
      ...faults.map(({ code, skill, message }) => contractFinding(code, skill, message)),
      ...broken.map(findingOf),
    ],
    results: counted,
  };
}

/** Of predicates of one kind and name the HARD ones count, and only where there is none the SOFT ones. */
function composed(results: readonly PredicateResult[]): readonly PredicateResult[] {
  const hard = new Set(results.filter(({ severity }) => severity === "HARD").map(keyOf));
  return results.filter((result) => result.severity === "HARD" || !hard.has(keyOf(result)));
}

function keyOf({ kind, name }: PredicateResult): string {
  return `${kind}\n${name}`;
}

const words = { preconditions: "precondition", invariants: "invariant", postconditions: "postcondition" } as const;

function findingOf({ skill, kind, name, severity, reason, fault }: PredicateResult): Finding {
  const code = fault ?? (severity === "HARD" ? "contract.failed" : "contract.soft");
  const what = fault === null ? "does not hold" : "could not be asked";
  return contractFinding(code, skill, `${words[kind]} ${name} ${what}${reason === null ? "" : `: ${reason}`}`);
}
