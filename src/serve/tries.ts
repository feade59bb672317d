import type { Clock } from "../base/world.ts";
import { addressGroup } from "./address-group.ts";
import { type Bucket, Buckets } from "./buckets.ts";
import { TooMany } from "./statuses.ts";

export interface TryBounds {
  /** Tries to sign in as one account from one address in a minute, right ones among them. */
  readonly triesPerPair: number;
  /** The same from all addresses together: many more, since whoever uses it up keeps its owner out. */
  readonly triesPerAccount: number;
  /** Tries from one address in a minute; right ones do not count. */
  readonly triesPerAddress: number;
  /** Tries of anybody that are answered at the same time: each costs a slow hash. */
  readonly triesAtOnce: number;
  /** How many accounts, how many addresses, and how many pairs of them are remembered. */
  readonly remembered: number;
}

/** On whose account a try goes. */
interface Tried {
  readonly account?: string | undefined;
  readonly address?: string | undefined;
}

/**
 * T38: how often somebody may try to sign in, on this node. Counted before any work is done, so that a thousand that come
 * at once cost no more than a few. Who is signed in already, and whoever has a key, never comes here.
 */
export class Tries {
  readonly #bounds: TryBounds;
  readonly #pairs: Buckets;
  readonly #accounts: Buckets;
  readonly #addresses: Buckets;
  #running = 0;

  constructor(clock: Clock, bounds: TryBounds) {
    this.#bounds = bounds;
    this.#pairs = new Buckets(clock, bounds.triesPerPair, bounds.remembered);
    this.#accounts = new Buckets(clock, bounds.triesPerAccount, bounds.remembered);
    this.#addresses = new Buckets(clock, bounds.triesPerAddress, bounds.remembered);
  }

  /** Lets `act` try, or throws `request.too-many`. The answer is the same whether there is such an account or not. */
  async run<Result>({ account, address }: Tried, act: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#bounds.triesAtOnce) throw new TooMany("too many are signing in; wait and try again", 1);
    const group = address === undefined ? "" : addressGroup(address);
    const from = address === undefined ? [] : [this.#addresses.of(group)];
    // The account last: whoever has used themselves up takes nothing away from its owner any more.
    takeAll([...from, ...(account === undefined ? [] : this.#bucketsOf(account, group))]);
    this.#running++;
    try {
      const result = await act();
      for (const bucket of from) bucket.giveBack();
      return result;
    } finally {
      this.#running--;
    }
  }

  /** No address holds a blank: no two pairs are one. */
  #bucketsOf(account: string, group: string): Bucket[] {
    return [this.#pairs.of(`${group} ${account}`), this.#accounts.of(account)];
  }

  /** How much is remembered now. */
  get size(): { pairs: number; accounts: number; addresses: number } {
    return { pairs: this.#pairs.size, accounts: this.#accounts.size, addresses: this.#addresses.size };
  }
}

/** One of each, or none of any: what is refused without any work does not count. */
function takeAll(buckets: readonly Bucket[]): void {
  for (const [at, bucket] of buckets.entries()) {
    if (bucket.take()) continue;
    for (const before of buckets.slice(0, at)) before.giveBack();
    throw new TooMany("too many tries to sign in; wait and try again", bucket.secondsToNext());
  }
}
