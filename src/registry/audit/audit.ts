import { canonicalJson, type Plain } from "../../core/canonical.ts";
import type { Digest } from "../../core/digest.ts";
import { parseRecord } from "../../core/json/json.ts";
import { hash } from "node:crypto";
import type { AuditRecord } from "../schema.ts";

/** What can happen to the state of a store. Refused ingests are among them: nothing changed, and that is worth knowing. */
export type AuditAct =
  | "store.created"
  | "store.rollback-accepted"
  | "keys.rotated"
  | "source.added"
  | "source.changed"
  | "source.removed"
  | "source.synced"
  | "source.rescanned"
  | "source.refused"
  | "entry.created"
  | "entry.updated"
  | "entry.orphaned"
  | "entry.returned"
  | "decision.approve"
  | "decision.reject"
  | "decision.disable"
  | "decision.override"
  | "block.added"
  | "block.lifted"
  | "user.added"
  | "user.changed"
  | "user.removed"
  | "key.added"
  | "key.revoked"
  | "session.opened"
  | "session.closed"
  | "provider.added"
  | "provider.changed"
  | "provider.removed"
  | "configuration.added"
  | "configuration.changed"
  | "configuration.removed"
  | "task.added"
  | "task.changed"
  | "task.removed"
  | "skill.attached"
  | "skill.detached"
  | "skill.published"
  | "skill.unpublished"
  | "trigger.changed"
  | "evaluation.kept"
  | "usage.batch"
  | "usage.expired";

/** What is to be recorded of one change of state (RV-8). Never holds a secret. */
export interface AuditEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Who did it. */
  readonly by: string;
  readonly act: AuditAct;
  /** What it was done to: an entry, a source, a user. */
  readonly subject: string;
  readonly details: { readonly [key: string]: Plain | undefined };
}

/** What is in a record's details. Nothing when they cannot be read: whoever made up a chain may have put anything there. */
export function parseDetails({ details }: AuditRecord): Readonly<Record<string, unknown>> {
  return parseRecord(details) ?? {};
}

/** The end of a chain: where the next link goes. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: Digest;
}

/** Where the chain of a store begins: no record of another store fits there. */
export function auditGenesis(store: string): Digest {
  return hash("sha256", `skillward audit ${store}`);
}

export interface AuditReads {
  /** The last record's place and hash; before the first, seq 0 and the genesis of the store. */
  auditHead(): Promise<ChainHead>;
  /** Up to `limit` records with `seq` above `after`, in order. */
  auditAfter(after: number, limit: number): Promise<readonly AuditRecord[]>;
}

export interface AuditWrites extends AuditReads {
  insertAudit(records: readonly AuditRecord[]): Promise<void>;
  /** Makes every process read the registry again: a new generation (RV-10), the next one or one further on. */
  raiseGeneration(by?: number): Promise<number>;
}

/** Writes changes of state into the chain, in the transaction that makes them, and raises the generation (RV-8, RV-10). */
export async function recordChanges(port: AuditWrites, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  await recordEvents(port, events);
  await port.raiseGeneration();
}

/** Writes events that change nothing anyone uses: a refused ingest, a batch of usage. */
export async function recordEvents(port: AuditWrites, events: readonly AuditEvent[]): Promise<void> {
  let head = await port.auditHead();
  const records: AuditRecord[] = [];
  for (const event of events) {
    const record = link(head, event);
    records.push(record);
    head = record;
  }
  await port.insertAudit(records);
}

/** Of the record that the next event in this transaction becomes. */
export async function nextSeq(port: AuditReads): Promise<number> {
  return (await port.auditHead()).seq + 1;
}

function link(head: ChainHead, { at, by, act, subject, details }: AuditEvent): AuditRecord {
  const body = { seq: head.seq + 1, at, by, act, subject, details: canonicalJson(details), prev: head.hash };
  return { ...body, hash: auditHash(body) };
}

/** An array has one order and JSON ends every string where it ends: no two records are hashed alike. */
export function auditHash({ seq, at, by, act, subject, details, prev }: Omit<AuditRecord, "hash">): Digest {
  return hash("sha256", JSON.stringify([seq, at, by, act, subject, details, prev]));
}

/** How far somebody who tells others of the audit chain has come in it (SV-11). One row, however long they cannot be told. */
export interface Reader {
  readonly name: string;
  /** The last record that is done with. */
  readonly seq: number;
  /** Nobody goes on before this, in milliseconds since the epoch: a node is at it, or it failed. */
  readonly dueAt: number;
  /** How often it failed since it last got on. */
  readonly attempts: number;
  /** What the reader itself wanted to know again. */
  readonly note: string;
}

/** When a reader is due: when its time has come, or is further away than anybody waits. Then a clock was ahead that wrote it. */
export interface Due {
  readonly now: number;
  readonly latest: number;
}

export function isDue({ dueAt }: Reader, { now, latest }: Due): boolean {
  return dueAt <= now || dueAt > latest;
}

export interface ReaderReads {
  findReader(name: string): Promise<Reader | undefined>;
}

export interface ReaderWrites extends ReaderReads {
  /** Adds the reader, or replaces the one of that name as a whole. */
  putReader(reader: Reader): Promise<void>;
  /** The reader when it is due, from now on due at `until`; undefined when it is not, or another node is at it. */
  claimReader(name: string, due: Due, until: number): Promise<Reader | undefined>;
}
