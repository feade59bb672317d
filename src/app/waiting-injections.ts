import type { InjectionRecord } from "../registry/injection.ts";
import { injectionWeight } from "../registry/injection-text.ts";

const mostInjections = 10_000;
/** What they may list together: memory has an end, also while the store is away. */
const mostWeight = 100_000;

/** The last injections of this process that are not in the store yet, wherever else they wait. */
export class WaitingInjections {
  readonly #byId = new Map<string, InjectionRecord>();
  #weight = 0;

  add(injection: InjectionRecord): void {
    this.#drop(injection.id);
    this.#byId.set(injection.id, injection);
    this.#weight += injectionWeight(injection);
    for (const oldest of this.#byId.keys()) {
      if (this.#byId.size <= mostInjections && this.#weight <= mostWeight) break;
      this.#drop(oldest);
    }
  }

  find(id: string): InjectionRecord | undefined {
    return this.#byId.get(id);
  }

  /** They are in the store: from now on that is where they are looked for. */
  settle(injections: readonly InjectionRecord[]): void {
    for (const { id } of injections) this.#drop(id);
  }

  #drop(id: string): void {
    const known = this.#byId.get(id);
    if (known === undefined) return;
    this.#byId.delete(id);
    this.#weight -= injectionWeight(known);
  }
}
