import type { ConnectionBounds } from "./connections.ts";
import type { LoginBounds } from "../login-throttle.ts";
import type { RequestBounds } from "../request-limits.ts";

/** Everything that is bounded about serving (T41). Nothing is ever unlimited. */
export interface ServerBounds extends ConnectionBounds, RequestBounds, LoginBounds {
  /** Of one body. */
  readonly bodyBytes: number;
  /** Of all headers of one request. */
  readonly headerBytes: number;
  /** For the headers to arrive; for all of a request to arrive. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often connections are looked at for these two. */
  readonly checkMs: number;
  /** For the next request on a connection. */
  readonly idleMs: number;
  /** Of answers to one principal that it does not read. */
  readonly unreadBytes: number;
  /** For what is running to end when the server stops. */
  readonly graceMs: number;
}

export const serverBounds: ServerBounds = {
  perMinute: 600,
  concurrent: 32,
  failuresPerMinute: 30,
  triesPerPair: 10,
  triesPerAccount: 100,
  triesPerAddress: 30,
  triesAtOnce: 16,
  remembered: 10_000,
  bodyBytes: 32 * 2 ** 20,
  headerBytes: 16 * 2 ** 10,
  headersMs: 10_000,
  requestMs: 60_000,
  checkMs: 5_000,
  idleMs: 5_000,
  connections: 2_000,
  connectionsEach: 1_000,
  unreadMs: 20_000,
  unreadBytes: 64 * 2 ** 20,
  graceMs: 20_000,
};
