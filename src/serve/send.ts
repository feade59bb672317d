import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

/** An answer as a whole. */
export interface Rendered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Writes an answer to Node itself, in one piece: a `Response` would be turned into a stream and read back, which costs
 * more than all the rest of a request. What it gives back tells hono that nothing is left to do.
 */
export function send(outgoing: HttpBindings["outgoing"], { status, headers, body }: Rendered): Response {
  // What was not modified has no length of its own.
  outgoing.writeHead(status, status === 304 ? headers : { ...headers, "content-length": Buffer.byteLength(body) });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

export function sendJson(
  outgoing: HttpBindings["outgoing"],
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  // Nothing to say is said with no bytes, as for 304.
  const body = value === undefined ? "" : JSON.stringify(value);
  return send(outgoing, { status, headers: { "content-type": "application/json", ...headers }, body });
}

/** The same for what is not text; null: an answer without a body. */
export function sendBytes(
  outgoing: HttpBindings["outgoing"],
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array | null,
): Response {
  outgoing.writeHead(status, bytes === null ? headers : { ...headers, "content-length": bytes.length });
  outgoing.end(bytes ?? undefined);
  return RESPONSE_ALREADY_SENT;
}
