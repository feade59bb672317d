import { createContractExecutor } from "../../src/scope/sandbox/contract-executor.ts";
import { createWorld, threadsBeside } from "../../src/app/world/world.ts";
import { sha256 } from "../../src/core/digest.ts";
import type { ThreadProgram, Threads } from "../../src/core/world.ts";
import type { ContractFacts, ContractOf, Evaluation, Phase } from "../../src/scope/contract/contract.ts";

const facts: ContractFacts = {
  task: "Fold the sails",
  scope: { skills: ["harbour/sails"], allowed: ["read"], forbidden: ["write"], protocol: ["fold"] },
  result: null,
};

/** As it is published: from sources there is no thread for contracts, and they run nowhere else. */
export const published = threadsBeside(new URL("../../dist/", import.meta.url).href);

/** Counts the threads that are opened and those that were closed again. */
export function counted(threads: Threads): { threads: Threads; opened: ThreadProgram[]; closed: ThreadProgram[] } {
  const [opened, closed]: [ThreadProgram[], ThreadProgram[]] = [[], []];
  const open: Threads["open"] = (program) => {
    opened.push(program);
    const thread = threads.open(program);
    if (thread === undefined) return undefined;
    return {
      ask: (asked) => thread.ask(asked),
      close: async () => {
        await thread.close();
        closed.push(program);
      },
    };
  };
  return { threads: { open }, opened, closed };
}

export function contractOf(code: string, skill = "harbour/sails"): ContractOf {
  return { skill, source: { digest: sha256(Buffer.from(code)), code } };
}

interface Settings {
  readonly threads?: Threads;
  readonly phase?: Phase;
  readonly facts?: Partial<ContractFacts>;
  readonly less?: Parameters<typeof createContractExecutor>[1];
  readonly milliseconds?: number;
}

export function evaluated(codes: readonly (string | ContractOf)[], settings: Settings = {}): Promise<Evaluation> {
  const { threads = published, phase = "before", less = {}, milliseconds = 10_000 } = settings;
  const contracts = codes.map((code) => (typeof code === "string" ? contractOf(code) : code));
  const executor = createContractExecutor({ ...createWorld(), threads }, less);
  return executor.evaluate({ contracts, phase, facts: { ...facts, ...settings.facts }, milliseconds });
}

/** A contract with one precondition; `check` is the source of its function, `before` stands at the top of the module. */
export function contractWith(check: string, { before = "", severity = "HARD" } = {}): string {
  const predicate = `{ name: "fits", severity: "${severity}", check: ${check} }`;
  return `${before}\nexport default { name: "sails", version: "1.0.0", preconditions: [${predicate}] };\n`;
}

/** What came of its only predicate, or of the contract: `true`, `false` or a code. */
export function wordOf({ results, faults }: Evaluation): string {
  const words = [...faults.map(({ code }) => code), ...results.map(({ holds, fault }) => fault ?? String(holds))];
  return words.join(" ");
}

export function ofSkill({ results, faults, milliseconds }: Evaluation, wanted: string): Evaluation {
  const isWanted = ({ skill }: { readonly skill: string }) => skill === wanted;
  return { results: results.filter(isWanted), faults: faults.filter(isWanted), milliseconds };
}

/** Many tests that look at parts of one evaluation. */
export function once(evaluate: () => Promise<Evaluation>): () => Promise<Evaluation> {
  let evaluation: Promise<Evaluation> | undefined;
  return () => {
    evaluation ??= evaluate();
    return evaluation;
  };
}
