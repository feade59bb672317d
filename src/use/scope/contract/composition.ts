import type { Finding } from "../../../base/finding.ts";
import type { Evaluation, PredicateResult } from "./contract.ts";
import { contractFinding } from "./contract-faults.ts";

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
