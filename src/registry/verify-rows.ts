import type { Digest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import { type EntryId, entryId } from "../core/ids.ts";
import { pages } from "../core/kept.ts";
import { safeLine, storedText } from "../core/text.ts";
import type { Source } from "../sources/schema.ts";
import { parseDetails } from "./audit/audit.ts";
import { type Entry, isIntact } from "./entry.ts";
import type { Keys } from "./keys.ts";
import type { RegistryReads } from "./port.ts";
import { isIntactSource } from "./source-seal.ts";
import type { SyncReads } from "./sync/port.ts";
import { parseInjection } from "./usage/injection.ts";
import { keptHash, type UsageBatch } from "./usage/usage.ts";
import type { AuditRecord } from "./schema.ts";

/** What the audit chain says entries and sources are. */
export class RecordedRows {
  readonly entries = new Map<EntryId, Pick<Entry, "present" | "awayAt" | "current">>();
  readonly sources = new Map<string, { readonly [field: string]: unknown }>();
  #words = 0;

  add(record: AuditRecord): void {
    const { act } = record;
    if (act.startsWith("entry.")) this.#addEntry(record);
    else if (act.startsWith("source.")) this.#addSource(record);
    else if (act.startsWith("decision.") || act.startsWith("block.")) this.#words = Number(parseDetails(record)["seq"]);
  }

  #addEntry(record: AuditRecord): void {
    const { act, subject } = record;
    const { current, awayAt } = this.entries.get(subject) ?? { current: "", awayAt: 0 };
    if (act === "entry.orphaned") this.entries.set(subject, { present: false, awayAt: this.#words, current });
    else if (act === "entry.created") this.entries.set(subject, { present: true, ...seenIn(record, this.#words) });
    else this.entries.set(subject, { present: true, ...seenIn(record, awayAt) });
  }

  #addSource(record: AuditRecord): void {
    const { subject, act, by } = record;
    const { kind, url, trust, onChange } = parseDetails(record);
    if (act === "source.added") this.sources.set(subject, { kind, url, trust, onChange, addedBy: by });
    if (act === "source.changed") this.sources.set(subject, { ...this.sources.get(subject), trust, onChange });
    if (act === "source.removed") this.sources.delete(subject);
  }

  fitsEntry(id: EntryId, row: Entry | undefined): boolean {
    const known = this.entries.get(id);
    if (row === undefined || known === undefined) return row === known;
    const isWhere = row.present === known.present && row.awayAt === known.awayAt && row.current === known.current;
    return isWhere && id === entryId(row);
  }

  fitsSource(id: string, row: Source | undefined): boolean {
    const known = this.sources.get(id);
    if (row === undefined || known === undefined) return row === known;
    const kept: { readonly [field: string]: unknown } = { ...row };
    return Object.entries(known).every(([field, value]) => kept[field] === value);
  }
}

function seenIn(record: AuditRecord, before: number): Pick<Entry, "awayAt" | "current"> {
  const { digest, awayAt = before } = parseDetails(record);
  return { current: String(digest), awayAt: Number(awayAt) };
}

interface ChainCheck {
  readonly port: RegistryReads;
  readonly recorded: { add(record: AuditRecord): void };
  /** The last record that `recorded` has seen. */
  readonly upTo: number;
  readonly say: (finding: Finding) => void;
  readonly onProgress: (done: number, total: number) => void;
}

interface RowsCheck extends ChainCheck {
  readonly port: RegistryReads & SyncReads;
  readonly keys: Keys;
  readonly recorded: RecordedRows;
}

const page = 1000;

/** T17: every row of an entry or a source is what its records say. What changed meanwhile is looked at again. */
export async function verifyRows(check: RowsCheck): Promise<number> {
  const { port, say } = check;
  const { checked, entries, sources } = await doubtfulIn(check);
  await checkGeneration(check);
  if (entries.length + sources.length > 0) await readOn(check);
  for (const id of entries) if (!isRightEntry(check, id, await port.findEntry(id))) say(rowFault("entry", id));
  for (const id of sources) if (!isRightSource(check, id, await port.findSource(id))) say(rowFault("source", id));
  return checked;
}

function isRightEntry({ recorded, keys }: RowsCheck, id: EntryId, row: Entry | undefined): boolean {
  return recorded.fitsEntry(id, row) && (row === undefined || isIntact(keys, row));
}

function isRightSource({ recorded, keys }: RowsCheck, id: string, row: Source | undefined): boolean {
  return recorded.fitsSource(id, row) && (row === undefined || isIntactSource(keys, row));
}

async function doubtfulIn(check: RowsCheck) {
  const { port, recorded, onProgress } = check;
  const missing = new Set(recorded.entries.keys());
  const entries: EntryId[] = [];
  const rows = await port.listSources();
  let checked = rows.length;
  for await (const some of pages(
    (after) => port.listEntries({ after, limit: page }),
    "",
    ({ id }) => id,
  )) {
    for (const row of some) {
      missing.delete(row.id);
      if (!isRightEntry(check, row.id, row)) entries.push(row.id);
    }
    onProgress((checked += some.length), Math.max(recorded.entries.size, checked));
  }
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set([...byId.keys(), ...recorded.sources.keys()]);
  const sources = [...ids].filter((id) => !isRightSource(check, id, byId.get(id)));
  return { checked, entries: [...entries, ...missing], sources };
}

/** RV-10: no row is of a generation that is still to come. */
async function checkGeneration({ port, say }: RowsCheck): Promise<void> {
  const generation = await port.generation();
  const [later] = await port.entriesSince(generation, { after: "", limit: 1 });
  if (later === undefined || generation !== (await port.generation())) return;
  const message = `the generation is ${generation}, but "${safeLine(later.id)}" is of a later one; it was set back by hand`;
  say({ code: "store.generation", level: "critical", message, at: { file: "store", line: 1 } });
}

/** What was recorded since `recorded` has seen the chain. */
async function readOn({ port, recorded, upTo }: ChainCheck): Promise<void> {
  for await (const records of pages(
    (after) => port.auditAfter(after, page),
    upTo,
    ({ seq }) => seq,
  ))
    for (const record of records) recorded.add(record);
}

function rowFault(what: "entry" | "source", id: string): Finding {
  const message = `the row of ${what} "${safeLine(id)}" is not what was recorded and sealed; it was changed by hand`;
  return { code: `${what}.tampered`, level: "critical", message, at: { file: `${what}:${safeLine(id)}`, line: 1 } };
}

/** What the audit chain says about usage: which batches there must be, and how far retention has come. */
export class RecordedUsage {
  readonly batches = new Map<string, { readonly at: number; readonly hash: Digest }>();
  expiredBefore = 0;

  add(record: AuditRecord): void {
    const { at, act, subject } = record;
    if (act === "usage.batch") this.batches.set(subject, { at, hash: String(parseDetails(record)["hash"]) });
    if (act === "usage.expired")
      this.expiredBefore = Math.max(this.expiredBefore, Number(parseDetails(record)["before"]) || 0);
  }
}

interface UsageCheck extends ChainCheck {
  readonly recorded: RecordedUsage;
  /** Whether that is the whole chain: of a broken one, what is not recorded may be recorded behind the fault. */
  readonly isWhole: boolean;
}

/** Every batch against its own row and against the audit record of it; expired ones have no records left (RV-8). */
export async function verifyUsage(check: UsageCheck): Promise<{ batches: number; expired: number }> {
  const { port, recorded, say, onProgress } = check;
  const missing = new Set(recorded.batches.keys());
  const doubtful: UsageBatch[] = [];
  let [batches, expired] = [0, 0];
  for await (const some of pages(
    (after) => port.usageBatches({ after, limit: page }),
    "",
    ({ id }) => id,
  )) {
    for (const batch of some) {
      missing.delete(batch.id);
      if (whyDoubtful(recorded, batch) !== undefined) doubtful.push(batch);
      const fault = await faultOf(check, batch);
      if (fault !== undefined) say(usageFault("usage.changed", fault, batch.id));
      if (batch.expiredAt !== null) expired++;
      onProgress(++batches, recorded.batches.size);
    }
  }
  for (const id of missing) say(usageFault("usage.missing", "was removed, with what it said", id));
  for (const id of await port.strayUsage(page)) say(usageFault("usage.stray", "has uses that it never had", id));
  await sayDoubts(check, doubtful);
  return { batches, expired };
}

async function faultOf({ port, recorded }: UsageCheck, batch: UsageBatch): Promise<string | undefined> {
  const { id, at, hash, expiredAt } = batch;
  const known = recorded.batches.get(id) ?? batch;
  if (known.hash !== hash || known.at !== at) return "is not the one that was recorded";
  if (expiredAt !== null || (await isAsWritten(port, batch))) return undefined;
  return "does not hold what it held";
}

/** An injection is found by its id: that must be the one it says itself. */
async function isAsWritten(port: RegistryReads, { id, hash }: UsageBatch): Promise<boolean> {
  const [records, injections] = await Promise.all([port.usageIn(id), port.injectionsIn(id)]);
  const texts = injections.map(({ record }) => storedText(record));
  return keptHash(records, texts) === hash && injections.every((row) => parseInjection(row) !== undefined);
}

type Doubt = readonly [code: string, what: string];

function whyDoubtful({ batches, expiredBefore }: RecordedUsage, { id, at, expiredAt }: UsageBatch): Doubt | undefined {
  if (!batches.has(id)) return ["usage.unrecorded", "is in no audit record"];
  // Retention takes what is old, and says so: a batch that it cannot have taken was emptied by hand.
  if (expiredAt !== null && at >= expiredBefore)
    return ["usage.hidden", "was emptied, and no retention that took it is recorded"];
  return undefined;
}

/** What came in, or went by retention, while the chain was walked is in a record behind its end. */
async function sayDoubts(check: UsageCheck, doubtful: readonly UsageBatch[]): Promise<void> {
  const { recorded, isWhole, say } = check;
  if (!isWhole || doubtful.length === 0) return;
  await readOn(check);
  for (const batch of doubtful) {
    const doubt = whyDoubtful(recorded, batch);
    if (doubt !== undefined) say(usageFault(...doubt, batch.id));
  }
}

function usageFault(code: string, what: string, batch: string): Finding {
  const message = `the batch of usage ${safeLine(batch)} ${what}`;
  return { code, level: "critical", message, at: { file: `usage:${safeLine(batch)}`, line: 1 } };
}
