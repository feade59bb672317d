import type { Transport } from "../base/transport.ts";
import type { Clock, Randomness, Timer } from "../base/world.ts";
import { type EndedSpan, renderSpans, type SpanValue } from "./otlp.ts";
import { nextContext, parseTraceparent, renderTraceparent, type TraceContext } from "./traceparent.ts";

/** One step of a request. Nothing of a prompt and no secret belongs into it (SV-8). */
export interface Span {
  /** For the next one down the line; null when there is nothing to hand on. */
  readonly traceparent: string | null;
  set(key: string, value: SpanValue): void;
  /** Once; what is set afterwards is lost. */
  end(status: "ok" | "error"): void;
}

export interface Tracer {
  /** `parent`: a span of ours, or a `traceparent` header as it came. */
  start(name: string, parent?: Span | string | readonly string[]): Span;
  /** Sends what is left. Never fails. */
  stop(): Promise<void>;
}

/** What is not traced. */
export const noSpan: Span = { traceparent: null, set() {}, end() {} };

/** Hands a client's trace on and keeps nothing: what is used when no endpoint is set. */
export const noTracer: Tracer = {
  start: (_name, parent) => passedOn(contextOf(parent)),
  stop: async () => {},
};

function passedOn(context: TraceContext | undefined): Span {
  return context === undefined ? noSpan : { ...noSpan, traceparent: renderTraceparent(context) };
}

export interface TelemetryOptions {
  /** An OTLP/HTTP collector; `/v1/traces` is added. */
  readonly endpoint: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Randomness;
  /** Told how many spans were given up: the queue is bounded, and a collector can be away. */
  readonly dropped: (spans: number) => void;
}

const mostWaiting = 2048;
const mostInOne = 512;
const everyMilliseconds = 5000;
const mostAttributes = 32;

/** Spans go out in batches, one request at a time. No request of a client ever waits for it. */
export function createTracer(options: TelemetryOptions): Tracer {
  const outbox = new Outbox(options);
  const ticking = options.timer.every(everyMilliseconds, () => void outbox.flush());
  return {
    start(name, parent) {
      const above = contextOf(parent);
      const context = nextContext(above, options.random);
      return context.sampled ? recorded(name, context, above, options.clock, outbox) : passedOn(context);
    },
    async stop() {
      ticking.stop();
      await outbox.flush();
    },
  };
}

function contextOf(parent: Span | string | readonly string[] | undefined): TraceContext | undefined {
  const isSpan = typeof parent === "object" && "traceparent" in parent;
  return parseTraceparent(isSpan ? (parent.traceparent ?? undefined) : parent);
}

function recorded(
  name: string,
  context: TraceContext,
  above: TraceContext | undefined,
  clock: Clock,
  outbox: Outbox,
): Span {
  const attributes = new Map<string, SpanValue>();
  const start = clock.now();
  let isOver = false;
  return {
    traceparent: renderTraceparent(context),
    set(key, value) {
      if (attributes.size < mostAttributes || attributes.has(key)) attributes.set(key, value);
    },
    end(status) {
      if (isOver) return;
      isOver = true;
      outbox.add({ name, context, parent: above?.span ?? null, start, end: clock.now(), status, attributes });
    },
  };
}

class Outbox {
  readonly #options: TelemetryOptions;
  #waiting: EndedSpan[] = [];
  #sending: Promise<void> | undefined;

  constructor(options: TelemetryOptions) {
    this.#options = options;
  }

  add(span: EndedSpan): void {
    if (this.#waiting.length >= mostWaiting) return this.#options.dropped(1);
    this.#waiting.push(span);
    if (this.#waiting.length >= mostInOne) void this.flush();
  }

  /** Everything that waits now; a call while one is under way joins it. */
  flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, mostInOne);
      this.#waiting = this.#waiting.slice(mostInOne);
      if (!(await this.#isTaken(batch))) this.#options.dropped(batch.length);
    }
  }

  async #isTaken(batch: readonly EndedSpan[]): Promise<boolean> {
    const { endpoint, transport } = this.#options;
    try {
      const answer = await transport.send({
        method: "POST",
        url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
        headers: { "content-type": "application/json" },
        body: Buffer.from(renderSpans(batch)),
      });
      answer.body.destroy();
      return answer.status >= 200 && answer.status < 300;
    } catch {
      // A collector that is away is counted, and is no reason to stop answering.
      return false;
    }
  }
}
