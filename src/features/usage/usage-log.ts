import { LruCache } from "../../core/lru-cache.ts";
import type { Finding } from "../../core/finding.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import { injectionWeight, keepableInjection } from "../../registry/usage/injection.ts";
import { keepableRecord, type UsageRecord } from "../../registry/usage/usage.ts";
import type { App } from "../../app/app.ts";
import { UsageOutbox } from "./usage-outbox.ts";
import type { InjectionRecord } from "../../registry/schema.ts";

/** An injection counts for one record, and one more for all that it lists. */
export interface UsageBounds {
  /** Records of one batch, and so of one audit record. */
  readonly batchRecords: number;
  /** No record waits longer than this to be written. */
  readonly flushMilliseconds: number;
  /** Records held in memory; past it the oldest go to the disk. */
  readonly mostRecords: number;
}

const usual: UsageBounds = { batchRecords: 500, flushMilliseconds: 5000, mostRecords: 20_000 };

/** The usage of one node (RV-8). Whoever uses a skill only says so: it is written down later, by the batch. */
export class UsageLog {
  readonly #world: App["world"];
  readonly #outbox: UsageOutbox;
  readonly #node: string;
  readonly #batchRecords: number;
  readonly #ticking: { stop(): void };
  readonly #unsettled = new WaitingInjections();
  #records: UsageRecord[] = [];
  #injections: InjectionRecord[] = [];
  #weight = 0;
  #made = 0;
  #isClosed = false;

  constructor(app: Pick<App, "kept" | "world" | "places">, bounds: Partial<UsageBounds> = {}) {
    const { batchRecords, flushMilliseconds, mostRecords } = { ...usual, ...bounds };
    this.#world = app.world;
    this.#outbox = new UsageOutbox(app, mostRecords, ({ injections }) => this.#unsettled.settle(injections));
    this.#batchRecords = batchRecords;
    this.#node = app.world.holders.self.replace(/:\d+$/, "");
    this.#ticking = app.world.timer.every(flushMilliseconds, () => {
      this.#cut();
      void this.#outbox.send();
    });
  }

  /** Never waits, never throws: what somebody does with a skill does not fail because it cannot be written down. */
  add(record: UsageRecord): void {
    this.#records.push(keepableRecord(record));
    this.#weigh(1);
  }

  /** What a request was given (CO-7). The same holds. */
  addInjection(record: InjectionRecord): void {
    const injection = keepableInjection(record);
    this.#unsettled.add(injection);
    this.#injections.push(injection);
    this.#weigh(injectionWeight(injection));
  }

  /** One that this process was told of and that is not in the store yet; whoever finds none here asks the store (CO-16). */
  find(injection: string): InjectionRecord | undefined {
    return this.#unsettled.find(injection);
  }

  /** Afterwards all that was added is in the store, or on the disk. */
  async flush(): Promise<void> {
    this.#cut();
    await this.#outbox.flush();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ticking.stop();
    this.#cut();
    await this.#outbox.close();
  }

  get findings(): readonly Finding[] {
    return this.#outbox.findings;
  }

  #weigh(more: number): void {
    this.#weight += more;
    if (this.#weight >= this.#batchRecords || this.#isClosed) this.#cut();
  }

  #cut(): void {
    if (this.#weight === 0) return;
    const at = this.#world.clock.now();
    const mark = Buffer.from(this.#world.random.bytes(6)).toString("hex");
    // They sort as they were made, also as names in the spool.
    const id = `${String(at).padStart(15, "0")}-${String(this.#made++).padStart(9, "0")}-${mark}`;
    const [records, injections] = [this.#records, this.#injections];
    [this.#records, this.#injections, this.#weight] = [[], [], 0];
    this.#outbox.put({ id, node: this.#node, at, records, injections });
  }
}

/** Writes what waits in the spool of this machine into the store: what was left by a process that is gone. */
export async function replaySpool(app: App): Promise<{ batches: number; findings: readonly Finding[] }> {
  requireRight(app, "administer");
  const outbox = new UsageOutbox(app, usual.mostRecords);
  await outbox.close();
  return { batches: outbox.sent, findings: outbox.findings };
}

/** The last injections of this process that are not in the store yet, wherever else they wait. */
export class WaitingInjections {
  /** Memory has an end, also while the store is away. The weight is what they list together. */
  readonly #byId = new LruCache<InjectionRecord>({ entries: 10_000, weight: 100_000, weightOf: injectionWeight });

  add(injection: InjectionRecord): void {
    this.#byId.set(injection.id, injection);
  }

  find(id: string): InjectionRecord | undefined {
    return this.#byId.peek(id);
  }

  /** They are in the store: from now on that is where they are looked for. */
  settle(injections: readonly InjectionRecord[]): void {
    for (const { id } of injections) this.#byId.delete(id);
  }
}
