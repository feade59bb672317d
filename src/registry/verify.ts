import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import { auditGenesis, auditHash, type AuditReads, type ChainHead } from "./audit/audit.ts";
import { RecordedRows, RecordedUsage } from "./verify-rows.ts";
import type { AuditRecord } from "./schema.ts";

/** What walking the chain found. */
export interface ChainReport {
  /** How many follow from the beginning without a fault. */
  readonly records: number;
  /** The first record that is not what it was; the chain says nothing about those after it. */
  readonly fault: Finding | null;
  /** What the records say about usage, and about entries and sources. */
  readonly usage: RecordedUsage;
  readonly rows: RecordedRows;
}

/** Few enough to stay in the processor's caches: with larger pages each record takes a third longer. */
const page = 1000;

/**
 * Walks the whole audit chain: finds any record that was changed, removed, put elsewhere or cut off, and names the
 * first (RV-8, T19). `known` is the head that the checkpoint outside the database has seen: a chain that was computed
 * anew as a whole does not lead to it.
 */
export async function verifyChain(
  port: AuditReads,
  store: string,
  known: ChainHead,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<ChainReport> {
  const total = (await port.auditHead()).seq;
  const usage = new RecordedUsage();
  const rows = new RecordedRows();
  let last: ChainHead = { seq: 0, hash: auditGenesis(store) };
  const report = (fault: Finding | null) => ({ records: last.seq, fault, usage, rows });
  let reading = readSome(port, 0, page);
  for (let size = page; ; ) {
    const records = await reading;
    if (records === undefined && size === 1)
      return report(chainFault("audit.changed", last.seq + 1, "was changed: it cannot be read any more"));
    if (records?.length === 0) return report(last.seq < known.seq ? cutOff(last, known) : null);
    // One by one from here: the first that cannot be read is the one to name.
    if (records === undefined) size = 1;
    // The store works on the next ones while these are hashed.
    reading = readSome(port, records?.at(-1)?.seq ?? last.seq, size);
    for (const record of records ?? []) {
      const fault = faultOf(record, last, known);
      if (fault !== undefined) return report(fault);
      usage.add(record);
      rows.add(record);
      last = record;
    }
    onProgress(last.seq, total);
  }
}

/** Undefined when there are records that the engine cannot hand out, such as a number beyond all bounds. */
function readSome(port: AuditReads, after: number, size: number): Promise<readonly AuditRecord[] | undefined> {
  const reading = orUnreadable(port, () => port.auditAfter(after, size));
  // Whoever awaits it sees the fault; after a fault in the chain nobody does.
  reading.catch(() => {});
  return reading;
}

async function orUnreadable<Result>(port: AuditReads, read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A store that does not answer at all is not a record that was changed: that fault is told as it is.
    await port.auditHead();
    return undefined;
  }
}

function faultOf(record: AuditRecord, last: ChainHead, known: ChainHead): Finding | undefined {
  const { seq } = record;
  if (seq !== last.seq + 1) return chainFault("audit.removed", last.seq + 1, "is missing");
  if (record.prev !== last.hash) return chainFault("audit.unlinked", seq, "does not continue the one before it");
  if (auditHash(record) !== record.hash) return chainFault("audit.changed", seq, `was changed: ${described(record)}`);
  if (seq === known.seq && record.hash !== known.hash)
    return chainFault("audit.rewritten", seq, "is not the one the checkpoint has seen: the chain was written anew");
  return undefined;
}

function described({ act, subject }: AuditRecord): string {
  return `it now says ${shown(act)} ${shown(subject)}`;
}

/** Whoever changed a row may have put something else than a text there. */
function shown(value: unknown): string {
  return safeLine(String(value));
}

function cutOff(last: ChainHead, known: ChainHead): Finding {
  return chainFault("audit.truncated", last.seq + 1, `is missing; the checkpoint has seen them up to ${known.seq}`);
}

function chainFault(code: string, seq: number, what: string): Finding {
  return { code, level: "critical", message: `audit record ${seq} ${what}`, at: { file: "audit", line: seq } };
}
