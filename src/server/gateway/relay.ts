import type { HttpBindings } from "@hono/node-server";
import type { Readable, Writable } from "node:stream";
import type { Incoming, Outgoing, Transport } from "../../core/transport.ts";
import { AppError } from "../../core/error.ts";
import type { Target } from "../../features/configurations/targets.ts";
import { authHeadersOf, endpointOf } from "../../models/protocols.ts";
import { renderError } from "../problem.ts";
import { leavingHeaders, returningHeaders, Scrubber } from "./headers.ts";
import type { Speech } from "./asked.ts";

/** The answer to a client, as Node hands it out. */
export interface Client extends Writable {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Readonly<Record<string, string | string[]>>): unknown;
  flushHeaders(): void;
}

const plainQuery = /^(?:\?[\w.~%=&-]{0,512})?$/;

/** What leaves for a model service: headers by the allow list, and the secret that is kept for it (CO-16). */
export function outgoingTo(
  { provider, secret }: Target,
  path: string,
  { headers, url = "" }: Pick<HttpBindings["incoming"], "headers" | "url">,
  traceparent: string | null,
): Omit<Outgoing, "method" | "body" | "signal"> {
  const query = /\?.*$/s.exec(url)?.[0] ?? "";
  if (!plainQuery.test(query)) throw new AppError("usage.invalid", "the query has characters that are not passed on");
  const kept = leavingHeaders(headers);
  const trace = traceparent === null ? {} : { traceparent };
  return {
    url: endpointOf(provider, `/v1${path}`) + query,
    headers: { ...kept, ...trace, ...authHeadersOf(provider.protocol, secret, kept) },
  };
}

/** What a model service answers, unless it refuses this server. */
export async function ask(transport: Transport, outgoing: Outgoing): Promise<Incoming> {
  const incoming = await transport.send(outgoing);
  if (incoming.status !== 401 && incoming.status !== 403) return incoming;
  incoming.body.destroy();
  // CO-16: that the upstream does not know this server is not the client's fault, and its words may hold the secret.
  throw new AppError(
    "upstream.refused",
    `the model service does not accept the key that is kept for it (${incoming.status}); an admin can set it: skillward provider secret`,
  );
}

/** Everything about how an answer is handed on. */
export interface Returning {
  readonly speech: Speech;
  readonly secret: string | null;
  readonly request: string;
  /** Headers of ours. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sees what passes. */
  readonly watch: Passage | undefined;
}

/** The answer as it comes: status, headers and body, without the secret (CO-16). */
export async function relayResponse(incoming: Incoming, client: Client, returning: Returning): Promise<Ending> {
  const { secret, headers, watch } = returning;
  client.writeHead(incoming.status, { ...returningHeaders(incoming, secret), ...headers });
  // A stream that says nothing for a while must not look like no answer; what has a length comes at once.
  if (incoming.headers["content-length"] === undefined) client.flushHeaders();
  const scrubber = new Scrubber(secret);
  const passage: Passage = { push: (chunk) => scrubber.push(watch?.push(chunk) ?? chunk), end: () => scrubber.end() };
  const ending = await pump(incoming.body, client, passage);
  if (ending.how === "failed") breakOff(incoming, client, ending, returning);
  return ending;
}

/** The status is sent already. In a stream of events the failure is one more; anywhere else the answer is cut short. */
function breakOff(
  { headers }: Incoming,
  client: Client,
  { error, betweenEvents }: Extract<Ending, { how: "failed" }>,
  { speech, request }: Returning,
): void {
  const isEvents = String(headers["content-type"] ?? "").startsWith("text/event-stream");
  // Where a length was said, one more would be taken for a part of what is missing.
  const hasRoom = headers["content-length"] === undefined;
  if (!isEvents || !hasRoom || !betweenEvents) return void client.destroy();
  const { body } = renderError(speech, error, request);
  client.end(speech === "anthropic" ? `event: error\ndata: ${body}\n\n` : `data: ${body}\n\n`);
}

/** What happens to the chunks on their way. */
interface Passage {
  push(chunk: Buffer): Buffer;
  /** What is still to come when the last one has passed. */
  end(): Buffer;
}

export type Ending =
  | { readonly how: "ended" }
  /** The client went away: the upstream is not read any more. */
  | { readonly how: "left" }
  | {
      readonly how: "failed";
      readonly error: unknown;
      /** The client stands between two events of a stream. */
      readonly betweenEvents: boolean;
    };

/**
 * Hands on what comes as it comes (CO-16): nothing is gathered, and whoever reads slowly slows the upstream down.
 * When it failed, the client has not been told yet.
 */
function pump(body: Readable, client: Writable, passage: Passage): Promise<Ending> {
  return new Promise((resolve) => {
    let tail: Buffer = Buffer.alloc(0);
    const resume = () => void body.resume();
    const give = (chunk: Buffer) => {
      if (chunk.length === 0) return;
      tail = chunk.length > 2 ? chunk.subarray(-3) : Buffer.concat([tail, chunk]).subarray(-3);
      if (!client.write(chunk)) body.pause();
    };
    const finish = (ending: Ending) => {
      client.off("drain", resume);
      client.off("close", left);
      resolve(ending);
    };
    const left = () => {
      body.destroy();
      finish({ how: "left" });
    };
    client.on("drain", resume);
    client.once("close", left);
    body.on("data", (chunk: Buffer) => give(passage.push(chunk)));
    body.once("end", () => {
      give(passage.end());
      client.end();
      finish({ how: "ended" });
    });
    body.once("error", (error) => finish({ how: "failed", error, betweenEvents: isBlankLine(tail) }));
    if (client.destroyed) left();
  });
}

/** Two ends of lines after each other; CRLF is one. */
const blankLine = /(?:\n\n|\n\r\n?|\r\r\n?)$/;

/** An event ends with an empty line; at the very beginning there is none that could be torn. */
function isBlankLine(tail: Buffer): boolean {
  return tail.length === 0 || blankLine.test(tail.toString("latin1"));
}

const mostBytes = 16 * 1024;
const named = /"id"\s*:\s*"(resp_[\w-]{1,128})"/;

/** Looks for the id of a stored response in what passes by (CO-8). Nothing is held back for it. */
export class ResponseId implements Passage {
  #seen = "";
  #found: string | undefined;

  get found(): string | undefined {
    return this.#found;
  }

  push(chunk: Buffer): Buffer {
    if (this.#found === undefined && this.#seen.length < mostBytes) {
      this.#seen += chunk.toString("latin1", 0, mostBytes);
      this.#found = named.exec(this.#seen)?.[1];
    }
    return chunk;
  }

  end(): Buffer {
    return Buffer.alloc(0);
  }
}
