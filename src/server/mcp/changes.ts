import { tell } from "../../core/async.ts";
import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Timer } from "../../core/world.ts";
import type { Asker, Library } from "./library.ts";
import { markOf } from "./view.ts";

/** Told when what somebody may read is not what it was; and when they may read nothing any more. */
interface Heard {
  readonly changed: () => void;
  readonly refused: () => void;
}

/** Somebody who listens, until they stop. */
export interface Listening {
  /** What they know of. */
  readonly last: Digest;
  stop(): void;
}

interface Listener extends Heard {
  readonly who: Asker;
  last: Digest;
}

/** What could not be looked at is looked at again: the store may be back. */
const retryEvery = 60_000;

/** RV-10: says at a new generation, whoever made it, to whom it makes a difference. */
export class Changes {
  readonly #library: Library;
  readonly #listeners = new Set<Listener>();
  readonly #retrying: { stop(): void };
  #isSweeping = false;
  #isWanted = false;
  #hasFailed = false;

  constructor(library: Library, timer: Timer) {
    this.#library = library;
    this.#retrying = timer.every(retryEvery, () => (this.#hasFailed ? this.wake() : undefined));
  }

  /** What somebody may read now. */
  async now(who: Asker): Promise<Digest> {
    return markOf(await this.#library.views.of(await who()));
  }

  /** Whoever knew of `last` is told at once when it is something else by now. */
  async listen(who: Asker, last: Digest, { changed, refused }: Heard): Promise<Listening> {
    const listener: Listener = { who, last, changed, refused };
    this.#listeners.add(listener);
    await this.#compare(listener);
    return {
      get last() {
        return listener.last;
      },
      stop: () => void this.#listeners.delete(listener),
    };
  }

  /** There is a new generation. */
  wake(): void {
    this.#isWanted = true;
    if (!this.#isSweeping) void this.#sweep();
  }

  /** Generations that come while one is looked at are taken together. Never fails. */
  async #sweep(): Promise<void> {
    this.#isSweeping = true;
    while (this.#isWanted) {
      [this.#isWanted, this.#hasFailed] = [false, false];
      for (const listener of this.#listeners) await this.#compare(listener);
    }
    this.#isSweeping = false;
  }

  async #compare(listener: Listener): Promise<void> {
    try {
      const now = await this.now(listener.who);
      if (now === listener.last || !this.#listeners.has(listener)) return;
      listener.last = now;
      tell(listener.changed, undefined);
    } catch (error) {
      if (error instanceof AppError && error.code === "auth.failed") return tell(listener.refused, undefined);
      this.#hasFailed = true;
      this.#library.log.failure("mcp", error);
    }
  }

  close(): void {
    this.#listeners.clear();
    this.#retrying.stop();
  }
}
