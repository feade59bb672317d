import { Recent } from "../base/recent.ts";
import { createTurns } from "../base/turns.ts";
import type { Clock } from "../base/world.ts";
import type { AuditReads } from "../registry/audit.ts";
import type { InquiryReads, UsageCount } from "../registry/inquiry.ts";
import type { App } from "./app.ts";
import { perNode } from "./per-node.ts";

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
  readonly #inTurn = createTurns(1);
  readonly #days = new Recent<CountedDay>(mostKept, ({ counts }) => counts.length + 1);

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
    return this.#days.keep(key, { counts, upTo, at }).counts;
  }
}

export const usageCounting = perNode(
  ({ kept, world }: Pick<App, "kept" | "world">) => new UsageCounting(kept.read, world.stopwatch),
);
