import type { Socket } from "node:net";
import { Client } from "undici";
import { AppError } from "../core/error.ts";
import { createConnector, type GuardOptions } from "./guard.ts";
import type { TransportLimits } from "./limits.ts";

/** How many unused connections are kept for one origin. */
const mostIdle = 256;

/**
 * Connections, one request at a time on each, kept for the next one while they last. A connection belongs to its
 * request, so that ending the request ends the connection, also one that is still being made.
 */
export class Connections {
  readonly #idle = new Map<string, Set<Connection>>();
  readonly #all = new Set<Connection>();
  readonly #guard: GuardOptions;
  readonly #limits: TransportLimits;
  #isClosed = false;

  constructor(guard: GuardOptions, limits: TransportLimits) {
    this.#guard = guard;
    this.#limits = limits;
  }

  take(origin: string): Connection {
    if (this.#isClosed) throw new AppError("upstream.unreachable", "the request was not sent: Skillward is stopping");
    // The one that was used last: the others may grow old.
    const connection = [...(this.#idle.get(origin) ?? [])].at(-1) ?? this.#open(origin);
    this.#idle.get(origin)?.delete(connection);
    return connection;
  }

  /** Only after the whole of an answer came. */
  giveBack(connection: Connection): void {
    const idle = this.#idle.get(connection.origin) ?? new Set();
    if (connection.isOver || idle.size >= mostIdle) void connection.close();
    else this.#idle.set(connection.origin, idle.add(connection));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((connection) => connection.close()));
  }

  #open(origin: string): Connection {
    const connection = new Connection(origin, this.#guard, this.#limits);
    this.#all.add(connection);
    connection.client.on("disconnect", () => {
      // One that was just taken goes on: its request has not left, and the client connects once more.
      if (this.#idle.get(origin)?.has(connection)) void connection.close();
    });
    connection.closed.addEventListener("abort", () => this.#forget(connection));
    return connection;
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    const idle = this.#idle.get(connection.origin);
    idle?.delete(connection);
    if (idle?.size === 0) this.#idle.delete(connection.origin);
  }
}

/** What a connection asks of who reads from it. */
interface Reading {
  /** Whether it has enough for now. */
  readonly isPaused: boolean;
  /** From now on it takes whatever comes. */
  goOn(): void;
}

/** One connection to an origin, for one request after the other. */
export class Connection {
  readonly origin: string;
  readonly client: Client;
  readonly #closing = new AbortController();
  #socket: Socket | undefined;
  #reading: Reading | undefined;

  constructor(origin: string, guard: GuardOptions, limits: TransportLimits) {
    this.origin = origin;
    const connect = createConnector(guard, this.closed);
    this.client = new Client(origin, {
      connect: (options, callback) =>
        connect(options, (...result) => {
          this.#socket = result[1] ?? undefined;
          if (this.#socket !== undefined) this.#watch(this.#socket);
          callback(...result);
        }),
      headersTimeout: limits.headers,
      bodyTimeout: limits.idle,
    });
  }

  /** Whose answer comes on it now. */
  serve(reading: Reading): void {
    this.#reading = reading;
  }

  /**
   * T7: the client's parser must not be paused when the other side goes, or it ends the process (undici, issue 5360).
   * These listeners are called before its own.
   */
  #watch(socket: Socket): void {
    // All that came was parsed by then: nothing more is handed on but the end.
    socket.on("end", () => this.#reading?.goOn());
    // After a reset it cannot go on any more. Under any other name it is a fault, and not the end of a body.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET" && this.#reading?.isPaused === true) error.code = "EPIPE";
    });
  }

  /** Aborted once it is closed, for whatever reason. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  get isOver(): boolean {
    return this.closed.aborted || this.#socket?.destroyed !== false;
  }

  /** Whether it broke. The client does not tell every reset: to some servers it is how a body ends. */
  get isBroken(): boolean {
    return this.#socket?.errored != null;
  }

  async close(): Promise<void> {
    if (this.closed.aborted) return;
    this.#closing.abort();
    await this.client.destroy();
  }
}
