import type { Clock, Thread, Timer } from "../../base/world.ts";
import type { Refusal, Step } from "../../use/scope/contract/messages.ts";

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
export class ContractThread {
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
