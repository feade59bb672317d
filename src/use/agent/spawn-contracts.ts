import type { CapabilitySkill } from "../scope/capability.ts";
import { type Judgement, judge } from "../scope/contract/composition.ts";
import type { ContractExecutor, ContractFacts, ContractOf, Evaluation, Phase } from "../scope/contract/contract.ts";

/** Of all contracts of one spawn together (SC-10). */
const totalMilliseconds = 10_000;

/** The contracts of the skills that a spawn asks for. Without any, nobody is asked and nothing is started. */
export class SpawnContracts {
  readonly #executor: ContractExecutor | undefined;
  readonly #contracts: readonly ContractOf[];
  readonly #facts: Omit<ContractFacts, "result">;
  #left = totalMilliseconds;

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

  /** Preconditions, while there is nothing but the request. */
  before(): Promise<Judgement> {
    return this.#judge("before", null);
  }

  /** Invariants and postconditions, on what came of it. */
  after(result: { readonly text: string; readonly end: string }): Promise<Judgement> {
    return this.#judge("after", { text: result.text, end: result.end });
  }

  async #judge(phase: Phase, result: ContractFacts["result"]): Promise<Judgement> {
    if (this.#contracts.length === 0) return judge({ results: [], faults: [], milliseconds: 0 });
    const evaluation = await this.#evaluate(phase, result);
    this.#left -= evaluation.milliseconds;
    return judge(evaluation);
  }

  async #evaluate(phase: Phase, result: ContractFacts["result"]): Promise<Evaluation> {
    if (this.#executor === undefined) return this.#crashed("there is no executor for contracts here");
    // What is left may be nothing: then it is the executor that says so.
    const milliseconds = Math.max(1, this.#left);
    try {
      const facts = { ...this.#facts, result };
      return await this.#executor.evaluate({ contracts: this.#contracts, phase, facts, milliseconds });
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
