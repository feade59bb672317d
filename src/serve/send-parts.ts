import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Timer } from "../base/world.ts";

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
