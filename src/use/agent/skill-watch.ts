import type { Clock, FolderWatch, Timer, Watching } from "../../base/world.ts";

/** Milliseconds without another change: a branch switch writes many files, and is one change. */
const quiet = 120;
/** Where something is written all the time, nobody waits for it to end. */
const longestWait = 1_500;
/** Looking takes at most this part of the time. */
const share = 4;

interface WatchWorld {
  readonly watching: Watching;
  readonly timer: Timer;
  readonly stopwatch: Clock;
}

/** AG-4: looks again when folders have changed and are quiet, or have changed for long. */
export class SkillWatch {
  readonly #world: WatchWorld;
  readonly #watch: FolderWatch;
  readonly #look: () => Promise<void>;
  #waiting: { stop(): void } | null = null;
  /** Of the first change that was not looked at. */
  #since = 0;
  /** How long the last look took. */
  #took = 0;
  #isLooking = false;
  #isClosed = false;

  constructor(world: WatchWorld, look: () => Promise<void>) {
    this.#world = world;
    this.#look = look;
    this.#watch = world.watching.open(() => this.#onChange());
  }

  watch(folders: readonly string[]): ReturnType<FolderWatch["watch"]> {
    return this.#isClosed ? { unwatched: 0, why: null } : this.#watch.watch(folders);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting?.stop();
    this.#watch.close();
  }

  #onChange(): void {
    if (this.#isClosed) return;
    const now = this.#world.stopwatch.now();
    if (this.#waiting === null) this.#since = now;
    this.#waiting?.stop();
    const least = Math.max(quiet, this.#took * share);
    const left = Math.max(longestWait, least) - (now - this.#since);
    const waiting = this.#world.timer.every(Math.max(1, Math.min(least, left)), () => {
      waiting.stop();
      this.#waiting = null;
      void this.#lookAgain();
    });
    this.#waiting = waiting;
  }

  async #lookAgain(): Promise<void> {
    // What changes meanwhile is looked at afterwards.
    if (this.#isLooking) return this.#onChange();
    this.#isLooking = true;
    const began = this.#world.stopwatch.now();
    await this.#look();
    this.#took = this.#world.stopwatch.now() - began;
    this.#isLooking = false;
  }
}
