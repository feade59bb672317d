import type { Clock } from "../base/world.ts";
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
  readonly #clock: Clock;
  readonly #bounds: RateBounds;
  readonly #principals = new Map<string, Bucket>();
  readonly #addresses = new Map<string, Bucket>();

  constructor(clock: Clock, bounds: RateBounds) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  /** Lets a request of a principal in, or throws `request.too-many`. */
  enter(name: string): Pass {
    const { perMinute, concurrent } = this.#bounds;
    const bucket = this.#bucket(this.#principals, name, perMinute);
    if (bucket.running >= concurrent)
      throw new TooMany(`${concurrent} requests of this key are running; wait for one of them to end`, 1);
    if (!bucket.take(this.#clock.now()))
      throw new TooMany(`more than ${perMinute} requests a minute; wait and ask again`, bucket.secondsToNext());
    return startedPass(bucket);
  }

  /**
   * Notes a wrong key from an address; throws `request.too-many` instead of letting it be wrong once more. Right keys
   * from the same address never come here: nobody is locked out by a neighbour.
   */
  fail(address: string): void {
    const { failuresPerMinute } = this.#bounds;
    const bucket = this.#bucket(this.#addresses, addressGroup(address), failuresPerMinute);
    if (bucket.take(this.#clock.now())) return;
    throw new TooMany("too many wrong keys from this address; wait and ask again", bucket.secondsToNext());
  }

  /** How much is remembered now. */
  get size(): { principals: number; addresses: number } {
    return { principals: this.#principals.size, addresses: this.#addresses.size };
  }

  #bucket(buckets: Map<string, Bucket>, name: string, perMinute: number): Bucket {
    const bucket = buckets.get(name) ?? new Bucket(perMinute, this.#clock.now());
    // Last in the map is last used: the first ones are forgotten first.
    buckets.delete(name);
    buckets.set(name, bucket);
    if (buckets.size > this.#bounds.remembered) forgetOne(buckets, bucket);
    return bucket;
  }
}

/** Whoever has requests running is not forgotten: their number would start at none again. */
function forgetOne(buckets: Map<string, Bucket>, newest: Bucket): void {
  for (const [name, bucket] of buckets) {
    if (bucket.running > 0 || bucket === newest) continue;
    buckets.delete(name);
    return;
  }
}

function startedPass(bucket: Bucket): Pass {
  bucket.running++;
  let inside = true;
  const headers = {
    "x-ratelimit-limit-requests": String(bucket.most),
    "x-ratelimit-remaining-requests": String(Math.floor(bucket.left)),
    "x-ratelimit-reset-requests": `${bucket.secondsToFull()}s`,
  };
  return {
    headers,
    leave() {
      if (inside) bucket.running--;
      inside = false;
    },
  };
}

/** Fills up evenly, `most` in a minute, up to `most`. */
class Bucket {
  readonly most: number;
  left: number;
  running = 0;
  #at: number;

  constructor(most: number, now: number) {
    this.most = most;
    this.left = most;
    this.#at = now;
  }

  take(now: number): boolean {
    // A clock that was set back gives nothing, and takes nothing.
    const passed = Math.max(0, now - this.#at);
    this.left = Math.min(this.most, this.left + (passed * this.most) / 60_000);
    this.#at = now;
    if (this.left < 1) return false;
    this.left--;
    return true;
  }

  secondsToNext(): number {
    return ((1 - this.left) * 60) / this.most;
  }

  secondsToFull(): number {
    return Math.ceil(((this.most - this.left) * 60) / this.most);
  }
}

/** One household has a whole /64 of IPv6: its addresses count as one. */
function addressGroup(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("::", 2);
  const front = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - front.length - (tail === "" ? 0 : tail.split(":").length);
  const groups = [...front, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...(tail ?? "").split(":")];
  return groups.slice(0, 4).join(":");
}
