import { createHmac } from "node:crypto";
import type { EntryId } from "../../core/ids.ts";
import type { Outgoing } from "../../core/transport.ts";
import type { AuditReads } from "../../registry/audit/audit.ts";
import type { Look } from "../../registry/registry.ts";
import type { EntryLine } from "../skills/schema.ts";
import { lineOf } from "../skills/view.ts";
import { waitingIn } from "./queue.ts";
import type { AuditRecord } from "../../registry/schema.ts";

/** Acts on one entry after which it can wait for somebody. After an approval too: where it takes two, for the second. */
const onEntries: ReadonlySet<string> = new Set([
  "entry.created",
  "entry.updated",
  "entry.returned",
  "decision.approve",
]);
/** A newer scanner looked at all skills of a source: what it blocks was in use before. */
const onSources: ReadonlySet<string> = new Set(["source.rescanned"]);

/** Whether something can have come to need review by this. */
function isNews({ act }: AuditRecord): boolean {
  return onEntries.has(act) || onSources.has(act);
}

/** What a stretch of the chain is about, in the order of the chain. */
interface Touched {
  readonly entries: ReadonlySet<EntryId>;
  readonly sources: ReadonlySet<string>;
  /** When the last of it happened. */
  readonly at: number;
}

const page = 500;

/** Reads from behind one record up to another one. */
export async function readTouched(port: AuditReads, after: number, upTo: number): Promise<Touched> {
  const [entries, sources] = [new Set<EntryId>(), new Set<string>()];
  let at = 0;
  for (let from = after; from < upTo; ) {
    const records = await port.auditAfter(from, Math.min(page, upTo - from));
    for (const record of records.filter(isNews)) {
      at = record.at;
      (onEntries.has(record.act) ? entries : sources).add(record.subject);
    }
    // The chain was cut short: what is not there is about nothing.
    from = records.at(-1)?.seq ?? upTo;
  }
  return { entries, sources, at };
}

/** Of what was touched, what waits for a person now: whatever was decided meanwhile is nobody's news any more. */
export function linesOf(look: Look, { entries, sources }: Touched): EntryLine[] {
  const waiting = new Map(waitingIn(look).map((entry) => [entry.id, entry]));
  const touched = [...entries].flatMap((id) => waiting.get(id) ?? []);
  const found = [...waiting.values()].filter(({ id, source }) => sources.has(source) && !entries.has(id));
  const lines = [...touched, ...found].map((entry) => lineOf(look, entry, entry.current));
  return lines.filter(({ entry, state }) => entries.has(entry) || state === "blocked");
}

/** How far there is no news: the last record before the first that is one, or the last of all. */
export async function findNews(port: AuditReads, after: number): Promise<{ quietUpTo: number; isNews: boolean }> {
  for (let from = after; ; ) {
    const records = await port.auditAfter(from, page);
    const at = records.findIndex(isNews);
    if (at >= 0) return { quietUpTo: records[at - 1]?.seq ?? from, isNews: true };
    from = records.at(-1)?.seq ?? from;
    if (records.length < page) return { quietUpTo: from, isNews: false };
  }
}

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
