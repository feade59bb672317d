import type { Writable } from "node:stream";
import type { Incoming, Outgoing, Transport } from "../../core/transport.ts";
import { AppError } from "../../core/error.ts";
import type { Target } from "../../features/configurations/targets.ts";
import { authHeadersOf, endpointOf } from "../../models/protocols.ts";
import { renderError } from "../problem.ts";
import { leavingHeaders, returningHeaders, Scrubber } from "./headers.ts";
import { type Ending, type Passage, pump } from "./pump.ts";
import type { Speech } from "./asked.ts";

/** The answer to a client, as Node hands it out. */
export interface Client extends Writable {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Readonly<Record<string, string | string[]>>): unknown;
  flushHeaders(): void;
}

/** What a client sent beside its body. */
export interface Heading {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** With the `?`, or empty. */
  readonly query: string;
}

const plainQuery = /^(?:\?[\w.~%=&-]{0,512})?$/;

/** What leaves for a model service: headers by the allow list, and the secret that is kept for it (CO-16). */
export function outgoingTo(
  { provider, secret }: Target,
  path: string,
  { headers, query }: Heading,
  traceparent: string | null,
): Omit<Outgoing, "method" | "body" | "signal"> {
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
  throw refused(incoming.status);
}

/** CO-16: that the upstream does not know this server is not the client's fault, and its words may hold the secret. */
function refused(status: number): AppError {
  return new AppError(
    "upstream.refused",
    `the model service does not accept the key that is kept for it (${status}); an admin can set it: skillward provider secret`,
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
export async function hand(incoming: Incoming, client: Client, returning: Returning): Promise<Ending> {
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
