import type { Clock } from "../base/world.ts";
import { addressGroup } from "./address-group.ts";
import { type Bucket, Buckets } from "./buckets.ts";
import { TooMany } from "./statuses.ts";

export interface RateBounds {
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

/** T41: how much one principal may ask, and how often one address may be wrong. Memory is bounded. */
export class Rates {
  readonly #bounds: RateBounds;
  readonly #principals: Buckets;
  readonly #addresses: Buckets;

  constructor(clock: Clock, bounds: RateBounds) {
    this.#bounds = bounds;
    this.#principals = new Buckets(clock, bounds.perMinute, bounds.remembered);
    this.#addresses = new Buckets(clock, bounds.failuresPerMinute, bounds.remembered);
  }

  /** Lets a request of a principal in, or throws `request.too-many`. */
  enter(name: string): Pass {
    const { perMinute, concurrent } = this.#bounds;
    const bucket = this.#principals.of(name);
    if (bucket.running >= concurrent)
      throw new TooMany(`${concurrent} requests of this key are running; wait for one of them to end`, 1);
    if (!bucket.take())
      throw new TooMany(`more than ${perMinute} requests a minute; wait and ask again`, bucket.secondsToNext());
    return startedPass(bucket);
  }

  /**
   * Notes a wrong key from an address; throws `request.too-many` instead of letting it be wrong once more. Right keys
   * from the same address never come here: nobody is locked out by a neighbour.
   */
  fail(address: string): void {
    const bucket = this.#addresses.of(addressGroup(address));
    if (bucket.take()) return;
    throw new TooMany("too many wrong keys from this address; wait and ask again", bucket.secondsToNext());
  }

  /** How much is remembered now. */
  get size(): { principals: number; addresses: number } {
    return { principals: this.#principals.size, addresses: this.#addresses.size };
  }
}

function startedPass(bucket: Bucket): Pass {
  const headers = {
    "x-ratelimit-limit-requests": String(bucket.most),
    "x-ratelimit-remaining-requests": String(Math.floor(bucket.left)),
    "x-ratelimit-reset-requests": `${bucket.secondsToFull()}s`,
  };
  return { headers, leave: bucket.enter() };
}
