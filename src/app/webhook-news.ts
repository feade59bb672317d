import type { EntryId } from "../base/ids.ts";
import type { AuditReads, AuditRecord } from "../registry/audit.ts";
import type { Look } from "../registry/registry.ts";
import { type EntryLine, lineOf } from "./entry-view.ts";
import { waitingIn } from "./queue.ts";

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
