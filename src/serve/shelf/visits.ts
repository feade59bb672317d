import type { Clock } from "../../base/world.ts";
import { addressGroup } from "../address-group.ts";
import { Buckets } from "../buckets.ts";
import { TooMany } from "../statuses.ts";

export interface VisitBounds {
  /** From one address in a minute: a reader asks for the index, and then for each skill. */
  readonly perMinute: number;
  /** From one address at the same time. */
  readonly atOnce: number;
  /** How many addresses are remembered. */
  readonly remembered: number;
}

export const visitBounds: VisitBounds = { perMinute: 600, atOnce: 32, remembered: 10_000 };

/** T41: how much one address may ask where nobody shows a key. Memory is bounded. */
export class Visits {
  readonly #bounds: VisitBounds;
  readonly #addresses: Buckets;

  constructor(clock: Clock, bounds: VisitBounds) {
    this.#bounds = bounds;
    this.#addresses = new Buckets(clock, bounds.perMinute, bounds.remembered);
  }

  /** Lets a request in, or throws `request.too-many`. Gives back what is called once, when its answer is over. */
  enter(address: string): () => void {
    const { perMinute, atOnce } = this.#bounds;
    const bucket = this.#addresses.of(addressGroup(address));
    if (bucket.running >= atOnce)
      throw new TooMany(`${atOnce} requests from this address are running; wait for one of them to end`, 1);
    if (!bucket.take())
      throw new TooMany(`more than ${perMinute} requests a minute from this address; wait`, bucket.secondsToNext());
    return bucket.enter();
  }
}
