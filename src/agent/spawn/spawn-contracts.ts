import type { CapabilitySkill } from "../../scope/capability.ts";
import {
  type ContractExecutor,
  type ContractFacts,
  contractMilliseconds,
  type ContractOf,
  type Evaluation,
  judgeContracts,
  type Judgement,
  type Phase,
} from "../../scope/contract/contract.ts";

/** The contracts of the skills that a spawn asks for. Without any, nobody is asked and nothing is started. */
export class SpawnContracts {
  readonly #executor: ContractExecutor | undefined;
  readonly #contracts: readonly ContractOf[];
  readonly #facts: Omit<ContractFacts, "result">;
  #left = contractMilliseconds;
  #running: Promise<void> | null = null;

  constructor(
    executor: ContractExecutor | undefined,
    skills: readonly CapabilitySkill[],
    facts: Omit<ContractFacts, "result">,
  ) {
    this.#executor = executor;
    this.#contracts = skills.flatMap(({ id, contract }) =>
      contract === null ? [] : [{ skill: id, source: contract }],
    );
    this.#facts = facts;
  }

  /** What is still being evaluated, perhaps for a spawn that is over: it never rejects. Null: nothing. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  /** Preconditions, while there is nothing but the request. */
  before(signal: AbortSignal): Promise<Judgement> {
    return this.#judge("before", null, signal);
  }

  /** Invariants and postconditions, on what came of it. */
  after(result: { readonly text: string; readonly end: string }, signal: AbortSignal): Promise<Judgement> {
    return this.#judge("after", { text: result.text, end: result.end }, signal);
  }

  async #judge(phase: Phase, result: ContractFacts["result"], signal: AbortSignal): Promise<Judgement> {
    if (this.#contracts.length === 0) return judgeContracts({ results: [], faults: [], milliseconds: 0 });
    const evaluating = this.#evaluate(phase, { ...this.#facts, result }, signal);
    this.#running = evaluating.then(() => void (this.#running = null));
    const evaluation = await evaluating;
    this.#left -= evaluation.milliseconds;
    return judgeContracts(evaluation);
  }

  /** Never rejects. */
  async #evaluate(phase: Phase, facts: ContractFacts, signal: AbortSignal): Promise<Evaluation> {
    if (this.#executor === undefined) return this.#crashed("there is no executor for contracts here");
    // What is left may be nothing: then it is the executor that says so.
    const milliseconds = Math.max(0, this.#left);
    try {
      return await this.#executor.evaluate({ contracts: this.#contracts, phase, facts, milliseconds, signal });
    } catch {
      return this.#crashed("the executor failed");
    }
  }

  /** SC-11: what cannot be asked does not hold. */
  #crashed(message: string): Evaluation {
    const faults = this.#contracts.map(({ skill }) => ({ code: "contract.crashed" as const, skill, message }));
    return { results: [], faults, milliseconds: 0 };
  }
}
