import type { Timer } from "../core/world.ts";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { HttpBindings } from "@hono/node-server";
import { sha256 } from "../core/digest.ts";
import type { AccountPolicy, Person } from "../registry/accounts/roles.ts";
import { version } from "../core/version.ts";

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

type Outgoing = HttpBindings["outgoing"];

/** How long a client may take nothing at all (T41): what is being sent keeps a place and connections of the node. */
export const mostStill = 30_000;

/** Bytes that are handed over at once: whoever reads slowly has still taken something in time. */
const sliceBytes = 16 * 1024;

/**
 * Writes an answer of any length part by part, as fast as the client takes it. What fails before the first part is a
 * failure like any other; whoever goes away is given nothing more, and whoever takes nothing any more is let go.
 */
export async function sendParts(
  outgoing: Outgoing,
  headers: Readonly<Record<string, string>>,
  parts: AsyncIterable<string>,
  timer: Timer,
): Promise<Response> {
  for await (const part of parts) {
    if (!outgoing.headersSent) outgoing.writeHead(200, headers);
    for (const slice of slicesOf(part)) {
      if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
      if (!outgoing.write(slice)) await untilTaken(outgoing, timer);
    }
  }
  if (!outgoing.headersSent) outgoing.writeHead(200, headers);
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

function* slicesOf(part: string): Generator<Uint8Array> {
  const bytes = Buffer.from(part);
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

/** Until there is room again, or nobody to give it to. */
function untilTaken(outgoing: Outgoing, timer: Timer): Promise<void> {
  return new Promise((goOn) => {
    const patience = timer.every(mostStill, () => outgoing.destroy());
    const over = () => {
      patience.stop();
      outgoing.off("drain", over);
      outgoing.off("close", over);
      goOn();
    };
    outgoing.once("drain", over);
    outgoing.once("close", over);
    if (outgoing.closed) over();
  });
}

/**
 * SV-2: what somebody is told follows from the generation, from who they are and from how reviewing is set up here; and
 * from the release, which may say it otherwise. Weak: it says that the answer means the same, not that its bytes are.
 */
export function tagOf(generation: number, { name, role, configurations }: Person, policy: AccountPolicy): string {
  const who = sha256(Buffer.from(JSON.stringify([version, name, role, configurations, policy])));
  return `W/"${generation}-${who.slice(0, 16)}"`;
}

/** Whether one of the tags that a client sent is this one. `*` is no tag of ours: it would never be told anything again. */
export function isKnown(given: string | undefined, etag: string): boolean {
  return given !== undefined && given.split(",").some((each) => each.trim() === etag);
}

/** CO-16: what a client is told of an injection, in headers; the rest is at `/api/injections/{id}`. */
export function injectionHeaders(injection: {
  readonly id: string;
  readonly generation: number;
  readonly included: number;
  readonly dropped: number;
}): Record<string, string> {
  return {
    "x-skillward-injection": injection.id,
    "x-skillward-generation": String(injection.generation),
    "x-skillward-included": String(injection.included),
    "x-skillward-dropped": String(injection.dropped),
  };
}
