import type { Clock } from "../base/world.ts";
import { addressGroup } from "./address-group.ts";
import { type Bucket, Buckets } from "./buckets.ts";
import { TooMany } from "./statuses.ts";

export interface TryBounds {
  /** Tries to sign in as one account in a minute, right ones among them. */
  readonly triesPerAccount: number;
  /** Tries from one address in a minute; right ones do not count. */
  readonly triesPerAddress: number;
  /** Tries of anybody that are answered at the same time: each costs a slow hash. */
  readonly triesAtOnce: number;
  /** How many accounts, and how many addresses, are remembered. */
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
  readonly #accounts: Buckets;
  readonly #addresses: Buckets;
  #running = 0;

  constructor(clock: Clock, bounds: TryBounds) {
    this.#bounds = bounds;
    this.#accounts = new Buckets(clock, bounds.triesPerAccount, bounds.remembered);
    this.#addresses = new Buckets(clock, bounds.triesPerAddress, bounds.remembered);
  }

  /** Lets `act` try, or throws `request.too-many`. The answer is the same whether there is such an account or not. */
  async run<Result>({ account, address }: Tried, act: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#bounds.triesAtOnce) throw new TooMany("too many are signing in; wait and try again", 1);
    // The address first: whoever has used it up takes nothing away from anybody's account any more.
    const from = address === undefined ? undefined : taken(this.#addresses.of(addressGroup(address)));
    if (account !== undefined) this.#takeAccount(account, from);
    this.#running++;
    try {
      const result = await act();
      from?.giveBack();
      return result;
    } finally {
      this.#running--;
    }
  }

  /** What is refused without any work does not count for those who come from the same address. */
  #takeAccount(account: string, from: Bucket | undefined): void {
    try {
      taken(this.#accounts.of(account));
    } catch (error) {
      from?.giveBack();
      throw error;
    }
  }

  /** How much is remembered now. */
  get size(): { accounts: number; addresses: number } {
    return { accounts: this.#accounts.size, addresses: this.#addresses.size };
  }
}

function taken(bucket: Bucket): Bucket {
  if (bucket.take()) return bucket;
  throw new TooMany("too many tries to sign in; wait and try again", bucket.secondsToNext());
}
