import { TooMany } from "./statuses.ts";

/** Counts what runs at the same time for each name. It remembers those with something running and no others. */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #running = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns how to leave, which counts once; undefined when as many run as may. */
  enter(name: string): (() => void) | undefined {
    const running = this.#running.get(name) ?? 0;
    if (running >= this.#most) return undefined;
    this.#running.set(name, running + 1);
    let isInside = true;
    return () => {
      if (isInside) this.#leave(name);
      isInside = false;
    };
  }

  /** The same; throws `request.too-many` when as many run as may. */
  demand(name: string, refusal: string, seconds = 1): () => void {
    const leave = this.enter(name);
    if (leave === undefined) throw new TooMany(refusal, seconds);
    return leave;
  }

  #leave(name: string): void {
    const left = (this.#running.get(name) ?? 0) - 1;
    if (left > 0) this.#running.set(name, left);
    else this.#running.delete(name);
  }
}

type Guarded = <Result>(act: () => Promise<Result>) => Promise<Result>;

/** T41: what takes long is done once at a time on this node. Who asks meanwhile is refused instead of waiting. */
export function oneAtATime(what: string): Guarded {
  return fewAtATime(1, `${what} is running on this node; wait for it to end`);
}

/** The same for as many at a time as the node can bear; `seconds`: after which it is worth asking again. */
export function fewAtATime(most: number, refusal: string, seconds = 5): Guarded {
  const limit = new ConcurrencyLimit(most);
  return async (act) => {
    const leave = limit.demand("", refusal, seconds);
    try {
      return await act();
    } finally {
      leave();
    }
  };
}
