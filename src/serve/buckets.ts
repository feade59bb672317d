import type { Clock } from "../base/world.ts";

/** Fills up evenly, `most` in a minute, up to `most`. */
export class Bucket {
  readonly most: number;
  left: number;
  running = 0;
  readonly #clock: Clock;
  #at: number;

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.most = most;
    this.left = most;
    this.#at = clock.now();
  }

  take(): boolean {
    const now = this.#clock.now();
    // A clock that was set back gives nothing, and takes nothing.
    const passed = Math.max(0, now - this.#at);
    this.left = Math.min(this.most, this.left + (passed * this.most) / 60_000);
    this.#at = now;
    if (this.left < 1) return false;
    this.left--;
    return true;
  }

  giveBack(): void {
    this.left = Math.min(this.most, this.left + 1);
  }

  /** Whoever goes in takes a place, until what is given back is called; once is as good as twice. */
  enter(): () => void {
    this.running++;
    let isInside = true;
    return () => {
      if (isInside) this.running--;
      isInside = false;
    };
  }

  secondsToNext(): number {
    return ((1 - this.left) * 60) / this.most;
  }

  secondsToFull(): number {
    return Math.ceil(((this.most - this.left) * 60) / this.most);
  }
}

/** One bucket for each name; as many as are remembered, those used last. */
export class Buckets {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #remembered: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, perMinute: number, remembered: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
    this.#remembered = remembered;
  }

  get size(): number {
    return this.#buckets.size;
  }

  of(name: string): Bucket {
    const bucket = this.#buckets.get(name) ?? new Bucket(this.#clock, this.#perMinute);
    // Last in the map is last used: the first ones are forgotten first.
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > this.#remembered) this.#forgetOne(bucket);
    return bucket;
  }

  /** Whoever has requests running is not forgotten: their number would start at none again. */
  #forgetOne(newest: Bucket): void {
    for (const [name, bucket] of this.#buckets) {
      if (bucket.running > 0 || bucket === newest) continue;
      this.#buckets.delete(name);
      return;
    }
  }
}
