import type { Clock, Thread, Threads, Timer } from "../../core/world.ts";
import {
  type ContractExecutor,
  type ContractFault,
  contractMilliseconds,
  type ContractOf,
  type Evaluation,
  type Phase,
  type PredicateResult,
} from "../contract/contract.ts";
import { type Declared, readAnswer, readDeclaration, type Refusal, type Step } from "../contract/messages.ts";

/** Milliseconds (SC-10). */
const usual = {
  /** For one predicate, and for evaluating the module. */
  step: 1_000,
  /** For all contracts of one spawn together. */
  total: contractMilliseconds,
  /** Over and above a step: what the engine cannot interrupt is ended with its thread. */
  slack: 1_000,
};

/** Characters of the facts as JSON: far less than an engine's memory. */
const mostFacts = 4 * 1024 * 1024;
const longestCode = 1024 * 1024;

type Asked = Parameters<ContractExecutor["evaluate"]>[0];
type Part = Pick<Evaluation, "results" | "faults">;

/** Never runs a contract in the host: without the program of the thread contracts count as not holding. */
export function createContractExecutor(
  world: { readonly threads: Threads; readonly timer: Timer; readonly stopwatch: Clock },
  /** Less than usual; never more. */
  less: Partial<typeof usual> = {},
): ContractExecutor {
  const { step = usual.step, total = usual.total, slack = usual.slack } = less;
  const limits = {
    step: Math.min(step, usual.step),
    total: Math.min(total, usual.total),
    slack: Math.min(slack, usual.slack),
  };
  return { evaluate: (asked) => evaluate(world, limits, asked) };
}

async function evaluate(
  world: Parameters<typeof createContractExecutor>[0],
  limits: typeof usual,
  asked: Asked,
): Promise<Evaluation> {
  const { contracts, signal } = asked;
  if (contracts.length === 0) return { results: [], faults: [], milliseconds: 0 };
  const facts = factsText(asked);
  if (facts === undefined) return refused(contracts, "contract.memory", "what it is asked about is too much");
  if (signal?.aborted === true) return refused(contracts, "contract.crashed", "it was over before it was asked");
  const opened = open(world.threads);
  if (opened === undefined) return refused(contracts, "contract.crashed", noProgram);
  const left = Math.min(limits.total, Math.max(0, asked.milliseconds));
  const thread = new ContractThread(opened, world, { ...limits, total: left });
  const giveUp = (): void => thread.end();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    const part = await askAll(thread, contracts, facts, asked.phase);
    return { ...part, milliseconds: thread.spent };
  } catch {
    return { ...refused(contracts, "contract.crashed", "the executor failed"), milliseconds: thread.spent };
  } finally {
    signal?.removeEventListener("abort", giveUp);
    await opened.close().catch(() => {});
  }
}

const noProgram = "contracts run only in the built program; there is none beside this one";

function factsText({ facts }: Asked): string | undefined {
  try {
    const text = JSON.stringify(facts);
    return text.length > mostFacts ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Undefined also where a thread cannot be had, for want of memory say. */
function open(threads: Threads): Thread | undefined {
  try {
    return threads.open("contract-worker");
  } catch {
    return undefined;
  }
}

function refused(contracts: readonly ContractOf[], code: Refusal["fault"], message: string): Evaluation {
  return { results: [], faults: contracts.map(({ skill }) => ({ code, skill, message })), milliseconds: 0 };
}

async function askAll(
  thread: ContractThread,
  contracts: readonly ContractOf[],
  facts: string,
  phase: Phase,
): Promise<Part> {
  const results: PredicateResult[] = [];
  const faults: ContractFault[] = [];
  for (const contract of contracts) {
    const part = await askOne(thread, contract, facts, phase);
    results.push(...part.results);
    faults.push(...part.faults);
  }
  return { results, faults };
}

async function askOne(thread: ContractThread, contract: ContractOf, facts: string, phase: Phase): Promise<Part> {
  const { skill, source } = contract;
  const declared = await declarationOf(thread, source.code, facts);
  if ("fault" in declared) return { results: [], faults: [{ code: declared.fault, skill, message: declared.message }] };
  const results: PredicateResult[] = [];
  for (const [place, predicate] of declared.entries())
    if ((predicate.kind === "preconditions") === (phase === "before"))
      results.push(await askPredicate(thread, skill, predicate, place));
  return { results, faults: [] };
}

async function declarationOf(
  thread: ContractThread,
  code: string,
  facts: string,
): Promise<readonly Declared[] | Refusal> {
  if (code.length > longestCode) return { fault: "contract.unreadable", message: "it is larger than 1 MiB" };
  await thread.renew();
  const opened = await thread.ask((milliseconds) => ({ step: "open", code, facts, milliseconds }));
  return "fault" in opened ? opened : readDeclaration(opened.reply);
}

async function askPredicate(
  thread: ContractThread,
  skill: string,
  { kind, name, severity }: Declared,
  predicate: number,
): Promise<PredicateResult> {
  const asked = await thread.ask((milliseconds) => ({ step: "ask", predicate, milliseconds }));
  const answer = "fault" in asked ? asked : readAnswer(asked.reply);
  if (!("fault" in answer)) return { skill, kind, name, severity, ...answer, fault: null };
  const { fault, message } = answer;
  return { skill, kind, name, severity: "HARD", holds: false, reason: message === "" ? null : message, fault };
}

/** A machine that is very busy may take this long to start a thread or an engine, which is no contract's fault. */
const longestStart = 20_000;

const late: Refusal = {
  fault: "contract.timeout",
  message: "it took longer than it may, and could not be interrupted",
};
const ended: Refusal = { fault: "contract.crashed", message: "the executor ended before it answered" };

/**
 * The thread that runs contracts, as the host sees it: it is given a while for every step and is not waited for longer.
 * Once it failed to answer it is asked nothing more.
 */
class ContractThread {
  readonly #thread: Thread;
  readonly #world: { readonly timer: Timer; readonly stopwatch: Clock };
  readonly #limits: { readonly step: number; readonly total: number; readonly slack: number };
  #isGone = false;
  #giveUp = (): void => {};
  /** Milliseconds that contracts took. */
  spent = 0;

  constructor(
    thread: Thread,
    world: { readonly timer: Timer; readonly stopwatch: Clock },
    limits: { readonly step: number; readonly total: number; readonly slack: number },
  ) {
    this.#thread = thread;
    this.#world = world;
    this.#limits = limits;
  }

  /** An engine for the next contract. Making it is not taken from the contract's time. */
  async renew(): Promise<void> {
    if (!this.#isGone && this.#left() > 0) await this.#say({ step: "engine" }, longestStart);
  }

  async ask(stepWithin: (milliseconds: number) => Step): Promise<{ readonly reply: unknown } | Refusal> {
    if (this.#isGone) return { fault: "contract.crashed", message: "the executor ended before this was asked" };
    const milliseconds = Math.min(this.#limits.step, this.#left());
    if (!(milliseconds > 0)) return { fault: "contract.timeout", message: "no time is left for it" };
    const begun = this.#world.stopwatch.now();
    const said = await this.#say(stepWithin(milliseconds), milliseconds + this.#limits.slack);
    this.spent += Math.max(0, this.#world.stopwatch.now() - begun);
    return said;
  }

  /** Nobody waits for it any more: neither what is asked now nor what would be next. */
  end(): void {
    this.#isGone = true;
    this.#giveUp();
  }

  #left(): number {
    return this.#limits.total - this.spent;
  }

  async #say(step: Step, longest: number): Promise<{ readonly reply: unknown } | Refusal> {
    const said = await new Promise<{ readonly reply: unknown } | Refusal>((resolve) => {
      const end = (how: { readonly reply: unknown } | Refusal): void => {
        watch.stop();
        resolve(how);
      };
      // Unlike waiting for a while, this keeps no process from ending once there is an answer.
      const watch = this.#world.timer.every(longest, () => end(late));
      this.#thread.ask<unknown>(JSON.stringify(step)).then(
        (reply) => end({ reply }),
        () => end(ended),
      );
      this.#giveUp = () => end(ended);
    });
    this.#isGone ||= "fault" in said;
    return said;
  }
}
