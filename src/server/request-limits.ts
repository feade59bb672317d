import type { Clock } from "../core/world.ts";
import { addressGroup } from "./guard/client-address.ts";
import { ConcurrencyLimit } from "../features/http/concurrency-limit.ts";
import { TooMany } from "../features/http/statuses.ts";
import { LruCache } from "../core/lru-cache.ts";

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

export interface RequestBounds {
  /** Requests of one principal in a minute; as many may come at once. */
  readonly perMinute: number;
  /** Requests of one principal that run at the same time. */
  readonly concurrent: number;
  /** Wrong keys from one address in a minute. */
  readonly failuresPerMinute: number;
  /** How many principals, and how many addresses, are remembered. */
  readonly remembered: number;
}

/** A request that was let in. */
export interface Pass {
  readonly headers: Readonly<Record<string, string>>;
  /** Called once, when its answer is over. */
  readonly leave: () => void;
}

/** How often each name may ask in a minute, and at the same time. */
export class Admission {
  readonly #running: ConcurrencyLimit;
  readonly #rate: RateLimiter;
  readonly #refusals: { readonly running: string; readonly rate: string };

  constructor(
    clock: Clock,
    bounds: Pick<RequestBounds, "perMinute" | "concurrent" | "remembered">,
    refusals: { readonly running: string; readonly rate: string },
  ) {
    this.#running = new ConcurrencyLimit(bounds.concurrent);
    this.#rate = new RateLimiter(clock, bounds.perMinute, bounds.remembered);
    this.#refusals = refusals;
  }

  get size(): number {
    return this.#rate.size;
  }

  /** Lets a request in, or throws `request.too-many`. One that is refused for what runs takes no token. */
  enter(name: string): { readonly bucket: TokenBucket; readonly leave: () => void } {
    const bucket = this.#rate.bucketOf(name);
    const leave = this.#running.demand(name, this.#refusals.running);
    if (bucket.take()) return { bucket, leave };
    leave();
    throw new TooMany(this.#refusals.rate, bucket.secondsToNext());
  }
}

/** T41: how much one principal may ask, and how often one address may be wrong. Memory is bounded. */
export class RequestLimits {
  readonly #principals: Admission;
  readonly #addresses: RateLimiter;

  constructor(clock: Clock, bounds: RequestBounds) {
    this.#principals = new Admission(clock, bounds, {
      running: `${bounds.concurrent} requests of this key are running; wait for one of them to end`,
      rate: `more than ${bounds.perMinute} requests a minute; wait and ask again`,
    });
    this.#addresses = new RateLimiter(clock, bounds.failuresPerMinute, bounds.remembered);
  }

  /** Lets a request of a principal in, or throws `request.too-many`. */
  enter(name: string): Pass {
    const { bucket, leave } = this.#principals.enter(name);
    const headers = {
      "x-ratelimit-limit-requests": String(bucket.most),
      "x-ratelimit-remaining-requests": String(Math.floor(bucket.left)),
      "x-ratelimit-reset-requests": `${bucket.secondsToFull()}s`,
    };
    return { headers, leave };
  }

  /**
   * Notes a wrong key from an address; throws `request.too-many` instead of letting it be wrong once more. Right keys
   * from the same address never come here: nobody is locked out by a neighbour.
   */
  fail(address: string): void {
    const bucket = this.#addresses.bucketOf(addressGroup(address));
    if (bucket.take()) return;
    throw new TooMany("too many wrong keys from this address; wait and ask again", bucket.secondsToNext());
  }

  /** How much is remembered now. */
  get size(): { principals: number; addresses: number } {
    return { principals: this.#principals.size, addresses: this.#addresses.size };
  }
}
