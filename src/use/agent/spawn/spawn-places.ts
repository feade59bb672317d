import type { SpawnLimits } from "./spawn-host.ts";

/** How many sub-agents of one primary there are, and may be. */
export class SpawnPlaces {
  readonly #limits: SpawnLimits;
  readonly #ofParent = new Map<string, number>();
  #atOnce = 0;
  #ever = 0;

  constructor(limits: SpawnLimits) {
    this.#limits = limits;
  }

  /** Why there is none; null when there is. */
  whyNone(parent: string): string | null {
    const { children, perParent, total } = this.#limits;
    if (this.#ever >= total) return `there have been ${total} sub-agents, and may be no more`;
    if (this.#atOnce >= children) return `${children} sub-agents are at work, and no more may be at once`;
    if (this.#count(parent) >= perParent) return `${perParent} sub-agents of one agent are at work, and no more may be`;
    return null;
  }

  /** Taken before anything is waited for: many that ask at once get no more than one after the other. */
  take(parent: string): () => void {
    this.#change(parent, 1);
    this.#ever++;
    return () => this.#change(parent, -1);
  }

  #count(parent: string): number {
    return this.#ofParent.get(parent) ?? 0;
  }

  #change(parent: string, by: 1 | -1): void {
    const count = this.#count(parent) + by;
    this.#atOnce += by;
    if (count === 0) this.#ofParent.delete(parent);
    else this.#ofParent.set(parent, count);
  }
}
