import { createHmac } from "node:crypto";
import type { EntryId } from "../base/ids.ts";
import type { Outgoing } from "../base/transport.ts";
import type { EntryLine } from "./entry-view.ts";

/** What is told when skills came to need review (SV-11). */
interface WebhookMessage {
  readonly event: "needs-review";
  /** The same for every try, so that whoever gets it twice can tell. */
  readonly id: string;
  /** When the latest of it happened. */
  readonly at: string;
  /** At most 100 of them. */
  readonly entries: readonly (Pick<EntryLine, "name" | "source" | "state" | "findings"> & {
    readonly entry: EntryId;
    readonly digest: string;
  })[];
  /** How many there are. */
  readonly total: number;
  /** Where they are reviewed; null: nobody said where browsers reach the server. */
  readonly link: string | null;
}

const mostEntries = 100;

/** What a message is made from: `at` in milliseconds since the epoch. */
interface News {
  readonly id: string;
  readonly at: number;
  readonly lines: readonly EntryLine[];
  /** The origin under which browsers reach the server. */
  readonly publicUrl: string | null;
}

export function renderMessage({ id, at, lines, publicUrl }: News): string {
  const message: WebhookMessage = {
    event: "needs-review",
    id,
    at: new Date(at).toISOString(),
    entries: lines.slice(0, mostEntries).map(({ entry, name, source, state, current: digest, findings }) => ({
      entry,
      name,
      source,
      state,
      digest,
      findings,
    })),
    total: lines.length,
    link: publicUrl === null ? null : `${publicUrl}/#/review`,
  };
  return JSON.stringify(message);
}

/** A message as it is sent: signed in the form of Standard Webhooks, with the time of this very try. */
export function signedRequest(
  { url, secret }: { readonly url: string; readonly secret: string },
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Omit<Outgoing, "signal"> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "user-agent": "skillward",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  return { method: "POST", url, headers, body: Buffer.from(body) };
}

/** As Standard Webhooks write a secret it is base64 behind a prefix; any other text stands for its own bytes. */
function keyOf(secret: string): Buffer {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, "base64");
}
