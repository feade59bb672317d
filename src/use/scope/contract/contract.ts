import type { Plain } from "../../../base/canonical.ts";
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
