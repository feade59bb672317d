import type { Digest } from "../core/digest.ts";
import type { Finding } from "../core/finding.ts";
import type { EntryId } from "../core/ids.ts";
import { pages } from "../core/kept.ts";
import { safeLine } from "../core/text.ts";
import type { Checkpoint } from "./audit/checkpoint.ts";
import { type Entry, readLoading } from "./entry.ts";
import type { Keys } from "./keys.ts";
import { ledgerCopies, ledgerHead } from "./ledger/ledger-head.ts";
import { extendLedger, type Ledger, ledgerGenesis, type LedgerRow, proveLedger } from "./ledger/ledger.ts";
import type { RegistryReads } from "./port.ts";
import {
  listedFiles,
  missingRevision,
  openRevision,
  placeOf,
  readSummary,
  type RevisionRow,
  summarise,
  type Summary,
} from "./revision.ts";
import type { RegistryFacts } from "./snapshot.ts";
import { believedSource, isIntactSource, tamperedSource } from "./source-seal.ts";
import type { SyncReads } from "./sync/port.ts";

/** What facts are read with. */
export interface FactsReader {
  readonly port: RegistryReads & SyncReads;
  readonly keys: Keys;
  readonly known: Checkpoint;
}

const page = 5000;

/**
 * Reads what a snapshot is made from: everything, or what changed since `before`. Reads again until no generation came
 * in between, so that all of it is of one moment (invariant 8).
 */
export async function readFacts(reader: FactsReader, before?: RegistryFacts): Promise<RegistryFacts> {
  const generation = await reader.port.generation();
  if (before?.generation === generation) return before;
  const facts = await readOnce(reader, generation, before);
  return (await reader.port.generation()) === generation ? facts : readFacts(reader, facts);
}

async function readOnce(reader: FactsReader, generation: number, before?: RegistryFacts): Promise<RegistryFacts> {
  const rows = await reader.port.listSources();
  const sources = new Map(rows.map((source) => [source.id, believedSource(reader.keys, source)]));
  const entries = await readEntries(reader, before);
  const ledger = await readLedger(reader, before?.ledger);
  const { summaries, findings } = await readSummaries(reader, entries, ledger, before);
  const loading = readAllLoading(reader.keys, entries, before);
  const changed = rows.filter((source) => !isIntactSource(reader.keys, source)).map(tamperedSource);
  const all = [...findings, ...changed, ...tamperedIn(loading)];
  return { generation, sources, entries, summaries, loading, ledger, findings: all };
}

/** Of entries whose row changed since; most were loaded without a finding, and are not in the map. */
function readAllLoading(
  keys: Keys,
  entries: ReadonlyMap<EntryId, Entry>,
  before?: RegistryFacts,
): RegistryFacts["loading"] {
  const loading = new Map(before?.loading);
  for (const entry of entries.values()) {
    if (before?.entries.get(entry.id) === entry) continue;
    const findings = readLoading(keys, entry);
    if (findings?.length === 0) loading.delete(entry.id);
    else loading.set(entry.id, findings ?? null);
  }
  return loading;
}

function tamperedIn(loading: RegistryFacts["loading"]): Finding[] {
  return [...loading].flatMap(([id, findings]) => (findings === null ? [tampered(id)] : []));
}

function tampered(id: EntryId): Finding {
  const message = `the row of ${safeLine(id)} was changed by hand; sync its source again`;
  return { code: "entry.tampered", level: "critical", message, at: { file: safeLine(id), line: 1 } };
}

/** By id, however they came: what every door lists is in one order. */
async function readEntries({ port }: FactsReader, before?: RegistryFacts): Promise<ReadonlyMap<EntryId, Entry>> {
  const read = (after: EntryId) => port.entriesSince(before?.generation ?? -1, { after, limit: page });
  const changed = new Map<EntryId, Entry>();
  for await (const some of pages(read, "", ({ id }) => id)) for (const entry of some) changed.set(entry.id, entry);
  return before === undefined ? changed : withChanged(before.entries, changed);
}

function withChanged(before: ReadonlyMap<EntryId, Entry>, changed: ReadonlyMap<EntryId, Entry>): Map<EntryId, Entry> {
  const entries = new Map<EntryId, Entry>();
  const added = [...changed.values()].filter(({ id }) => !before.has(id)).toReversed();
  const takeUpTo = (limit: EntryId | undefined) => {
    for (let next = added.at(-1); next !== undefined && isBefore(next.id, limit); next = added.at(-1))
      entries.set(next.id, added.pop() ?? next);
  };
  for (const [id, entry] of before) {
    takeUpTo(id);
    entries.set(id, changed.get(id) ?? entry);
  }
  takeUpTo(undefined);
  return entries;
}

/** In the order of the store: by bytes. */
function isBefore(id: EntryId, limit: EntryId | undefined): boolean {
  return limit === undefined || Buffer.compare(Buffer.from(id), Buffer.from(limit)) < 0;
}

export async function readLedger({ port, keys, known }: FactsReader, before?: Ledger): Promise<Ledger> {
  // Only what is in order is built on: where something was noticed, everything is proven again.
  if (before?.findings.length === 0) {
    const added = await rowsAfter(port, before.place);
    const extended = added.length === 0 ? before : extendLedger(before, added, keys);
    const [newest] = await port.ledgerTop(1);
    // A place that was raised by hand hides what comes after it: the numbers must agree too.
    if (extended !== undefined && (newest?.seq ?? 0) <= extended.head.seq) return extended;
  }
  const head = await ledgerHead(port, keys, known);
  const copies = onlyOnce(() => ledgerCopies(port, 0));
  return proveLedger(await rowsAfter(port, 0), keys, { genesis: ledgerGenesis(known.store), head, copies });
}

async function rowsAfter(port: RegistryReads, place: number): Promise<LedgerRow[]> {
  const rows: LedgerRow[] = [];
  const read = (after: number) => port.ledgerAfter(after, page);
  for await (const some of pages(read, place, (row) => row.place)) for (const row of some) rows.push(row);
  return rows;
}

interface SummariesRead {
  readonly summaries: ReadonlyMap<Digest, Summary>;
  readonly findings: readonly Finding[];
}

/** Of every revision that is current or decided on. One that was not in order before is read again. */
async function readSummaries(
  reader: FactsReader,
  entries: ReadonlyMap<EntryId, Entry>,
  ledger: Ledger,
  before?: RegistryFacts,
): Promise<SummariesRead> {
  const summaries = new Map(before?.summaries);
  const doubted = new Set(before?.findings.map(({ at }) => at.file));
  if (doubted.size > 0)
    for (const digest of summaries.keys()) if (doubted.has(placeOf(digest).file)) summaries.delete(digest);
  const findings: Finding[] = [];
  const wanted = new Set<Digest>();
  for (const entry of entries.values()) {
    // Where its row was written again, so may be what was made of its bytes: by a newer scanner.
    const isAsBefore = before?.entries.get(entry.id) === entry;
    const decided = (ledger.decisions.get(entry.id) ?? []).map(({ digest }) => digest);
    for (const digest of [entry.current, ...decided]) if (!isAsBefore || !summaries.has(digest)) wanted.add(digest);
  }
  for (const digests of chunks([...wanted], 500)) {
    const rows = new Map((await reader.port.findRevisions(digests)).map((row) => [row.digest, row]));
    for (const digest of digests) {
      const row = rows.get(digest);
      if (row === undefined) findings.push(missingRevision(digest));
      const summary = row && (readSummary(row, reader.keys) ?? (await rederive(reader, row, findings)));
      if (summary !== undefined) summaries.set(digest, summary);
    }
  }
  return { summaries, findings };
}

/** A summary that was changed by hand is said and made again from the bytes; when those are wrong too, there is none. */
async function rederive({ port }: FactsReader, row: RevisionRow, findings: Finding[]): Promise<Summary | undefined> {
  const message = `revision ${row.digest.slice(0, 12)}: its summary was changed by hand; it was read again from the bytes`;
  findings.push({ code: "revision.summary", level: "critical", message, at: placeOf(row.digest) });
  const opened = await readRevision(port, row);
  findings.push(...opened.findings);
  return opened.bundle && summarise(opened.bundle);
}

/** The verified bytes of a revision. */
export async function readRevision(port: RegistryReads, row: RevisionRow): Promise<ReturnType<typeof openRevision>> {
  return openRevision(row, await port.findBlobs([...new Set(listedFiles(row).map(({ digest }) => digest))]));
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

function onlyOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
