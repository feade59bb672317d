import type { HttpBindings } from "@hono/node-server";
import { requestId } from "../core/ids.ts";
import type { Door, Exchange } from "./door.ts";
import { clientAddress } from "./guard/client-address.ts";
import type { Counter, Histogram } from "./logs/metrics.ts";
import { noSpan } from "./logs/telemetry.ts";

/** Begins one exchange: afterwards its answer carries what every answer does, and its end is written down. */
export type BeginExchange = (ends: HttpBindings) => Exchange;

/** Nginx's word for a client that went away before its answer. */
const clientLeft = 499;
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export function createExchanges(door: Door): BeginExchange {
  const { metrics } = door;
  const labels = ["route", "status"];
  const requests = metrics.counter("skillward_http_requests_total", "Requests that were answered.", labels);
  const durations = metrics.histogram("skillward_http_seconds", "How long answers took.", seconds, ["route"]);
  const running = metrics.gauge("skillward_http_running", "Requests that are being answered.");
  let count = 0;

  return (ends) => {
    running.set(++count);
    const start = door.clock.now();
    const written = ends.incoming.socket.bytesWritten;
    const leaving = createLeaving();
    const exchange = createExchange(door, ends, leaving);
    setCommonHeaders(ends, exchange.id);
    ends.outgoing.once("close", () => {
      running.set(--count);
      if (!ends.outgoing.writableFinished) leaving.leave();
      exchange.leave();
      const out = ends.incoming.socket.bytesWritten - written;
      finish(door, ends, exchange, { ms: door.clock.now() - start, out }, { requests, durations });
    });
    return exchange;
  };
}

interface Leaving {
  readonly isGone: boolean;
  readonly signal: AbortSignal;
  leave(): void;
}

/** A signal is made for those who ask for one: most requests are over before anybody does. */
function createLeaving(): Leaving {
  let controller: AbortController | undefined;
  let isGone = false;
  return {
    get isGone() {
      return isGone;
    },
    get signal() {
      controller ??= new AbortController();
      if (isGone) controller.abort();
      return controller.signal;
    },
    leave() {
      isGone = true;
      controller?.abort();
    },
  };
}

function createExchange(door: Door, { incoming }: HttpBindings, leaving: Leaving): Exchange {
  return {
    id: requestId(incoming.headers["x-request-id"], door.random),
    address: clientAddress(incoming, door.proxies),
    channel: "plain",
    get isGone() {
      return leaving.isGone;
    },
    get signal() {
      return leaving.signal;
    },
    route: "none",
    person: null,
    session: null,
    span: noSpan,
    bytesIn: 0,
    notes: {},
    leave: () => {},
  };
}

/** On Node's own answer, so that no door can leave them out; a door may say something else about caching. */
function setCommonHeaders({ outgoing }: HttpBindings, id: string): void {
  outgoing.setHeader("x-request-id", id);
  outgoing.setHeader("x-content-type-options", "nosniff");
  outgoing.setHeader("referrer-policy", "no-referrer");
  outgoing.setHeader("cache-control", "no-store");
}

function finish(
  door: Door,
  { incoming, outgoing }: HttpBindings,
  exchange: Exchange,
  { ms, out }: { ms: number; out: number },
  { requests, durations }: { requests: Counter; durations: Histogram },
): void {
  const { id, route, person, span, bytesIn, notes, isGone } = exchange;
  const status = isGone && !outgoing.headersSent ? clientLeft : outgoing.statusCode;
  requests.add({ route, status: String(status) });
  durations.observe(ms / 1000, { route });
  span.set("http.response.status_code", status);
  span.end(status >= 500 || isGone ? "error" : "ok");
  const method = incoming.method ?? "";
  const principal = person?.name ?? null;
  door.log.request({ ...notes, request: id, method, route, status, ms, principal, in: bytesIn, out });
}
