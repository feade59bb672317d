import type { Digest } from "../../core/digest.ts";
import { pages } from "../../core/kept.ts";
import type { AuditEvent, ChainHead } from "../audit/audit.ts";
import type { Checkpoint } from "../audit/checkpoint.ts";
import { type Keys, signText } from "../keys.ts";
import type { RegistryReads, RegistryWrites } from "../port.ts";
import { isDecision, renderStatement, type Statement, subjectOf } from "./decision.ts";
import { continueHead, type LedgerRow, rowDigest } from "./ledger.ts";
import type { AuditRecord } from "../schema.ts";

/**
 * The end of the signed chain: the checkpoint's, and on through what links to it. What others have said since is found
 * by the rows and by their copies in the audit chain, so that a row that is gone or was moved hides nothing (T18).
 */
export async function ledgerHead(port: RegistryReads, keys: Keys, known: Checkpoint): Promise<ChainHead> {
  const copies = await ledgerCopies(port, known.audit.seq);
  return continueHead(known.ledger, [...copies.values(), ...(await rowsAbove(port, known.ledger.seq))], keys);
}

/** The same after this transaction's own words, which are in its rows. */
export async function ledgerHeadAfter(port: RegistryReads, keys: Keys, head: ChainHead): Promise<ChainHead> {
  return continueHead(head, await rowsAbove(port, head.seq), keys);
}

async function rowsAbove(port: RegistryReads, seq: number): Promise<readonly LedgerRow[]> {
  for (let limit = 1; ; limit *= 8) {
    const rows = await port.ledgerTop(limit);
    const above = rows.filter((row) => row.seq > seq);
    if (above.length < limit) return above;
  }
}

const page = 5000;

/** Every statement is also in the audit record of its change; its own digest says whether it is the one. */
export async function ledgerCopies(port: RegistryReads, since: number): Promise<ReadonlyMap<Digest, LedgerRow>> {
  const copies = new Map<Digest, LedgerRow>();
  for await (const records of pages(
    (after) => port.auditAfter(after, page),
    since,
    ({ seq }) => seq,
  )) {
    const rows = records.map(copyIn).filter((row) => row !== undefined);
    for (const row of rows) copies.set(rowDigest(row), row);
  }
  return copies;
}

function copyIn({ act, subject, details }: AuditRecord): LedgerRow | undefined {
  if (!act.startsWith("decision.") && !act.startsWith("block.")) return undefined;
  try {
    const { seq, payload, key, signature } = JSON.parse(details);
    return {
      place: 0,
      seq: Number(seq),
      subject,
      payload: String(payload),
      key: String(key),
      signature: String(signature),
    };
  } catch {
    return undefined;
  }
}

/** Adds signed statements to the end of the chain, and keeps what the audit chain must say of them. */
export class LedgerWriter {
  readonly events: AuditEvent[] = [];
  readonly #port: RegistryWrites;
  readonly #keys: Keys;
  #head: ChainHead;

  constructor(port: RegistryWrites, keys: Keys, head: ChainHead) {
    this.#port = port;
    this.#keys = keys;
    this.#head = head;
  }

  async append<Said extends Statement>(said: (seq: number, prev: string) => Said): Promise<Said> {
    const statement = said(this.#head.seq + 1, this.#head.hash);
    const payload = renderStatement(statement);
    const row = { seq: statement.seq, subject: subjectOf(statement), payload, ...signText(this.#keys, payload) };
    await this.#port.appendLedger(row);
    this.#head = { seq: statement.seq, hash: rowDigest(row) };
    this.events.push(eventOf(statement, row));
    return statement;
  }
}

/** Carries a copy of the statement: should its row be lost, the chain still says about whom it was. */
function eventOf(said: Statement, { seq, payload, key, signature }: Omit<LedgerRow, "place">): AuditEvent {
  return {
    at: said.at,
    by: said.by,
    act: actOf(said),
    subject: subjectOf(said),
    details: { seq, payload, key, signature },
  };
}

function actOf(said: Statement): AuditEvent["act"] {
  if (isDecision(said)) return `decision.${said.word}`;
  return said.word === "block" ? "block.added" : "block.lifted";
}
