import type { ServerResponse } from "node:http";
import type { Answer } from "./scripted-exchange.ts";
import type { Gate } from "./gate.ts";
import type { Exchange } from "./recording.ts";
import type { UpstreamScript } from "./script.ts";

interface Delivery {
  readonly response: ServerResponse;
  readonly exchange: Exchange;
  readonly script: UpstreamScript;
  readonly gate: Gate;
  /** Aborted when the connection is closed, by whomever. */
  readonly client: AbortSignal;
}

/** Sends the answer piece by piece, as far as the script lets it and as long as somebody listens. */
export async function deliver(delivery: Delivery, answer: Answer): Promise<void> {
  const { script, exchange, response } = delivery;
  const pieces = piecesOf(answer.body).slice(0, script.resetAfter);
  if (script.hang === "before-headers") return;
  if (script.resetAfter === 0) return reset(delivery);
  await sendHead(delivery, answer);
  for (const [at, piece] of pieces.entries()) {
    await sendPiece(delivery, piece, at);
    if (script.hang === "mid-body") return;
  }
  if (script.resetAfter !== undefined) return reset(delivery);
  response.end(() => exchange.end("answered"));
}

/** A body of known length goes in two halves, so that there is a middle in which it can stop. */
function piecesOf(body: Answer["body"]): readonly Buffer[] {
  if (!Buffer.isBuffer(body)) return body;
  const middle = body.length >> 1;
  return [body.subarray(0, middle), body.subarray(middle)];
}

function sendHead(delivery: Delivery, answer: Answer): Promise<void> {
  const { response, script } = delivery;
  return pass(delivery, script.slow === true, async () => {
    // The same answer has the same bytes, whenever it is sent.
    response.sendDate = false;
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    response.writeHead(answer.status).flushHeaders();
  });
}

function sendPiece(delivery: Delivery, piece: Buffer, at: number): Promise<void> {
  const { response, script, client } = delivery;
  const isGated = script.slow === true || (script.chunks !== undefined && at > 0);
  return pass(delivery, isGated, () => write(response, piece, client));
}

/** Does it, after a step where one is needed; a client that left is sent nothing. */
async function pass({ gate, client }: Delivery, isGated: boolean, send: () => Promise<void>): Promise<void> {
  const sent = isGated ? await gate.pass(client) : () => {};
  if (!sent || client.aborted) return;
  await send();
  sent();
}

/** Resolves when the bytes are with the system, which sends them even if the connection is closed right then. */
function write(response: ServerResponse, piece: Buffer, client: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      client.removeEventListener("abort", done);
      resolve();
    };
    client.addEventListener("abort", done);
    response.write(piece, done);
  });
}

function reset({ response, exchange }: Delivery): void {
  exchange.end("cut");
  response.socket?.destroy();
}
