import type { Incoming, Outgoing, Transport } from "../../base/transport.ts";
import { AppError } from "../../base/error.ts";
import { parseRecord } from "./json.ts";
import { SignInRefused } from "./sign-in-refused.ts";

/** What a service answered; null: no object. How much and how long is the transport's to bound. */
export interface Asked {
  readonly status: number;
  readonly answer: Readonly<Record<string, unknown>> | null;
}

/** One question to the service. What was answered is repeated nowhere: it may hold a token. */
export async function ask(transport: Transport, request: Outgoing): Promise<Asked> {
  try {
    const incoming = await transport.send(request);
    const answer = parseRecord(await bytesOf(incoming));
    return { status: incoming.status, answer: answer ?? null };
  } catch (cause) {
    if (cause instanceof AppError || request.signal?.aborted === true)
      throw new SignInRefused("issuer.unreachable", { cause });
    throw cause;
  }
}

async function bytesOf({ body }: Incoming): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
