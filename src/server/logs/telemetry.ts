import { createSingleFlight } from "../../core/async.ts";
import { safeLine } from "../../core/text.ts";
import type { Transport } from "../../core/transport.ts";
import type { Clock, Randomness, Timer } from "../../core/world.ts";

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
  readonly #sending = createSingleFlight();

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
    return this.#sending.run(() => this.#sendAll());
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

type SpanValue = string | number | boolean;

/** A span that is over. */
interface EndedSpan {
  readonly name: string;
  readonly context: TraceContext;
  /** The id of the span above it. */
  readonly parent: string | null;
  readonly start: number;
  readonly end: number;
  readonly status: "ok" | "error";
  readonly attributes: ReadonlyMap<string, SpanValue>;
}

const serverKind = 2;
const statusCodes = { ok: 1, error: 2 };

/** OTLP over HTTP in JSON: one resource, one scope. */
function renderSpans(spans: readonly EndedSpan[]): string {
  const resource = { attributes: [attribute("service.name", "skillward")] };
  const scopeSpans = [{ scope: { name: "skillward" }, spans: spans.map(shownSpan) }];
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] });
}

function shownSpan({ name, context, parent, start, end, status, attributes }: EndedSpan): object {
  return {
    traceId: context.trace,
    spanId: context.span,
    ...(parent === null ? {} : { parentSpanId: parent }),
    name,
    kind: serverKind,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: [...attributes].map(([key, value]) => attribute(key, value)),
    status: { code: statusCodes[status] },
  };
}

/** As text: the number is beyond what JSON carries exactly. */
function nanoseconds(milliseconds: number): string {
  return (BigInt(Math.trunc(milliseconds)) * 1_000_000n).toString();
}

function attribute(key: string, value: SpanValue): object {
  if (typeof value === "boolean") return { key, value: { boolValue: value } };
  if (typeof value === "string") return { key, value: { stringValue: safeLine(value, 200) } };
  return { key, value: Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
}

/** Where a span stands, as `traceparent` says it (W3C Trace Context). */
export interface TraceContext {
  readonly trace: string;
  readonly span: string;
  /** Whether anybody wants to keep it. */
  readonly sampled: boolean;
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const nothing = /^0+$/;

/** Undefined for anything that is not one: then a new trace begins. */
export function parseTraceparent(header: string | readonly string[] | undefined): TraceContext | undefined {
  const [, trace, span, flags] = form.exec(typeof header === "string" ? header : "") ?? [];
  if (trace === undefined || span === undefined || flags === undefined) return undefined;
  if (nothing.test(trace) || nothing.test(span)) return undefined;
  return { trace, span, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

function renderTraceparent({ trace, span, sampled }: TraceContext): string {
  return `00-${trace}-${span}-${sampled ? "01" : "00"}`;
}

/** A span below another one, or the first of a new trace. */
function nextContext(parent: TraceContext | undefined, random: Randomness): TraceContext {
  const hex = (bytes: number) => Buffer.from(random.bytes(bytes)).toString("hex");
  return { trace: parent?.trace ?? hex(16), span: hex(8), sampled: parent?.sampled ?? true };
}
