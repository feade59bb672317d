import type { Incoming, Outgoing, Transport } from "../core/transport.ts";
import type { Timer } from "../core/world.ts";
import { Connections } from "./connections.ts";
import { createDial, type Dial, type Resolve, resolveName } from "./dial.ts";
import { Exchange } from "./exchange.ts";
import type { TransportLimits } from "./limits.ts";
import type { EgressPolicy } from "./policy.ts";
import type { PrivatePairs } from "./private-pairs.ts";

export interface TransportOptions {
  readonly policy: EgressPolicy;
  readonly privatePairs: PrivatePairs;
  readonly limits: TransportLimits;
  readonly timer: Timer;
  readonly resolve?: Resolve;
  readonly dial?: Dial;
}

/**
 * The way out over HTTP (invariant 4). Proxy variables mean nothing to it (T6). A request that its signal ends fails
 * with the signal's reason; everything else is as `Transport` says. Closing it ends what is under way.
 */
export function createTransport(options: TransportOptions): Transport & { close(): Promise<void> } {
  const { policy, privatePairs: pairs, limits, timer, resolve = resolveName, dial = createDial() } = options;
  const connections = new Connections({ pairs, timer, resolve, dial, connectDeadline: limits.connect }, limits);
  return {
    async send(request) {
      const url = policy.admit(request.url);
      const headers = ownHeaders(request.headers);
      request.signal?.throwIfAborted();
      return exchange(connections, request, headers, { url, limits, timer });
    },
    close: () => connections.close(),
  };
}

type Terms = { readonly url: URL; readonly limits: TransportLimits; readonly timer: Timer };

function exchange(
  connections: Connections,
  request: Outgoing,
  headers: Record<string, string>,
  terms: Terms,
): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    const connection = connections.take(terms.url.origin);
    const giveBack = () => connections.giveBack(connection);
    new Exchange({ ...terms, connection, signal: request.signal, giveBack, resolve, reject }).start(request, headers);
  });
}

/** The connection's own, which a caller has no say in. */
const reserved: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "proxy-authorization",
  "proxy-connection",
]);

function ownHeaders(headers: Outgoing["headers"]): Record<string, string> {
  // What is not encoded is handed on as it comes; a caller who would rather save bandwidth says so.
  const own: Record<string, string> = { "accept-encoding": "identity" };
  for (const [name, value] of Object.entries(headers))
    if (!reserved.has(name.toLowerCase())) own[name.toLowerCase()] = value;
  return own;
}
