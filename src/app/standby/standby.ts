import { createSingleFlight } from "../../core/async.ts";
import { AppError } from "../../core/error.ts";
import type { Look } from "../../registry/registry.ts";
import type { App } from "../app.ts";
import {
  another,
  askPulse,
  behind,
  mayBeAway,
  type Absence,
  type StandbyEvents,
  type StoreStanding,
  there,
} from "./standing.ts";
import type { Reserve, ServingReads } from "./reserve.ts";
import { isUpTo, ReserveKeeper } from "./reserve-keeper.ts";
import { survivingApp } from "./surviving-app.ts";

/** A running node, with or without something to fall back on. */
export interface StandingBy {
  /** The app as it is while the store comes and goes. */
  readonly app: App;
  readonly standing: StoreStanding;
  stop(): Promise<void>;
}

/** A file is never away: with SQLite there is nothing to stand by for. */
export function startStandby(app: App, events: StandbyEvents): StandingBy {
  if (app.storePlace.engine === "postgres") return new Standby(app, events);
  return { app, standing: there, stop: async () => {} };
}

interface Away {
  readonly since: number;
  readonly fault: AppError;
  /** Whether what was under way when it went was given up. */
  readonly isOver: boolean;
}

/** Milliseconds. So often it is asked whether it is there, and the one that it was. */
const turn = 500;
/** So long a change that was under way may still be answered. */
const lastWord = 10_000;

/**
 * What a node serves from when it loses its store (SV-7): the rows of the latest generation that it has seen, and their
 * bodies on its own disk, for `degraded.max-age` from the last answer on. The store is the one truth: as long as it
 * answers it is asked, and the pulse alone decides whether it does. A node never goes back: neither to a reserve that is
 * behind what it has seen, nor to a store that is.
 */
class Standby implements StandingBy {
  readonly app: App;
  readonly #opened: App;
  readonly #events: StandbyEvents;
  readonly #keeper: ReserveKeeper;
  readonly #turning: { stop(): void };
  #away: Away | null = null;
  /** The newest generation that the store has spoken of. */
  #seen = -1;
  /** When it last answered, whatever it was asked. */
  #contact: number;
  /** When the pulse was last asked: an answer says nothing of whose it is (T19). */
  #pulsed: number;
  #failures = 0;
  readonly #asking = createSingleFlight();

  constructor(opened: App, events: StandbyEvents) {
    this.#opened = opened;
    this.#events = events;
    this.#pulsed = this.#contact = opened.world.stopwatch.now();
    this.#keeper = new ReserveKeeper(opened, { isThere: () => this.#isThere(), onFailure: events.onFailure });
    this.app = survivingApp(opened, { reads: this.#reads(), look: () => this.#look(), fault: () => this.#away?.fault });
    this.#turning = opened.world.timer.every(turn, () => this.#turn());
    void this.#isThere();
  }

  get standing(): StoreStanding {
    const { reserve, missingBodies } = this.#keeper;
    return {
      away: this.#away && {
        since: this.#away.since,
        seconds: this.#age / 1000,
        mostSeconds: this.#mostAge / 1000,
        why: absenceOf(this.#away.fault),
      },
      failures: this.#failures,
      reserve: reserve && { generation: reserve.look.snapshot.generation, missingBodies },
    };
  }

  async stop(): Promise<void> {
    this.#turning.stop();
    await Promise.all([this.#asking.underWay, this.#keeper.stop()]);
  }

  #reads(): ServingReads {
    const { read } = this.#opened.kept;
    const from = <Answer>(reserve: () => Reserve, ask: (port: ServingReads) => Promise<Answer>) =>
      this.#ask(
        () => ask(read),
        async () => ask(reserve().reads),
      );
    const serving = <Answer>(ask: (port: ServingReads) => Promise<Answer>) => from(() => this.#demandFresh(), ask);
    // Who asks is known for longer than anything is given out: the figures that say so are for those with a key.
    const always = <Answer>(ask: (port: ServingReads) => Promise<Answer>) => from(() => this.#demandReserve(), ask);
    return {
      generation: () =>
        this.#ask(
          () => this.#believed(() => read.generation(), Number),
          async () => this.#demandReserve().reads.generation(),
        ),
      findKey: (id) => always((port) => port.findKey(id)),
      findUser: (name) => always((port) => port.findUser(name)),
      auditHead: () => always((port) => port.auditHead()),
      findLlmRecord: (kind, id) => serving((port) => port.findLlmRecord(kind, id)),
      listLlmRecords: (kind) => serving((port) => port.listLlmRecords(kind)),
      listAttached: (target) => serving((port) => port.listAttached(target)),
      listTriggers: () => serving((port) => port.listTriggers()),
      findRevisions: (digests) => serving((port) => port.findRevisions(digests)),
      findBlobs: (digests) => serving((port) => port.findBlobs(digests)),
      ledgerOfAll: (subjects) => serving((port) => port.ledgerOfAll(subjects)),
    };
  }

  #look(): Promise<Look> {
    const { registry } = this.#opened;
    return this.#ask(
      () => this.#believed(() => registry.look(), generationOf),
      async () => this.#demandFresh().look,
    );
  }

  /** The store's answer; once more when only a connection was cut; else the reserve's. */
  async #ask<Answer>(ofStore: () => Promise<Answer>, ofReserve: () => Promise<Answer>): Promise<Answer> {
    if (this.#away !== null) return ofReserve();
    try {
      return this.#answered(await ofStore());
    } catch (error) {
      if (!mayBeAway(error)) throw error;
      this.#count(error);
    }
    return (await this.#isThere()) ? this.#answered(await ofStore()) : ofReserve();
  }

  #answered<Answer>(answer: Answer): Answer {
    this.#contact = this.#now();
    return answer;
  }

  /** Nothing older than what was seen is believed, and something newer once it is known whose it is. */
  async #believed<Answer>(ask: () => Promise<Answer>, numberOf: (answer: Answer) => number): Promise<Answer> {
    const seen = this.#seen;
    const answer = await ask();
    const generation = numberOf(answer);
    const isBelieved = generation >= seen && (generation <= this.#seen || (await this.#isThere()));
    if (!isBelieved) throw behind(generation, seen);
    return answer;
  }

  /** Now: an answer that was on its way before is of before. */
  async #isThere(): Promise<boolean> {
    await this.#asking.underWay;
    await this.#asking.run(() => this.#askPulse());
    return this.#away === null;
  }

  async #askPulse(): Promise<void> {
    this.#pulsed = this.#now();
    try {
      this.#seen = this.#answered(await this.#pulse());
      this.#return();
    } catch (error) {
      this.#leave(error instanceof AppError ? error : another(error));
    }
  }

  /** Asked once more before it is called away: one answer can be lost, or wait too long in a process that was busy. */
  async #pulse(): Promise<number> {
    if (this.#away !== null) return this.#askOnce();
    try {
      return await this.#askOnce();
    } catch (error) {
      if (!isSilent(error)) throw error;
    }
    return this.#askOnce();
  }

  async #askOnce(): Promise<number> {
    try {
      return await askPulse(this.#opened, { seen: this.#seen, head: this.#keeper.reserve?.head });
    } catch (error) {
      this.#count(error);
      throw error;
    }
  }

  /** SV-8: every time that it did not answer, also while that is known. */
  #count(error: unknown): void {
    if (isSilent(error)) this.#failures++;
  }

  #leave(fault: AppError): void {
    const before = this.#away;
    this.#away = { since: this.#opened.world.clock.now(), isOver: false, ...before, fault };
    // Whoever waits for an answer gets one of the reserve.
    if (before === null) this.#opened.hangUp("reads");
    if (before?.fault.code !== fault.code) this.#events.onAway(fault);
  }

  #return(): void {
    const away = this.#away;
    this.#away = null;
    if (away !== null) this.#events.onBack((this.#opened.world.clock.now() - away.since) / 1000);
    this.#keeper.keep(this.#seen);
  }

  #turn(): void {
    if (this.#asking.underWay === undefined && (this.#away !== null || this.#now() - this.#pulsed >= turn))
      void this.#isThere();
    if (this.#away === null || this.#away.isOver || this.#age < lastWord) return;
    // At the other end nobody knows of it any more, and those behind it would wait for it.
    this.#away = { ...this.#away, isOver: true };
    this.#opened.hangUp("all");
  }

  #now(): number {
    return this.#opened.world.stopwatch.now();
  }

  get #age(): number {
    return this.#now() - this.#contact;
  }

  get #mostAge(): number {
    return this.#opened.config.degraded.maxAgeSeconds * 1000;
  }

  #demandReserve(): Reserve {
    const { reserve } = this.#keeper;
    if (isUpTo(reserve, this.#seen)) return reserve;
    throw this.#away?.fault ?? behind(-1, this.#seen);
  }

  #demandFresh(): Reserve {
    if (this.#age <= this.#mostAge) return this.#demandReserve();
    const what = "the store has been away for longer than degraded.max-age; nothing is given out until it is back";
    throw new AppError("store.failed", what);
  }
}

function isSilent(error: unknown): boolean {
  return error instanceof AppError && error.code === "store.failed";
}

function absenceOf({ code }: AppError): Absence {
  if (code === "store.failed") return "silent";
  return code === "keys.unusable" ? "rotated" : "another";
}

function generationOf({ snapshot }: Look): number {
  return snapshot.generation;
}
