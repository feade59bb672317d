import { createSingleFlight } from "../../core/async.ts";
import type { App } from "../app.ts";
import { BodyCache } from "./body-cache.ts";
import { mayBeAway } from "./standing.ts";
import { readReserve, type Reserve } from "./reserve.ts";

interface Keeping {
  /** Whether the store is there, and the one that it was. */
  isThere(): Promise<boolean>;
  onFailure(error: unknown): void;
}

/** Keeps what a node would need without its store in step with it: the rows, then the bodies. */
export class ReserveKeeper {
  readonly #app: App;
  readonly #keeping: Keeping;
  readonly #cache: BodyCache;
  #reserve: Reserve | null = null;
  #missingBodies = 0;
  #wanted = -1;
  readonly #working = createSingleFlight();
  #isStopped = false;
  /** Ends when there is something newer to fill the cache with. */
  #filling = new AbortController();
  #isFilled = false;
  #told = "";

  constructor(app: App, keeping: Keeping) {
    this.#app = app;
    this.#keeping = keeping;
    this.#cache = new BodyCache(app.world.files, app.places.cacheFolder);
  }

  get reserve(): Reserve | null {
    return this.#reserve;
  }

  /** Files of what may be used that are not on this machine. */
  get missingBodies(): number {
    return this.#missingBodies;
  }

  /** In the background, one after the other. What fails is tried again when it is asked for again. */
  keep(generation: number): void {
    if (this.#isStopped) return;
    if (generation > this.#wanted) this.#filling.abort();
    this.#wanted = generation;
    void this.#working.run(() => this.#work());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#filling.abort();
    await this.#working.underWay;
  }

  async #work(): Promise<void> {
    try {
      while (!this.#isStopped && !this.#isDone) {
        this.#isFilled = false;
        const reserve = isUpTo(this.#reserve, this.#wanted) ? this.#reserve : await this.#next();
        if (reserve === null) return;
        await this.#fill((this.#reserve = reserve));
      }
      this.#told = "";
    } catch (error) {
      this.#tell(error);
    }
  }

  /** Each fault once, however often it is met: it is tried again with every turn. */
  #tell(error: unknown): void {
    const message = error instanceof Error ? error.message : "";
    if (mayBeAway(error) || message === this.#told) return;
    this.#told = message;
    this.#keeping.onFailure(error);
  }

  get #isDone(): boolean {
    return isUpTo(this.#reserve, this.#wanted) && this.#isFilled;
  }

  /** Asked afterwards whose it is: what was read before is then of this store, sealed with keys that this node has. */
  async #next(): Promise<Reserve | null> {
    const { kept, registry, accounts } = this.#app;
    const reading = { read: kept.read, registry, history: accounts.history, cache: this.#cache };
    const next = await readReserve(reading, this.#reserve);
    return (await this.#keeping.isThere()) ? next : null;
  }

  async #fill({ bodies }: Reserve): Promise<void> {
    const { signal } = (this.#filling = new AbortController());
    const { read } = this.#app.kept;
    this.#missingBodies = bodies.length;
    this.#missingBodies = await this.#cache.fill(bodies, (digests) => read.findBlobs(digests), signal);
    this.#isFilled = !signal.aborted;
  }
}

/** What changed since may be a word that was taken back: a reserve that is behind is none. */
export function isUpTo(reserve: Reserve | null, generation: number): reserve is Reserve {
  return reserve !== null && reserve.look.snapshot.generation >= generation;
}
