import { createServer, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Hono } from "hono";
import { atMost } from "../core/async.ts";
import { withDefaults } from "../core/limits.ts";
import type { Transport } from "../core/transport.ts";
import type { Clock, Randomness, Timer } from "../core/world.ts";
import type { AccountPolicy } from "../registry/accounts/roles.ts";
import { type Door, passwordAlone, type Served, type SignInWays, type Wire } from "./door.ts";
import { type ServerBounds, serverBounds } from "./guard/bounds.ts";
import { boundConnections, Unread } from "./guard/connections.ts";
import { createHosts } from "./guard/hosts.ts";
import { type Api, httpRoutes } from "./http/api.ts";
import { createListener, listen, type Listener, malformed, namesOf, urlOf } from "./listener.ts";
import { LoginThrottle } from "./login-throttle.ts";
import { createLog, type LogStream } from "./logs/log.ts";
import { Metrics } from "./logs/metrics.ts";
import { createTracer, noTracer } from "./logs/telemetry.ts";
import { createFront } from "./problem.ts";
import { RequestLimits } from "./request-limits.ts";

export interface ServerOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** More names that the server answers to, as `name` or `name:port` (T36). */
  readonly names: readonly string[];
  /** Reverse proxies whose `x-forwarded-for` is believed, in their canonical form. */
  readonly proxies?: readonly string[];
  readonly serving: Served & Api;
  readonly world: { readonly clock: Clock; readonly random: Randomness; readonly timer: Timer };
  readonly policy: AccountPolicy;
  /** Without them, with a password alone. */
  readonly ways?: SignInWays;
  readonly log: LogStream;
  /** Null: no spans are kept (SV-8). */
  readonly telemetry: { readonly endpoint: string; readonly transport: Transport } | null;
  readonly bounds?: Partial<ServerBounds>;
  /** What is mounted beside the JSON API. */
  readonly doors: readonly ((door: Door) => Hono<Wire>)[];
}

export interface RunningServer {
  readonly metrics: Metrics;
  readonly url: string;
  readonly port: number;
  /** Takes nothing new, lets what runs end within a bound, then cuts it off. */
  stop(): Promise<void>;
}

/** SV-1: everything on one port. Fails with `usage.invalid` when it cannot listen there. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const bounds = withDefaults(serverBounds, options.bounds);
  const stopping = new AbortController();
  const door = createDoor(options, bounds, stopping.signal);
  const front = createFront(door, [httpRoutes(door, options.serving), ...options.doors.map((mount) => mount(door))]);
  const server = createBoundedServer(bounds, door);
  const port = await listen(server, options.host, options.port);
  const hosts = createHosts(options.names, port, namesOf(options.host));
  const listener = createListener(door, hosts, front, () => stopping.signal.aborted);
  const unasked = unaskedOf(server);
  server.on("request", listener.take);
  refuseMalformed(server, door);
  // A connection that could not be taken, such as for want of descriptors, is no reason to end.
  server.on("error", (error) => door.log.failure("none", error));
  const stop = () => {
    stopping.abort();
    return stopServer(server, { listener, unasked, door, graceMs: bounds.graceMs });
  };
  return { url: urlOf(options.host, port), port, metrics: door.metrics, stop: once(stop) };
}

function createDoor(
  { serving, world, policy, ways = passwordAlone, proxies = [], log, telemetry }: ServerOptions,
  bounds: ServerBounds,
  stopping: AbortSignal,
): Door {
  const metrics = new Metrics();
  const lost = metrics.counter("skillward_spans_dropped_total", "Spans that were given up.");
  const dropped = (spans: number) => lost.add({}, spans);
  return {
    ...world,
    served: serving,
    policy,
    ways,
    proxies,
    requestLimits: new RequestLimits(world.clock, bounds),
    loginThrottle: new LoginThrottle(world.clock, bounds),
    unread: new Unread(bounds.unreadBytes),
    log: createLog(log, world.clock),
    metrics,
    tracer: telemetry === null ? noTracer : createTracer({ ...telemetry, ...world, dropped }),
    bodyBytes: bounds.bodyBytes,
    stopping,
  };
}

/** T41: slow, endless and oversized requests are Node's to end; these are its bounds, and those of what is answered. */
function createBoundedServer(bounds: ServerBounds, { proxies }: Door): Server {
  const server = createServer({
    maxHeaderSize: bounds.headerBytes,
    headersTimeout: bounds.headersMs,
    requestTimeout: bounds.requestMs,
    connectionsCheckingInterval: bounds.checkMs,
    keepAliveTimeout: bounds.idleMs,
    // A missing name is refused as a wrong one is, in the same words.
    requireHostHeader: false,
    // A client that vanished without a word is noticed also on a stream on which nothing is said.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  });
  boundConnections(server, bounds, proxies);
  return server;
}

/** What is no request at all has no exchange; it is answered and the connection ends. */
function refuseMalformed(server: Server, { metrics }: Door): void {
  const count = metrics.counter("skillward_http_malformed_total", "What was no request, or came too slowly.", [
    "status",
  ]);
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (incoming, outgoing) => void answers.set(incoming.socket, outgoing));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const { status, text } = malformed(error.code);
    count.add({ status: String(status) });
    // In the middle of another answer these bytes would be part of it.
    const isAnswering = answers.get(socket)?.headersSent === true && answers.get(socket)?.writableEnded === false;
    if (!socket.writable || isAnswering) socket.destroy();
    else socket.end(text, () => void socket.destroy());
  });
}

/** Node takes a connection on which nothing was asked yet for a busy one: it would hold a stop up. */
function unaskedOf(server: Server): ReadonlySet<Duplex> {
  const unasked = new Set<Duplex>();
  server.on("connection", (socket) => {
    unasked.add(socket);
    socket.once("close", () => unasked.delete(socket));
  });
  server.on("request", ({ socket }) => void unasked.delete(socket));
  return unasked;
}

interface Stopping {
  readonly listener: Listener;
  readonly unasked: ReadonlySet<Duplex>;
  readonly door: Door;
  readonly graceMs: number;
}

async function stopServer(server: Server, { listener, unasked, door, graceMs }: Stopping): Promise<void> {
  const { timer, tracer } = door;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of unasked) socket.destroy();
  // A connection whose last answer has ended waits for nothing any more.
  void listener.settled().then(() => server.closeIdleConnections());
  const cut = timer.every(graceMs, () => server.closeAllConnections());
  await closed;
  cut.stop();
  // What was cut off is told by its signal; should it not listen, nobody waits for it forever.
  const shortly = graceMs / 10;
  await atMost(timer, shortly, listener.settled());
  await atMost(timer, shortly, tracer.stop());
}

function once<Result>(act: () => Result): () => Result {
  let done: { result: Result } | undefined;
  return () => {
    done ??= { result: act() };
    return done.result;
  };
}
