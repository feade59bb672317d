import type { Digest } from "../base/digest.ts";
import { Recent } from "../base/recent.ts";
import { createTurns } from "../base/turns.ts";
import type { Use } from "../registry/inquiry.ts";
import type { UsageRecord } from "../registry/usage.ts";
import type { StoreReads } from "../store/store.ts";
import type { Contexts } from "./app.ts";
import { perNode } from "./per-node.ts";

type Uses = readonly Use[] | readonly UsageRecord[];

interface Wanted {
  readonly digest: Digest;
  /** Every single use, instead of one line for each place. */
  readonly each: boolean;
  readonly limit: number;
}

/** Lines that are kept, of all answers together. */
const mostKept = 20_000;

/**
 * T41: of one digest there may be a million uses, and SQLite stops the whole node while it reads them. So it does for one
 * reader at a time; and what was read is good until there is another audit record, since every batch of usage has one.
 */
class UsesOf {
  readonly #read: StoreReads;
  readonly #inTurn = createTurns(1);
  readonly #known = new Recent<{ readonly uses: Uses; readonly upTo: number }>(mostKept, ({ uses }) => uses.length + 1);

  constructor(read: StoreReads) {
    this.#read = read;
  }

  find({ digest, each, limit }: Wanted): Promise<Uses> {
    return this.#inTurn(async () => {
      const key = JSON.stringify([digest, each, limit]);
      const { seq: upTo } = await this.#read.auditHead();
      const known = this.#known.get(key);
      if (known?.upTo === upTo) return known.uses;
      const uses = each ? await this.#read.usageOf(digest, limit) : await this.#read.usesOf(digest, limit);
      return this.#known.keep(key, { uses, upTo }).uses;
    });
  }
}

export const usesOf = perNode(({ kept }: Pick<Contexts, "kept">) => new UsesOf(kept.read));
