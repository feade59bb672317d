import type { EntryId } from "../../core/ids.ts";
import type { Clock, Files, Timer } from "../../core/world.ts";
import type { MeasuredRouting } from "../../routing/evaluation/golden.ts";
import { rounded } from "../../routing/evaluation/statistics.ts";
import { decodeIndex, encodeIndex } from "../../routing/index/file.ts";
import type { Document } from "../../routing/index/lexical-index.ts";
import { createIndex, type SegmentedIndex } from "../../routing/index/segmented-index.ts";
import { buildSegment, type Segment } from "../../routing/index/segment.ts";
import { type Chain, createChain } from "../../routing/chain/chain.ts";
import { defaultThresholds, ownLinks } from "../../routing/default-chain.ts";
import { createShelf, type Shelf, type ShelfEntry } from "../../routing/shelf.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { type OnNote, pooledSkill, readPool, type RoutableSkill } from "./skill-pool.ts";

export type { RoutableSkill } from "./skill-pool.ts";

interface PoolWorld {
  readonly clock: Clock;
  readonly stopwatch: Clock;
  readonly files: Files;
}

/** A shelf over skills that lie in folders and files, without a store, and what its index cost. */
export interface PoolShelf {
  readonly shelf: Shelf;
  /** Writes the index and reads it again, which takes its time. */
  cost(): { readonly buildMs: number; readonly loadMs: number; readonly bytes: number };
  bodyOf(entry: EntryId): string;
}

export interface PoolOptions {
  readonly onNote: OnNote;
  readonly onProgress?: (indexed: number) => void;
}

/** So many are indexed at a time, so that progress can be seen. */
const batchSize = 1000;

/** Reads and indexes a pool. */
export async function openPool(
  world: PoolWorld,
  places: readonly string[],
  { onNote, onProgress }: PoolOptions,
): Promise<PoolShelf> {
  const builder = new PoolBuilder(world.stopwatch);
  for await (const { entry, document } of readPool(world, places, onNote)) {
    builder.add(entry, document);
    if (builder.size % batchSize === 0) onProgress?.(builder.size);
  }
  return builder.finish();
}

/** The same over skills that are at hand. */
export function createPoolShelf(
  { stopwatch }: Pick<PoolWorld, "stopwatch">,
  skills: readonly RoutableSkill[],
): PoolShelf {
  const builder = new PoolBuilder(stopwatch);
  for (const { entry, document } of skills.map(pooledSkill)) {
    if (builder.has(entry.id)) throw new AppError("usage.invalid", `two skills have the id ${safeLine(entry.id, 240)}`);
    builder.add(entry, document);
  }
  return builder.finish();
}

class PoolBuilder {
  readonly #clock: Clock;
  readonly #entries = new Map<EntryId, ShelfEntry>();
  readonly #bodies = new Map<EntryId, string>();
  readonly #indexed = new Set<string>();
  readonly #segments: Segment[] = [];
  #waiting: Document[] = [];
  #buildMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(id: EntryId): boolean {
    return this.#entries.has(id);
  }

  add(entry: ShelfEntry, document: Document): void {
    this.#entries.set(entry.id, entry);
    this.#bodies.set(entry.id, document.body);
    if (this.#indexed.has(document.digest)) return;
    this.#indexed.add(document.digest);
    this.#waiting.push(document);
    if (this.#waiting.length === batchSize) this.#index();
  }

  #index(): void {
    const start = this.#clock.now();
    this.#segments.push(buildSegment(this.#waiting));
    this.#buildMs += this.#clock.now() - start;
    this.#waiting = [];
  }

  finish(): PoolShelf {
    if (this.#waiting.length > 0) this.#index();
    const start = this.#clock.now();
    const index = createIndex(this.#segments);
    const buildMs = rounded(this.#buildMs + this.#clock.now() - start, 1);
    const shelf = createShelf({ entries: this.#entries, index, triggers: new Map() });
    const cost = () => ({ buildMs, ...costOf(index, this.#clock) });
    return { shelf, cost, bodyOf: (id) => this.#bodies.get(id) ?? "" };
  }
}

/** What the index takes on a disk, and how long it takes to read it from there. */
function costOf(index: SegmentedIndex, clock: Clock): { loadMs: number; bytes: number } {
  const bytes = Buffer.concat([...encodeIndex(index)]);
  const start = clock.now();
  decodeIndex(bytes);
  return { loadMs: rounded(clock.now() - start, 1), bytes: bytes.length };
}

/** The links that need no model: nothing leaves the machine for a pool. */
export function poolChain({ stopwatch, timer }: { readonly stopwatch: Clock; readonly timer: Timer }): Chain {
  return createChain(Object.values(ownLinks), { clock: stopwatch, timer, thresholds: defaultThresholds });
}

/** A chain over a pool, as `eval routing` measures it. */
export function measuredPool(pool: PoolShelf, chain: Chain): MeasuredRouting {
  const { shelf } = pool;
  return {
    entries: shelf.entries,
    index: { skills: shelf.entries.size, ...pool.cost() },
    route: (query, limit) => chain.route(shelf, query, { limit }),
    wordsFor: (query, entry) => wordsFor(shelf, query, entry),
    bodyOf: (entry) => pool.bodyOf(entry),
  };
}

/** The words of a query that speak for an entry, the rarest first. */
export function wordsFor({ entries, index }: Shelf, query: string, entry: EntryId): readonly string[] {
  const digest = entries.get(entry)?.digest;
  const [found] = index.search(query, { limit: 1, allows: (each) => each === digest });
  return found?.words.map(({ word }) => word) ?? [];
}
