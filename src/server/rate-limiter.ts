import { LruCache } from "../core/lru-cache.ts";
import type { Clock } from "../core/world.ts";

/** Fills up evenly, `most` in a minute, up to `most`. */
export class TokenBucket {
  readonly most: number;
  left: number;
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

  secondsToNext(): number {
    return ((1 - this.left) * 60) / this.most;
  }

  secondsToFull(): number {
    return Math.ceil(((this.most - this.left) * 60) / this.most);
  }
}

/** One bucket for each name; of so many names, those used last. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #buckets: LruCache<TokenBucket>;

  constructor(clock: Clock, perMinute: number, remembered: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
    this.#buckets = new LruCache({ entries: remembered });
  }

  get size(): number {
    return this.#buckets.size;
  }

  bucketOf(name: string): TokenBucket {
    return this.#buckets.get(name) ?? this.#buckets.set(name, new TokenBucket(this.#clock, this.#perMinute));
  }
}
