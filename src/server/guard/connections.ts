import type { HttpBindings } from "@hono/node-server";
import { canonicalAddress } from "../../net/address.ts";
import { addressGroup } from "./client-address.ts";
import { ConcurrencyLimit } from "../../features/http/concurrency-limit.ts";
import { TooMany } from "../../features/http/statuses.ts";

export interface ConnectionBounds {
  readonly connections: number;
  /** From one address: whatever one holds, as many are left for others. */
  readonly connectionsEach: number;
  /** An answer of which not a byte is taken for so long is given up. */
  readonly unreadMs: number;
}

type Socket = HttpBindings["incoming"]["socket"];

/** As much of a server as it takes to bound its connections. */
interface Connected {
  maxConnections: number;
  on(event: "request", act: (incoming: HttpBindings["incoming"], outgoing: HttpBindings["outgoing"]) => void): unknown;
  on(event: "connection", act: (socket: Socket) => void): unknown;
  setTimeout(milliseconds: number, act: (socket: Socket) => void): unknown;
}

/** T41: nobody holds a connection by not reading what was answered, nor all of them. */
export function boundConnections(server: Connected, bounds: ConnectionBounds, proxies: readonly string[]): void {
  server.maxConnections = bounds.connections;
  giveUpUnread(server, bounds.unreadMs);
  const each = new ConcurrencyLimit(bounds.connectionsEach);
  server.on("connection", (socket) => {
    const { remoteAddress = "" } = socket;
    const address = canonicalAddress(remoteAddress) ?? remoteAddress;
    // Everybody comes through them.
    if (proxies.includes(address)) return;
    const leave = each.enter(addressGroup(address));
    if (leave === undefined) socket.destroy();
    else socket.once("close", leave);
  });
}

function giveUpUnread(server: Connected, unreadMs: number): void {
  const answers = new WeakMap<Socket, HttpBindings["outgoing"]>();
  server.on("request", ({ socket }, outgoing) => void answers.set(socket, outgoing));
  // Called when nothing moved for so long, and at the end of a connection's idle time. To wait for an answer is no fault.
  server.setTimeout(unreadMs, (socket) => {
    const isWaiting = answers.get(socket)?.writableEnded === false && socket.writableLength === 0;
    if (!isWaiting) socket.destroy();
  });
}

type Outgoing = HttpBindings["outgoing"];

/** T41: what was answered to each principal and is still in memory, since its client does not read it. */
export class Unread {
  readonly #most: number;
  readonly #answers = new Map<string, Set<Outgoing>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Throws `request.too-many` while a principal leaves too much of it. */
  enter(principal: string, outgoing: Outgoing): void {
    const answers = this.#answers.get(principal) ?? new Set();
    const bytes = [...answers].reduce((sum, { writableLength }) => sum + writableLength, 0);
    if (bytes > this.#most)
      throw new TooMany("this key has not read what it was answered already; read that, or end it, and ask again", 1);
    if (outgoing.closed) return;
    this.#answers.set(principal, answers.add(outgoing));
    outgoing.once("close", () => {
      answers.delete(outgoing);
      if (answers.size === 0) this.#answers.delete(principal);
    });
  }
}
