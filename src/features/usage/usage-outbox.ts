import { createSingleFlight } from "../../core/async.ts";
import { AppError } from "../../core/error.ts";
import type { Finding, Level } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { batchWeight, type NewBatch, recordUsage } from "../../registry/usage/usage.ts";
import type { App } from "../../app/app.ts";
import { Spool } from "./spool.ts";

/**
 * Batches on their way into the store (RV-8). While it is away they wait on the disk; what waits there goes first, in
 * order, when it is back. A batch that is in the store already is not written twice, so that whoever is not sure sends
 * it again. Nothing here rejects: what goes wrong is said in `findings`.
 */
export class UsageOutbox {
  readonly #kept: App["kept"];
  readonly #spool: Spool;
  readonly #mostRecords: number;
  readonly #onKept: (batch: NewBatch) => void;
  readonly #noticed = new Map<string, Finding>();
  readonly #batches: NewBatch[] = [];
  #isAway = false;
  #sent = 0;
  #lost = 0;
  /** Something may lie in the spool: from before, from another process, or put there since it was last empty. */
  #maySpool = true;
  readonly #sending = createSingleFlight();
  #spilling: Promise<void> = Promise.resolve();

  /** `onKept` is told of every batch that is in the store. */
  constructor(
    app: Pick<App, "kept" | "world" | "places">,
    mostRecords: number,
    onKept: (batch: NewBatch) => void = () => {},
  ) {
    this.#kept = app.kept;
    this.#spool = new Spool(app);
    this.#mostRecords = mostRecords;
    this.#onKept = onKept;
  }

  /** How many batches it has written into the store. */
  get sent(): number {
    return this.#sent;
  }

  get findings(): readonly Finding[] {
    return [...this.#noticed.values()];
  }

  put(batch: NewBatch): void {
    this.#batches.push(batch);
    // A store that is away is asked again by the clock, not by every batch.
    if (this.#isAway) void this.#spill(0);
    else void this.send();
    if (this.#held > this.#mostRecords) void this.#spill(this.#mostRecords);
  }

  /** Until all of it is in the store, or on the disk. */
  async flush(): Promise<void> {
    do await this.send();
    while (this.#batches.length > 0 && !this.#isAway);
    await this.#spilling;
  }

  /** What neither the store nor the disk took goes with the process. */
  async close(): Promise<void> {
    await this.flush();
    this.#giveUp(0);
  }

  send(): Promise<void> {
    return this.#sending.run(() => this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    try {
      for (let batch = await this.#next(); batch !== undefined; batch = await this.#next()) await this.#record(batch);
      this.#isAway = false;
      this.#noticed.delete("usage.store-away");
    } catch (error) {
      this.#isAway = true;
      this.#say("usage.store-away", "medium", `usage waits on the disk until the store is back: ${messageOf(error)}`);
      await this.#spill(0);
    }
  }

  /** What was spooled is older than what is held. */
  async #next(): Promise<NewBatch | undefined> {
    do await this.#spilling;
    while (this.#maySpool && (await this.#replay()));
    return this.#batches.shift();
  }

  async #record(batch: NewBatch): Promise<void> {
    try {
      await this.#keep(batch);
    } catch (error) {
      this.#batches.unshift(batch);
      throw error;
    }
  }

  async #keep(batch: NewBatch): Promise<void> {
    await recordUsage(this.#kept, batch);
    this.#sent++;
    this.#onKept(batch);
  }

  /** False when the disk is at fault: what is held need not wait for it. */
  async #replay(): Promise<boolean> {
    this.#maySpool = false;
    try {
      for (const name of (await this.#spool.list()).waiting) await this.#replayOne(name);
      return true;
    } catch (error) {
      this.#maySpool = true;
      if (!(error instanceof AppError) || !ofDisk.has(error.code)) throw error;
      this.#say("usage.spool-failed", "high", `the spool cannot be read: ${messageOf(error)}`);
      return false;
    }
  }

  async #replayOne(name: string): Promise<void> {
    const batch = await this.#spool.load(name);
    if (batch === "gone") return;
    if (batch === "unreadable") {
      const isAside = await this.#spool.setAside(name);
      const what = isAside ? "it was set aside as .bad" : "it is left where it is";
      this.#say(`usage.unreadable ${name}`, "high", `${safeLine(name)} in the spool is not a whole batch; ${what}`);
      return;
    }
    await this.#keep(batch);
    await this.#spool.remove(name);
  }

  get #held(): number {
    return this.#batches.reduce((sum, batch) => sum + batchWeight(batch), 0);
  }

  /** The oldest batches onto the disk, until no more than `keep` records are held. */
  #spill(keep: number): Promise<void> {
    this.#spilling = this.#spillAfter(this.#spilling, keep);
    return this.#spilling;
  }

  async #spillAfter(before: Promise<void>, keep: number): Promise<void> {
    await before;
    while (this.#held > keep) {
      const oldest = this.#batches.shift();
      if (oldest !== undefined && !(await this.#spooled(oldest))) break;
    }
  }

  async #spooled(batch: NewBatch): Promise<boolean> {
    try {
      this.#maySpool = true;
      await this.#spool.write(batch);
      return true;
    } catch (error) {
      this.#batches.unshift(batch);
      this.#say("usage.spool-failed", "high", `usage cannot be kept on the disk: ${messageOf(error)}`);
      this.#giveUp(this.#mostRecords);
      return false;
    }
  }

  /** Memory has an end: what is lost is counted and said. */
  #giveUp(keep: number): void {
    while (this.#held > keep) {
      const { records = [], injections = [] } = this.#batches.shift() ?? {};
      this.#lost += records.length + injections.length;
    }
    if (this.#lost > 0)
      this.#say("usage.lost", "critical", `${this.#lost} uses were not written down: neither store nor disk took them`);
  }

  #say(key: string, level: Level, message: string): void {
    const [code = key] = key.split(" ");
    this.#noticed.set(key, { code, level, message, at: { file: "usage", line: 1 } });
  }
}

const ofDisk: ReadonlySet<string> = new Set(["disk.failed", "path.wrong-kind", "path.missing"]);

function messageOf(error: unknown): string {
  return safeLine(error instanceof Error ? error.message : String(error), 240);
}
