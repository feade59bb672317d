import type { Clock } from "../core/world.ts";
import { addressGroup } from "./guard/client-address.ts";
import { fewAtATime } from "../features/http/concurrency-limit.ts";
import { RateLimiter, type TokenBucket } from "./request-limits.ts";
import { TooMany } from "../features/http/statuses.ts";

export interface LoginBounds {
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
export class LoginThrottle {
  readonly #pairs: RateLimiter;
  readonly #accounts: RateLimiter;
  readonly #addresses: RateLimiter;
  readonly #fewAtATime: ReturnType<typeof fewAtATime>;

  constructor(clock: Clock, bounds: LoginBounds) {
    this.#fewAtATime = fewAtATime(bounds.triesAtOnce, "too many are signing in; wait and try again", 1);
    this.#pairs = new RateLimiter(clock, bounds.triesPerPair, bounds.remembered);
    this.#accounts = new RateLimiter(clock, bounds.triesPerAccount, bounds.remembered);
    this.#addresses = new RateLimiter(clock, bounds.triesPerAddress, bounds.remembered);
  }

  /** Lets `act` try, or throws `request.too-many`. The answer is the same whether there is such an account or not. */
  run<Result>({ account, address }: Tried, act: () => Promise<Result>): Promise<Result> {
    return this.#fewAtATime(async () => {
      const from = address === undefined ? [] : [this.#addresses.bucketOf(addressGroup(address))];
      // The account last: whoever has used themselves up takes nothing away from its owner any more.
      takeAll([...from, ...(account === undefined ? [] : this.#bucketsOf(account, address))]);
      const result = await act();
      for (const bucket of from) bucket.giveBack();
      return result;
    });
  }

  /** No address holds a blank: no two pairs are one. */
  #bucketsOf(account: string, address: string | undefined): TokenBucket[] {
    const group = address === undefined ? "" : addressGroup(address);
    return [this.#pairs.bucketOf(`${group} ${account}`), this.#accounts.bucketOf(account)];
  }

  /** How much is remembered now. */
  get size(): { pairs: number; accounts: number; addresses: number } {
    return { pairs: this.#pairs.size, accounts: this.#accounts.size, addresses: this.#addresses.size };
  }
}

/** One of each, or none of any: what is refused without any work does not count. */
function takeAll(buckets: readonly TokenBucket[]): void {
  for (const [at, bucket] of buckets.entries()) {
    if (bucket.take()) continue;
    for (const before of buckets.slice(0, at)) before.giveBack();
    throw new TooMany("too many tries to sign in; wait and try again", bucket.secondsToNext());
  }
}
