import { sha256 } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Randomness } from "../../core/world.ts";
import { type Due, isDue, type Reader } from "../../registry/audit/audit.ts";
import type { App } from "../../app/app.ts";
import { type LazyTransport, openSmallWay } from "../../app/transports.ts";
import { findNews, linesOf, readTouched, renderMessage, signedRequest } from "./webhook-message.ts";

const lookEvery = 2_000;
/** Longer than any one request may take: whoever holds it for longer is not there any more. */
const leaseFor = 60_000;
/** So many records of the chain one message is about at most; and after so many without news the place is written down. */
const mostRecords = 10_000;
const name = "webhook";

/** What a webhook tells of, for the log of the server. */
export interface WebhookEvents {
  readonly onDelivered: (delivered: { id: string; entries: number; attempts: number }) => void;
  /** `waits`: milliseconds until the next try. */
  readonly onFailure: (error: unknown, failed: { id: string; attempts: number; waits: number }) => void;
  /** Nothing is told for now: the store is away, or there is no secret. Told once until that is over. */
  readonly onIdle: (error: unknown) => void;
}

export interface Webhook {
  /** Tells nobody anything more. What was under way is told again by whoever runs next. */
  stop(): Promise<void>;
}

/** Tells `webhook.url` what came to need review (SV-11): signed, at least once, by one node at a time. Holds nothing up. */
export function startWebhook(app: App, events: WebhookEvents): Webhook {
  const { url } = app.config.webhook;
  const { webhook: secret } = app.secrets;
  if (url === null) return { stop: async () => {} };
  if (secret === null) {
    const what = "webhook.url is set, and SKILLWARD_WEBHOOK_SECRET is not: nobody is told anything";
    events.onIdle(new AppError("config.invalid", what));
    return { stop: async () => {} };
  }
  return new RunningWebhook(app, events, { url, secret });
}

class RunningWebhook implements Webhook {
  readonly #app: App;
  readonly #events: WebhookEvents;
  readonly #receiver: { readonly url: string; readonly secret: string };
  readonly #way: LazyTransport;
  readonly #looking: { stop(): void };
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isIdle = false;
  /** Up to this record there is no news, as this node has seen: it need not be read again. */
  #quietUpTo = 0;

  constructor(app: App, events: WebhookEvents, receiver: { url: string; secret: string }) {
    this.#app = app;
    this.#events = events;
    this.#receiver = receiver;
    this.#way = openSmallWay(app.config, app.world.timer, receiver.url);
    this.#looking = app.world.timer.every(lookEvery, () => this.#look());
    this.#look();
  }

  async stop(): Promise<void> {
    this.#looking.stop();
    this.#stopping.abort(new Error("the server was stopped"));
    await this.#running;
    await this.#way.close();
  }

  #look(): void {
    if (this.#running !== undefined || this.#stopping.signal.aborted) return;
    this.#running = this.#work().finally(() => (this.#running = undefined));
  }

  async #work(): Promise<void> {
    try {
      while (!this.#stopping.signal.aborted && (await this.#tellSome()));
      this.#isIdle = false;
    } catch (error) {
      if (!this.#isIdle && !this.#stopping.signal.aborted) this.#events.onIdle(error);
      this.#isIdle = true;
    }
  }

  /** False: there is nothing to do now. */
  async #tellSome(): Promise<boolean> {
    const { kept, world } = this.#app;
    const reader = (await kept.read.findReader(name)) ?? (await this.#begin());
    if (!isDue(reader, dueAt(world.clock.now())) || !(await this.#hasToGoOn(reader))) return false;
    const claimed = await this.#claim();
    if (claimed === undefined) return false;
    await this.#tell(claimed);
    return true;
  }

  /** The first time it begins where the chain ends: nobody is told of what was before. */
  #begin(): Promise<Reader> {
    return this.#app.kept.transaction(async (port) => {
      const { seq } = await port.auditHead();
      const reader = (await port.findReader(name)) ?? { name, seq, dueAt: 0, attempts: 0, note: "" };
      await port.putReader(reader);
      return reader;
    });
  }

  async #hasToGoOn({ seq, note }: Reader): Promise<boolean> {
    if (notedEnd(note, seq) !== undefined) return true;
    const { quietUpTo, isNews } = await findNews(this.#app.kept.read, Math.max(seq, this.#quietUpTo));
    this.#quietUpTo = quietUpTo;
    return isNews || quietUpTo - seq >= mostRecords;
  }

  /** The row is the job: whoever writes its next time does it. With it stands up to where this one message goes. */
  #claim(): Promise<Claimed | undefined> {
    const { kept, world } = this.#app;
    const now = world.clock.now();
    return kept.transaction(async (port) => {
      const reader = await port.claimReader(name, dueAt(now), now + leaseFor);
      if (reader === undefined) return undefined;
      const { seq: head } = await port.auditHead();
      const upTo = notedEnd(reader.note, reader.seq) ?? Math.min(head, reader.seq + mostRecords);
      const claimed = { ...reader, note: String(upTo) };
      await port.putReader(claimed);
      return { reader: claimed, upTo };
    });
  }

  async #tell({ reader, upTo }: Claimed): Promise<void> {
    const { kept, registry, config } = this.#app;
    const touched = await readTouched(kept.read, reader.seq, upTo);
    const lines = linesOf(await registry.look(), touched);
    const done = { ...reader, seq: upTo, dueAt: 0, attempts: 0, note: "" };
    if (lines.length === 0) return this.#settle(reader, done);
    const id = messageId(kept.store, reader.seq, upTo);
    const { publicUrl } = config.serve;
    try {
      await this.#send(id, renderMessage({ id, at: touched.at, lines, publicUrl }));
    } catch (error) {
      return this.#failed(reader, id, error);
    }
    await this.#settle(reader, done);
    this.#events.onDelivered({ id, entries: lines.length, attempts: reader.attempts + 1 });
  }

  async #send(id: string, body: string): Promise<void> {
    const { signal } = this.#stopping;
    const transport = await this.#way.get();
    const request = signedRequest(this.#receiver, { id, body, now: this.#app.world.clock.now() });
    const { status, body: answer } = await transport.send({ ...request, signal });
    answer.destroy();
    if (status < 200 || status > 299)
      throw new AppError("upstream.invalid", `the receiver of the webhook answered with status ${status}`);
  }

  /** Whoever was stopped has not failed: the next one goes on at once. */
  async #failed(reader: Reader, id: string, error: unknown): Promise<void> {
    const { world } = this.#app;
    if (this.#stopping.signal.aborted) return this.#settle(reader, { ...reader, dueAt: 0 });
    const attempts = reader.attempts + 1;
    const waits = backOff(attempts, world.random);
    await this.#settle(reader, { ...reader, attempts, dueAt: world.clock.now() + waits });
    this.#events.onFailure(error, { id, attempts, waits });
  }

  /** Unless this node took so long that another one is at it: then what that one writes counts. */
  async #settle(claimed: Reader, next: Reader): Promise<void> {
    await this.#app.kept.transaction(async (port) => {
      const reader = await port.findReader(name);
      if (reader?.dueAt === claimed.dueAt && reader.seq === claimed.seq) await port.putReader(next);
    });
  }
}

interface Claimed {
  readonly reader: Reader;
  /** The last record that the message is about. */
  readonly upTo: number;
}

/** Up to where a message goes that was begun and is not delivered. What is no such number was written by hand. */
function notedEnd(note: string, seq: number): number | undefined {
  const upTo = /^\d{1,15}$/.test(note) ? Number(note) : 0;
  return upTo > seq && upTo <= seq + mostRecords ? upTo : undefined;
}

/** It follows from what the message is about: whoever tries again, on whatever node, says the same one. */
function messageId(store: string, after: number, upTo: number): string {
  return `msg_${sha256(Buffer.from(`webhook ${store} ${after} ${upTo}`)).slice(0, 32)}`;
}

const [shortestWait, longestWait] = [1_000, 3_600_000];

function dueAt(now: number): Due {
  return { now, latest: now + longestWait + leaseFor };
}

/** Twice as long each time; somewhere in the upper half of it, so that not all who failed together come back together. */
function backOff(attempts: number, random: Randomness): number {
  const share = Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
  const full = Math.min(longestWait, shortestWait * 2 ** Math.min(attempts, 12));
  return Math.round(full * (0.5 + share / 2));
}
