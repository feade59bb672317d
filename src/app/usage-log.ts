import type { Finding } from "../base/finding.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { UsageRecord } from "../registry/usage.ts";
import { keepableRecord } from "../registry/usage-batch.ts";
import type { App } from "./app.ts";
import { UsageOutbox } from "./usage-outbox.ts";

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
  #waiting: UsageRecord[] = [];
  #made = 0;
  #isClosed = false;

  constructor(app: Pick<App, "kept" | "world" | "places">, bounds: Partial<UsageBounds> = {}) {
    const { batchRecords, flushMilliseconds, mostRecords } = { ...usual, ...bounds };
    this.#world = app.world;
    this.#outbox = new UsageOutbox(app, mostRecords);
    this.#batchRecords = batchRecords;
    this.#node = app.world.holders.self.replace(/:\d+$/, "");
    this.#ticking = app.world.timer.every(flushMilliseconds, () => {
      this.#cut();
      void this.#outbox.send();
    });
  }

  /** Never waits, never throws: what somebody does with a skill does not fail because it cannot be written down. */
  add(record: UsageRecord): void {
    this.#waiting.push(keepableRecord(record));
    if (this.#waiting.length >= this.#batchRecords || this.#isClosed) this.#cut();
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

  #cut(): void {
    if (this.#waiting.length === 0) return;
    const at = this.#world.clock.now();
    const mark = Buffer.from(this.#world.random.bytes(6)).toString("hex");
    // They sort as they were made, also as names in the spool.
    const id = `${String(at).padStart(15, "0")}-${String(this.#made++).padStart(9, "0")}-${mark}`;
    const records = this.#waiting;
    this.#waiting = [];
    this.#outbox.put({ id, node: this.#node, at, records });
  }
}

/** Writes what waits in the spool of this machine into the store: what was left by a process that is gone. */
export async function replaySpool(app: App): Promise<{ batches: number; findings: readonly Finding[] }> {
  demand(app.person, "administer", app.review.policy);
  const outbox = new UsageOutbox(app, usual.mostRecords);
  await outbox.close();
  return { batches: outbox.sent, findings: outbox.findings };
}
