import type { Digest } from "../../core/digest.ts";
import { LruCache } from "../../core/lru-cache.ts";
import { createMutex } from "../../core/async.ts";
import type { Clock } from "../../core/world.ts";
import type { AuditReads } from "../../registry/audit/audit.ts";
import type { InquiryReads, Use, UsageCount } from "../../registry/inquiry.ts";
import type { UsageRecord } from "../../registry/usage/usage.ts";
import type { StoreReads } from "../../store/store.ts";
import type { App, Contexts } from "../../app/app.ts";

/** One of a kind for all who ask on a node, whoever they are: what it knows is of the store that is open. */
function perNode<Asking extends Pick<Contexts, "kept">, Value>(
  make: (asking: Asking) => Value,
): (asking: Asking) => Value {
  const made = new WeakMap<Contexts["kept"], Value>();
  return (asking) => {
    const known = made.get(asking.kept);
    if (known !== undefined) return known;
    const value = make(asking);
    made.set(asking.kept, value);
    return value;
  };
}

type Reads = Pick<InquiryReads, "countUsage"> & Pick<AuditReads, "auditHead">;

interface CountedDay {
  readonly counts: readonly UsageCount[];
  /** The audit record up to which it is so: every batch of usage is in the chain. */
  readonly upTo: number;
  readonly at: number;
}

interface Wanted {
  /** Days since the epoch. */
  readonly first: number;
  readonly days: number;
  readonly configurations: readonly string[] | null;
}

const milliseconds = 86_400_000;

/** Counts that are kept, of all days together: some ten megabytes. */
const mostKept = 100_000;

/** Milliseconds that a day which is over stays as it was counted: a batch that comes late shows so much later. */
const overFor = 30_000;

/**
 * T41: usage may be millions of rows, and SQLite stops the whole node while it counts. So it counts one day at a time, for
 * one reader at a time, with room for everybody else in between; and a day in which nothing was added is not counted again.
 */
class UsageCounting {
  readonly #read: Reads;
  readonly #stopwatch: Clock;
  readonly #inTurn = createMutex();
  readonly #days = new LruCache<CountedDay>({ weight: mostKept, weightOf: ({ counts }) => counts.length + 1 });

  constructor(read: Reads, stopwatch: Clock) {
    this.#read = read;
    this.#stopwatch = stopwatch;
  }

  /** Hands over each day, the oldest first. */
  each(wanted: Wanted, take: (counts: readonly UsageCount[], at: number) => void): Promise<void> {
    return this.#inTurn(async () => {
      const { seq } = await this.#read.auditHead();
      for (let at = 0; at < wanted.days; at++)
        take(await this.#count(wanted, wanted.first + at, seq, at < wanted.days - 1), at);
    });
  }

  async #count({ configurations }: Wanted, day: number, upTo: number, isOver: boolean): Promise<CountedDay["counts"]> {
    const key = JSON.stringify([day, configurations]);
    const known = this.#days.get(key);
    const at = this.#stopwatch.now();
    if (known !== undefined && (known.upTo === upTo || (isOver && at - known.at < overFor))) return known.counts;
    const since = day * milliseconds;
    const counts = await this.#read.countUsage({ since, before: since + milliseconds, configurations });
    return this.#days.set(key, { counts, upTo, at }).counts;
  }
}

export const usageCounting = perNode(
  ({ kept, world }: Pick<App, "kept" | "world">) => new UsageCounting(kept.read, world.stopwatch),
);

type Uses = readonly Use[] | readonly UsageRecord[];

interface UsesWanted {
  readonly digest: Digest;
  /** Every single use, instead of one line for each place. */
  readonly each: boolean;
  readonly limit: number;
}

/** Lines that are kept, of all answers together. */
const mostUsesKept = 20_000;

/**
 * T41: of one digest there may be a million uses, and SQLite stops the whole node while it reads them. So it does for one
 * reader at a time; and what was read is good until there is another audit record, since every batch of usage has one.
 */
class UsesOf {
  readonly #read: StoreReads;
  readonly #inTurn = createMutex();
  readonly #known = new LruCache<{ readonly uses: Uses; readonly upTo: number }>({
    weight: mostUsesKept,
    weightOf: ({ uses }) => uses.length + 1,
  });

  constructor(read: StoreReads) {
    this.#read = read;
  }

  find({ digest, each, limit }: UsesWanted): Promise<Uses> {
    return this.#inTurn(async () => {
      const key = JSON.stringify([digest, each, limit]);
      const { seq: upTo } = await this.#read.auditHead();
      const known = this.#known.get(key);
      if (known?.upTo === upTo) return known.uses;
      const uses = each ? await this.#read.usageOf(digest, limit) : await this.#read.usesOf(digest, limit);
      return this.#known.set(key, { uses, upTo }).uses;
    });
  }
}

export const usesOf = perNode(({ kept }: Pick<Contexts, "kept">) => new UsesOf(kept.read));
